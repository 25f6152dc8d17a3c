// Answers unknown paths. Without it the router fails with an error whose stack trace costs more than the rest of the
// response. Not part of `Server.layerRoutes`: on a host's router it would answer for the host's paths.
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"

/** The pattern of the catch-all route. */
export const PATTERN = "/*"

/** An empty 404, to which the gate adds the problem. */
export const UnknownPath = HttpRouter.add("GET", PATTERN, Effect.succeed(HttpServerResponse.empty({ status: 404 })))
