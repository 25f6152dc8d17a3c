// What both OpenAPI documents complete in the same way: each operation of each path, and parameters with their real types.
import { isJson, type Json } from "./OpenApiSchemas.ts"

type Described<A> = (path: string, name: string) => A | undefined

/** The paths of a document, each operation completed. */
export const pathsOf = (spec: Json, complete: (path: string, operation: Json) => Json): Json =>
  mapEntries(spec["paths"], (path, methods) =>
    mapEntries(methods, (_method, operation) => (isJson(operation) ? complete(path, operation) : operation))
  )

/** The parameters of an operation, with the schema and the rule of each instead of a string's. */
export const parametersOf = (
  path: string,
  parameters: unknown,
  { ruleOf, schemaOf }: { readonly ruleOf: Described<string>; readonly schemaOf: Described<Json> }
): ReadonlyArray<unknown> =>
  !Array.isArray(parameters)
    ? []
    : parameters.map((value: unknown) => {
        if (!isJson(value) || typeof value["name"] !== "string") return value
        const { name, schema, ...rest } = value
        return {
          name,
          ...rest,
          schema: schemaOf(path, name) ?? schema,
          description: `Must be ${ruleOf(path, name)}.`
        }
      })

const mapEntries = (value: unknown, f: (key: string, member: unknown) => unknown): Json =>
  isJson(value) ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, f(key, member)])) : {}
