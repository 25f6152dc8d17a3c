// `/openapi.json`, `/docs` and `/llms.txt`: the contract for programs, for people and for language models. Each is made when it is
// first asked for, and once: starting the service must not wait for what perhaps nobody reads.
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { apiDocument } from "./ApiDocument.ts"
import { docsPage } from "./DocsPage.ts"
import { linked } from "./DocumentLinks.ts"
import { llmsText } from "./LlmsText.ts"
import * as Paths from "../Paths.ts"

const openApi = Effect.map(apiDocument, ({ document }) =>
  HttpServerResponse.text(JSON.stringify(document), { contentType: "application/json", headers: linked })
)

const docs = Effect.map(apiDocument, ({ operations, read }) => {
  const { html, policy } = docsPage(read, operations)
  return HttpServerResponse.text(html, {
    contentType: "text/html; charset=utf-8",
    headers: { ...linked, "content-security-policy": policy, "referrer-policy": "no-referrer" }
  })
})

const llms = Effect.map(apiDocument, ({ operations, read }) =>
  HttpServerResponse.text(llmsText(read, operations), {
    contentType: "text/plain; charset=utf-8",
    headers: linked
  })
)

/** Serves them. */
export const Documents = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    yield* router.add("GET", Paths.documents.openApi, yield* Effect.cached(openApi))
    yield* router.add("GET", Paths.documents.docs, yield* Effect.cached(docs))
    yield* router.add("GET", Paths.documents.llms, yield* Effect.cached(llms))
  })
)
