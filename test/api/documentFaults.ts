// What linters and generators of clients (spectral, redocly, hey-api, orval, swagger-typescript-api) refuse in a document that is valid.

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const record = (value: unknown) => (isRecord(value) ? value : {})

const entriesOf = (value: unknown): ReadonlyArray<[string, unknown]> =>
  typeof value === "object" && value !== null ? Object.entries(value) : []

/** Every fault, with its place. */
export const documentFaults = (document: unknown): ReadonlyArray<string> => {
  const faults: Array<string> = []
  const visit = (value: unknown, place: string): void => {
    const { enum: values, items, type } = record(value)
    if (type === "array" && items === undefined) faults.push(`${place}: an array without items`)
    if (Array.isArray(values) && (values.length === 0 || values.includes(""))) faults.push(`${place}: an empty word`)
    for (const [key, member] of entriesOf(value)) {
      if (key !== "example" && key !== "examples") visit(member, `${place}/${key}`)
    }
  }
  visit(document, "#")

  const { components, externalDocs, info, paths } = record(document)
  for (const address of [record(info)["termsOfService"], record(externalDocs)["url"]]) {
    if (address !== undefined && !URL.canParse(String(address))) faults.push(`${address} is no whole address`)
  }

  const text = JSON.stringify(document)
  for (const [kind, members] of entriesOf(components)) {
    for (const [name] of kind === "securitySchemes" ? [] : entriesOf(members)) {
      if (!text.includes(`"#/components/${kind}/${name}"`)) faults.push(`${kind}/${name} is used nowhere`)
    }
  }

  for (const [path, methods] of entriesOf(paths)) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    for (const [method, operation] of entriesOf(methods)) {
      const { operationId, parameters } = record(operation)
      if (!/^[a-z]\w+$/i.test(String(operationId))) faults.push(`${method} ${path}: no name of a function`)
      const declared = Array.isArray(parameters) ? parameters.map(record) : []
      const required = declared.filter((parameter) => parameter["in"] === "path").map(({ name }) => name)
      if (inPath.toSorted().join() !== required.toSorted().join()) faults.push(`${method} ${path}: its parameters`)
    }
  }
  return faults
}
