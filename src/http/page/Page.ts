// `/`: the page for people. It does not depend on the request; its script asks the API for the figures.
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { htmlResponse, pages } from "../documents/Pages.ts"
import * as Paths from "../Paths.ts"

const page = Effect.map(pages, (documents) => htmlResponse(documents.page))

/** Serves the page. */
export const Page = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    yield* router.add("GET", Paths.documents.page, yield* Effect.cached(page))
  })
)
