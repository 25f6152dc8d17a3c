// What a request may look like beyond its path: each parameter once, each within its rule, no key where logs would keep it.
// Everything that is wrong is said in one answer.
import { Effect, Layer, SchemaIssue, type Types } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiError } from "effect/http-api"
import { rules } from "../api/Parameters.ts"
import { InvalidParameter } from "../api/Problems.ts"
import { Validation } from "../api/Validation.ts"

type Fault = InvalidParameter["errors"][number]

/** Names under which people put a key into the address. */
const keyNames = new Set(["api_key", "apikey", "x-api-key", "x_api_key"])

/** Refuses malformed requests before the handler, and turns schema failures into problems. */
export const ValidationLayer: Layer.Layer<Validation> = Layer.succeed(Validation, (handle) => {
  const handled = Effect.catch(handle, (failure): Effect.Effect<never, InvalidParameter | Types.unhandled> => {
    if (!HttpApiError.HttpApiSchemaError.is(failure)) return Effect.fail(failure)
    // A body that breaks its own schema is our defect, not the caller's fault.
    if (failure.kind === "Body" || failure.kind === "ResponseHeaders") return Effect.die(failure)
    return invalid(schemaFaults(failure))
  })
  return Effect.flatMap(HttpServerRequest.ParsedSearchParams, (search) => {
    const faults = Object.entries(search).flatMap(([parameter, value]) => faultsOf(parameter, value))
    return faults.length > 0 ? invalid(faults) : handled
  })
})

const invalid = (errors: ReadonlyArray<Fault>) =>
  Effect.fail(
    new InvalidParameter({
      code: "invalid_parameter",
      detail: errors.map(({ detail, parameter }) => `${parameter} ${detail}`).join("; "),
      errors
    })
  )

const faultsOf = (parameter: string, value: string | ReadonlyArray<string>): ReadonlyArray<Fault> => {
  if (keyNames.has(parameter.toLowerCase())) {
    return [{ parameter, detail: "must not be in the address; send the key in the header x-api-key" }]
  }
  return typeof value === "string" ? [] : [{ parameter, detail: "must be given once" }]
}

const formatIssues = SchemaIssue.makeFormatterStandardSchemaV1()

const schemaFaults = (failure: HttpApiError.HttpApiSchemaError): ReadonlyArray<Fault> => {
  const byParameter = new Map<string, Fault>()
  for (const issue of formatIssues(failure.cause.issue).issues) {
    const [segment] = issue.path ?? []
    const parameter = String(typeof segment === "object" ? segment.key : (segment ?? "request"))
    const rule = rules[parameter]
    const missing = issue.message.startsWith("Missing")
    const detail = rule === undefined ? issue.message : missing ? `is required and must be ${rule}` : `must be ${rule}`
    byParameter.set(parameter, { parameter, detail })
  }
  return [...byParameter.values()]
}
