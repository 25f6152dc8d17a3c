// What answers where nothing else does. Without it the router makes an error of each unknown path, whose stack trace costs more
// than all the rest of the answer. Only a server of our own has it: on a host's router it would answer for the host's paths.
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"

/** Its pattern, which is no route's. */
export const PATTERN = "/*"

/** 404 for whatever is left; the gate describes it. */
export const UnknownPath = HttpRouter.add("GET", PATTERN, Effect.succeed(HttpServerResponse.empty({ status: 404 })))
