// What a request may look like beyond its path: each parameter once, each within its rule, no key where logs would keep it.
// Everything that is wrong is said in one answer.
import { Effect, Layer, SchemaAST, SchemaIssue } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiError } from "effect/http-api"
import { allowed, rules } from "../../api/Parameters.ts"
import type { InvalidParameter } from "../../api/Problems.ts"
import { Validation } from "../../api/Validation.ts"
import * as ProblemBody from "../response/ProblemBody.ts"
import * as RequestId from "./RequestId.ts"

type Fault = InvalidParameter["errors"][number]

/** Names under which people put a key into the address. */
const keyNames = new Set(["api_key", "apikey", "x-api-key", "x_api_key"])

/** Refuses malformed requests before the handler, and turns schema failures into problems. */
export const ValidationLayer: Layer.Layer<Validation> = Layer.succeed(Validation, (handle, { endpoint }) => {
  const taken = parametersOf(endpoint.query?.ast)
  const handled = Effect.catch(handle, (failure) => {
    if (!HttpApiError.HttpApiSchemaError.is(failure)) return Effect.fail(failure)
    // A body that breaks its own schema is our defect, not the caller's fault.
    if (failure.kind === "Body" || failure.kind === "ResponseHeaders") return Effect.die(failure)
    return invalid(schemaFaults(failure))
  })
  return Effect.flatMap(HttpServerRequest.ParsedSearchParams, (search) => {
    const faults: Array<Fault> = []
    for (const parameter in search) faultsOf(parameter, search[parameter], taken.has(parameter), faults)
    for (const [parameter, isRequired] of taken) {
      if (isRequired && search[parameter] === undefined) faults.push(missing(parameter))
    }
    return faults.length > 0 ? invalid(faults) : handled
  })
})

/** The parameters that a query takes, and whether it requires them. */
const parametersOf = (ast: SchemaAST.AST | undefined): ReadonlyMap<string, boolean> =>
  new Map(
    ast !== undefined && SchemaAST.isObjects(ast)
      ? ast.propertySignatures.map(({ name, type }) => [String(name), !SchemaAST.isOptional(type)])
      : []
  )

const missing = (parameter: string): Fault => ({ parameter, detail: `is required and must be ${rules[parameter]}` })

// Said as a response, not as the error it is declared as: the stack trace of an error that is everyday business costs as much as
// all the rest of the answer.
const invalid = (errors: ReadonlyArray<Fault>) =>
  Effect.map(HttpServerRequest.HttpServerRequest, (request) => {
    const detail = errors.map(({ detail, parameter }) => `${parameter} ${detail}`).join("; ")
    return ProblemBody.problem("invalid_parameter", detail, RequestId.of(request) ?? "", {}, { errors })
  })

const faultsOf = (
  parameter: string,
  value: string | ReadonlyArray<string> | undefined,
  isTaken: boolean,
  faults: Array<Fault>
): void => {
  if (keyNames.has(parameter.toLowerCase())) {
    faults.push({ parameter, detail: "must not be in the address; send the key in the header x-api-key" })
  } else if (typeof value === "object") {
    faults.push({ parameter, detail: "must be given once" })
  } else if (isTaken && value !== undefined && allowed[parameter]?.(value) === false) {
    faults.push({ parameter, detail: `must be ${rules[parameter]}` })
  }
}

const formatIssues = SchemaIssue.makeFormatterStandardSchemaV1()

const schemaFaults = (failure: HttpApiError.HttpApiSchemaError): ReadonlyArray<Fault> => {
  const byParameter = new Map<string, Fault>()
  for (const issue of formatIssues(failure.cause.issue).issues) {
    const [segment] = issue.path ?? []
    const parameter = String(typeof segment === "object" ? segment.key : (segment ?? "request"))
    const rule = rules[parameter]
    byParameter.set(parameter, { parameter, detail: rule === undefined ? issue.message : `must be ${rule}` })
  }
  return [...byParameter.values()]
}
