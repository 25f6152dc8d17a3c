// The middleware that the contracts declare for every endpoint. It refuses requests whose parameters do not fit the schemas of the
// endpoint, and those that are at fault whatever the endpoint: one 400 that names every invalid parameter and what is allowed.
import { Context, Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { HttpApiError } from "effect/http-api"
import { Access } from "../../api/Access.ts"
import { type Parameter, parametersOf } from "../../api/Parameter.ts"
import { Validation } from "../../api/Validation.ts"
import * as Problem from "../response/Problem.ts"
import { CurrentRequest } from "../target/CurrentRequest.ts"

/** The parameters of a path or a query, by name. */
type Values = Readonly<Record<string, unknown>>

/** What is wrong with each parameter. */
type Faults = Map<string, string>

const validating: Validation["Service"] = (handle, { endpoint }) => {
  const inPath = parametersOf(endpoint.params)
  const inQuery = parametersOf(endpoint.query)

  const refuse = Effect.withFiber((fiber) => {
    const faults: Faults = new Map()
    addSchemaFaults(inPath, Context.getUnsafe(fiber.context, HttpRouter.RouteContext).params, faults)
    addSchemaFaults(inQuery, Context.getUnsafe(fiber.context, HttpServerRequest.ParsedSearchParams), faults)
    for (const [name, detail] of fiber.getRef(CurrentRequest).faults ?? []) faults.set(name, detail)
    return Problem.refuse(Problem.invalidParameters(faults))
  })

  const handled = Effect.catch(handle, (failure) => {
    if (!HttpApiError.HttpApiSchemaError.is(failure)) return Effect.fail(failure)
    // The response does not fit its own schema: a defect of this service.
    return failure.kind === "Body" || failure.kind === "ResponseHeaders" ? Effect.die(failure) : refuse
  })

  return Effect.flatMapEager(CurrentRequest, ({ faults }) => (faults === undefined ? handled : refuse))
}

/** The gate enforces `Access` before routing, so here every request passes it. */
export const EndpointMiddleware: Layer.Layer<Validation | Access> = Layer.merge(
  Layer.succeed(Validation, validating),
  Layer.succeed(Access, (handle) => handle)
)

/** Only requests that are refused are decoded here: the endpoint decodes all others, and stops at the first fault. */
const addSchemaFaults = (parameters: ReadonlyMap<string, Parameter>, values: Values, faults: Faults): void => {
  for (const [name, { accepts, isRequired, rule }] of parameters) {
    const value = values[name]
    if (value === undefined && isRequired) faults.set(name, `is required and must be ${rule}`)
    if (value !== undefined && !accepts(value)) faults.set(name, `must be ${rule}`)
  }
}
