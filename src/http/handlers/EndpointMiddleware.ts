// The middleware that the contracts declare for every endpoint. It refuses requests whose parameters do not fit the schemas of the
// endpoint, and those that are at fault whatever the endpoint: one 400 that names every invalid parameter and what is allowed.
import { Context, Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { HttpApiError } from "effect/http-api"
import { Access } from "../../api/Access.ts"
import { Caller } from "../../api/Caller.ts"
import { type Parameter, parametersOf } from "../../api/Parameter.ts"
import { Validation } from "../../api/Validation.ts"
import * as Problem from "../response/Problem.ts"
import { CurrentRequest } from "../target/CurrentRequest.ts"
import { slipIn } from "../target/slipIn.ts"

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
    const request = fiber.getRef(CurrentRequest)
    return Effect.succeed(Problem.response(Problem.invalidParameters(faults), request))
  })

  const handled = Effect.catch(handle, (failure: unknown) => {
    if (Problem.isFailure(failure)) return Problem.responseTo(failure)
    if (!HttpApiError.HttpApiSchemaError.is(failure)) return Effect.die(failure)
    // The response does not fit its own schema: a defect of this service.
    return failure.kind === "Body" || failure.kind === "ResponseHeaders" ? Effect.die(failure) : refuse
  })

  return Effect.flatMapEager(CurrentRequest, ({ faults }) => (faults === undefined ? handled : refuse))
}

/** The gate has decided about the request before it is routed: here its caller is provided. */
const admitted: Access["Service"] = (handle) =>
  Effect.flatMapEager(CurrentRequest, ({ plan }) =>
    plan === undefined
      ? Effect.die(new Error("A request came to an endpoint without passing the gate"))
      : Effect.provideService(handle, Caller, { tier: plan })
  )

/** Needs the gate around it: `GateMiddleware`. */
export const EndpointMiddleware: Layer.Layer<Validation | Access> = Layer.merge(
  Layer.succeed(Validation, validating),
  Layer.succeed(Access, admitted)
)

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** Only requests that are refused are decoded here: the endpoint decodes all others, and stops at the first fault. */
const addSchemaFaults = (parameters: ReadonlyMap<string, Parameter>, values: Values, faults: Faults): void => {
  for (const [name, { accepts, isRequired, rule }] of parameters) {
    const value = values[name]
    if (value === undefined && isRequired) faults.set(name, `is required and must be ${rule}`)
    if (value !== undefined && !accepts(value)) {
      const slip = slipIn(value, accepts, rule)
      const meant = slip?.meant === undefined ? "" : ` Did you mean ${slip.meant}?`
      faults.set(name, `must be ${rule}${slip === undefined ? "" : `.${meant} ${sentence(slip.hint)}`}`)
    }
  }
}
