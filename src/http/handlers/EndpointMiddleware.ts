// The middleware that the contracts declare for every endpoint: it provides the caller, and writes the problems that handlers fail with.
// The gate has refused invalid parameters, so what fails to decode here is a defect.
import { Effect, Layer } from "effect"
import { Access } from "../../api/Access.ts"
import { Caller } from "../../api/Caller.ts"
import { Validation } from "../../api/Validation.ts"
import * as Problem from "../response/Problem.ts"
import { CurrentRequest } from "../request/CurrentRequest.ts"

const writingProblems: Validation["Service"] = (handle) =>
  Effect.catch(handle, (failure: unknown) =>
    Problem.isFailure(failure) ? Problem.failureResponse(failure) : Effect.die(failure)
  )

/** The gate has decided whether to serve the caller. */
const providingCaller: Access["Service"] = (handle) =>
  Effect.flatMapEager(CurrentRequest, ({ plan }) =>
    plan === undefined
      ? Effect.die(new Error("A request came to an endpoint without passing the gate"))
      : Effect.provideService(handle, Caller, { tier: plan })
  )

/** Requires `GateMiddleware` around the router. */
export const EndpointMiddleware: Layer.Layer<Validation | Access> = Layer.merge(
  Layer.succeed(Validation, writingProblems),
  Layer.succeed(Access, providingCaller)
)
