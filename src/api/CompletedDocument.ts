// What both OpenAPI documents complete in the same way: parameters with their real types, optional keys, links to `/docs`.
import { finishAll, type Json, objectOf } from "./OpenApiSchemas.ts"

type Described<A> = (path: string, name: string) => A | undefined

/** What differs between the documents. */
interface Own {
  /** The security schemes by name. Any of them, or none, may be used. */
  readonly keys: Json
  /** The rule and the schema of each parameter. */
  readonly parameters: { readonly ruleOf: Described<string>; readonly schemaOf: Described<Json> }
  /** `formats` are the values of the parameter `format`; none where there is no such parameter. */
  readonly responsesOf: (path: string, derived: Json, summary: unknown, formats: ReadonlyArray<unknown>) => Json
  readonly componentsOf: (schemas: Json, paths: Json) => Json
  /** What `/docs` is to the document. */
  readonly docs: string
}

/** Completes the document that `OpenApi.fromApi` derives. */
export const completed = (spec: Json, own: Own): Json => {
  const security = [{}, ...Object.keys(own.keys).map((name) => ({ [name]: [] }))]
  const paths = mapEntries(spec["paths"], (path, methods) =>
    mapEntries(methods, (_method, operation) => {
      const { description, operationId, parameters, responses, summary, tags } = objectOf(operation)
      const shown = parametersOf(path, parameters, own.parameters)
      return {
        tags,
        operationId,
        summary,
        description,
        parameters: shown,
        security,
        responses: own.responsesOf(path, objectOf(responses), summary, formatsOf(shown))
      }
    })
  )
  return {
    ...spec,
    info: { ...objectOf(spec["info"]), termsOfService: "/docs#terms" },
    paths,
    components: own.componentsOf(finishAll(objectOf(objectOf(spec["components"])["schemas"])), paths),
    security,
    externalDocs: { url: "/docs", description: own.docs }
  }
}

/** The parameters of an operation, with the schema and the rule of each instead of a string's. */
const parametersOf = (path: string, parameters: unknown, { ruleOf, schemaOf }: Own["parameters"]) =>
  !Array.isArray(parameters)
    ? []
    : parameters.map((value: unknown) => {
        const { name, schema, ...rest } = objectOf(value)
        if (typeof name !== "string") return value
        return { name, ...rest, schema: schemaOf(path, name) ?? schema, description: `Must be ${ruleOf(path, name)}.` }
      })

const formatsOf = (parameters: ReadonlyArray<unknown>): ReadonlyArray<unknown> => {
  const format = parameters.map(objectOf).find(({ name }) => name === "format")
  const values = objectOf(format?.["schema"])["enum"]
  return Array.isArray(values) ? values : []
}

const mapEntries = (value: unknown, f: (key: string, member: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(objectOf(value)).map(([key, member]) => [key, f(key, member)]))
