// `/openapi.json`, `/docs` and `/llms.txt`: the contract for programs, people and language models. Each is made once, when it is
// first asked for: starting the service does not wait for documents.
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { apiDocument } from "./ApiDocument.ts"
import { docsSlots } from "./DocsPage.ts"
import { linked } from "./DocumentLinks.ts"
import { llmsText } from "./LlmsText.ts"
import { htmlResponse, pages } from "./Pages.ts"
import * as Paths from "../Paths.ts"

const openApi = Effect.map(apiDocument, ({ document }) =>
  HttpServerResponse.text(JSON.stringify(document), { contentType: "application/json", headers: linked })
)

const docs = Effect.map(Effect.all([apiDocument, pages]), ([{ operations, readable }, { docs, operation }]) =>
  htmlResponse(docs, docsSlots(readable, operations, operation))
)

const llms = Effect.map(apiDocument, ({ operations, readable }) =>
  HttpServerResponse.text(llmsText(readable, operations), {
    contentType: "text/plain; charset=utf-8",
    headers: linked
  })
)

/** Serves the three. */
export const Documents = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    yield* router.add("GET", Paths.documents.openApi, yield* Effect.cached(openApi))
    yield* router.add("GET", Paths.documents.docs, yield* Effect.cached(docs))
    yield* router.add("GET", Paths.documents.llms, yield* Effect.cached(llms))
  })
)
