// Responds to unknown paths. Without it the router fails with an error whose stack trace costs more than the rest of the
// response. Not part of `Server.layerRoutes`: on a host's router it would catch the host's paths.
import { HttpRouter, HttpServerResponse } from "effect/http"

/** An empty 404, for which the gate writes the problem. */
export const UnknownPath = HttpRouter.add("GET", "/*", HttpServerResponse.empty({ status: 404 }))
