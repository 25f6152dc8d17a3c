// `/`: the page for people. It is the same for every request; its script fetches the figures from the API.
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { htmlResponse, pages } from "../documents/Pages.ts"
import { keySourceMarkup, OperatorContact } from "../OperatorContact.ts"
import * as Paths from "../Paths.ts"

export const Page = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const keys = keySourceMarkup(yield* OperatorContact)
    const page = Effect.map(pages, (documents) => htmlResponse(documents.page, { keys }))
    yield* router.add("GET", Paths.documents.page, yield* Effect.cached(page))
  })
)
