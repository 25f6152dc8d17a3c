// Answers unknown paths. Without it the router fails with an error whose stack trace costs more than the rest of the
// response. Not part of `Server.layerRoutes`: on a host's router it would answer for the host's paths.
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { RefusedUrls } from "./gate/RefusedUrls.ts"
import { unknownPath } from "./response/ProblemBody.ts"

/** The pattern of the catch-all route. */
export const PATTERN = "/*"

/** An empty 404, to which the gate adds the problem. The URL is remembered as refused. */
export const UnknownPath = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const refused = yield* RefusedUrls
    yield* router.add(
      "GET",
      PATTERN,
      Effect.map(HttpServerRequest.HttpServerRequest, ({ url }) => {
        refused.remember(url, unknownPath)
        return HttpServerResponse.empty({ status: 404 })
      })
    )
  })
).pipe(Layer.provide(RefusedUrls.layer))
