// What both OpenAPI documents complete in the same way: parameters with their real types, optional keys.
import type { Parameter } from "./Parameter.ts"
import { finishAll, type Json, objectOf } from "./OpenApiSchemas.ts"

/** What differs between the documents. */
export interface Completion {
  /** The security schemes by name. Any of them, or none, may be used. */
  readonly keys: Json
  /** The parameters of each path. */
  readonly parameters: ReadonlyMap<string, ReadonlyMap<string, Parameter>>
  /** `formats`: the values of the parameter `format`, if there is one. */
  readonly responsesOf: (path: string, derived: Json, summary: unknown, formats: ReadonlyArray<unknown>) => Json
  readonly componentsOf: (schemas: Json, paths: Json) => Json
}

/** Completes the document that `OpenApi.fromApi` derives. */
export const completed = (spec: Json, own: Completion): Json => {
  const security = [{}, ...Object.keys(own.keys).map((name) => ({ [name]: [] }))]
  const paths = mapEntries(spec["paths"], (path, methods) =>
    mapEntries(methods, (_method, operation) => {
      const { description, operationId, parameters, responses, summary, tags } = objectOf(operation)
      const shown = shownParameters(parameters, own.parameters.get(path))
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
    paths,
    components: own.componentsOf(finishAll(objectOf(objectOf(spec["components"])["schemas"])), paths),
    security
  }
}

/** The parameters of an operation, with the schema of each instead of a string's. */
const shownParameters = (parameters: unknown, declared: ReadonlyMap<string, Parameter> | undefined) =>
  !Array.isArray(parameters)
    ? []
    : parameters.map((value: unknown) => {
        const { in: place, name, required } = objectOf(value)
        const { description, shape } = declared?.get(String(name)) ?? {}
        return { name, in: place, required, schema: shape, description }
      })

const formatsOf = (parameters: ReadonlyArray<unknown>): ReadonlyArray<unknown> => {
  const format = parameters.map(objectOf).find(({ name }) => name === "format")
  const values = objectOf(format?.["schema"])["enum"]
  return Array.isArray(values) ? values : []
}

const mapEntries = (value: unknown, f: (key: string, member: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(objectOf(value)).map(([key, member]) => [key, f(key, member)]))
