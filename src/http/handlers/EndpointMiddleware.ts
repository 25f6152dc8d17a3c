// The middleware that the contracts declare for every endpoint. It refuses invalid parameters: those that do not fit the endpoint's
// schemas, and those that every endpoint refuses. One 400 names each of them and what is allowed.
import { Context, Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { HttpApiError } from "effect/http-api"
import { Access } from "../../api/Access.ts"
import { Caller } from "../../api/Caller.ts"
import { type Parameter, parametersOf } from "../../api/Parameter.ts"
import { Validation } from "../../api/Validation.ts"
import * as Problem from "../response/Problem.ts"
import { CurrentRequest } from "../request/CurrentRequest.ts"
import { slipIn } from "../request/slipIn.ts"

type Values = Readonly<Record<string, unknown>>

/** The fault of each parameter, by name. */
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
    if (Problem.isFailure(failure)) return Problem.failureResponse(failure)
    if (!HttpApiError.HttpApiSchemaError.is(failure)) return Effect.die(failure)
    // The response does not fit its own schema: a defect of this service.
    return failure.kind === "Body" || failure.kind === "ResponseHeaders" ? Effect.die(failure) : refuse
  })

  return Effect.flatMapEager(CurrentRequest, ({ faults }) => (faults === undefined ? handled : refuse))
}

/** Provides the caller. The gate has already decided whether to serve it. */
const providingCaller: Access["Service"] = (handle) =>
  Effect.flatMapEager(CurrentRequest, ({ plan }) =>
    plan === undefined
      ? Effect.die(new Error("A request came to an endpoint without passing the gate"))
      : Effect.provideService(handle, Caller, { tier: plan })
  )

/** Requires `GateMiddleware` around the router. */
export const EndpointMiddleware: Layer.Layer<Validation | Access> = Layer.merge(
  Layer.succeed(Validation, validating),
  Layer.succeed(Access, providingCaller)
)

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** Decodes refused requests a second time, because the endpoint's own decoding stops at the first fault. */
const addSchemaFaults = (parameters: ReadonlyMap<string, Parameter>, values: Values, faults: Faults): void => {
  for (const [name, { accepts, isRequired, rule, shape }] of parameters) {
    const value = values[name]
    const { maxLength: longest } = shape
    if (value === undefined && isRequired) faults.set(name, `is required and must be ${rule}`)
    else if (typeof value === "string" && typeof longest === "number" && value.length > longest && longest > 0) {
      faults.set(name, `must be ${rule}. It has more than ${longest} characters`)
    } else if (value !== undefined && !accepts(value)) {
      const slip = slipIn(value, accepts, rule)
      const meant = slip?.meant === undefined ? "" : ` Did you mean ${slip.meant}?`
      faults.set(name, `must be ${rule}${slip === undefined ? "" : `.${meant} ${sentence(slip.hint)}`}`)
    }
  }
}
