// `/docs`. The page carries the whole of its viewer, three megabytes, so that a reader's browser need ask nobody else: it is
// loaded when somebody first reads it, and no start waits for it.
import { Effect, Scope } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApiScalar } from "effect/http-api"
import { Api } from "../api/Api.ts"
import * as Paths from "./Paths.ts"

// Not the viewer's own fonts either, which come from elsewhere.
const viewer = HttpApiScalar.layer(Api, { path: Paths.documents.docs, scalar: { withDefaultFonts: false } })

/** Serves it. */
export const Docs = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const scope = yield* Effect.scope
    const page = yield* Effect.cached(Effect.provideService(HttpRouter.toHttpEffect(viewer), Scope.Scope, scope))
    // Its router is asked for the one path that it has.
    yield* router.add("GET", Paths.documents.docs, Effect.orDie(Effect.flatten(page)))
  })
)
