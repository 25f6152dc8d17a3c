// `/healthz` and `/readyz` for monitors. The service is alive while it responds, and ready while every data set that users
// rely on is fresh enough to serve. The format is draft-inadarei-api-health-check-06.
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import * as Readiness from "../services/Readiness.ts"
import * as Paths from "./request/Paths.ts"
import { NO_STORE } from "./response/Headers.ts"

const MEDIA_TYPE = "application/health+json"

export const HealthRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const readiness = yield* Readiness.make
    yield* router.add("GET", Paths.otherPaths.alive, Effect.succeed(respond({ status: "pass" })))
    yield* router.add("GET", Paths.otherPaths.ready, Effect.map(readiness, respond))
  })
)

const respond = (body: { readonly status: "pass" | "warn" | "fail" }) =>
  HttpServerResponse.jsonUnsafe(body, {
    status: body.status === "fail" ? 503 : 200,
    contentType: MEDIA_TYPE,
    headers: { "cache-control": NO_STORE }
  })
