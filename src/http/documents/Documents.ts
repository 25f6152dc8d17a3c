// `/openapi.json`, `/openapi-3.0.json`, `/docs` and `/llms.txt`, the contract for programs, people and language models, and the OpenAPI documents of the
// compat APIs. Each is built at its first request, so that it does not delay the start, and cached like every response.
import { Effect } from "effect"
import { OpenApi } from "effect/http-api"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { Plans } from "../../access/Plan.ts"
import { compatApis } from "../../api/compat/compatApis.ts"
import { keySource } from "../../api/Terms.ts"
import { openApiContact, OperatorContact } from "../OperatorContact.ts"
import { PublicUrl } from "../PublicUrl.ts"
import { apiWith, decodeDocument, documentOf, examples } from "../../api/ApiDocument.ts"
import { inVersion30 } from "../../api/OpenApi30.ts"
import * as DocsPage from "./DocsPage.ts"
import { linked } from "../response/Headers.ts"
import { llmsText } from "./LlmsText.ts"
import * as Paths from "../request/Paths.ts"

export const Documents = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const contact = yield* OperatorContact
    const address = yield* PublicUrl
    const { servesAnonymous } = yield* Plans
    const service = { contact: openApiContact(contact), address, servesAnonymous }
    const api = yield* Effect.cached(Effect.map(examples, (examples) => apiWith(service, examples)))
    const text = (content: string, contentType: string) =>
      HttpServerResponse.text(content, { contentType, headers: linked })
    const json = (document: unknown) => text(JSON.stringify(document), "application/json")

    const document = Effect.map(api, OpenApi.fromApi)
    const docs = yield* DocsPage.make(api)
    const llms = Effect.map(Effect.all([document, examples]), ([document, { operations }]) =>
      text(
        llmsText(decodeDocument(document), operations, {
          keys: keySource(contact),
          base: address.path,
          servesAnonymous
        }),
        "text/plain; charset=utf-8"
      )
    )
    yield* router.add("GET", Paths.otherPaths.openApi, Effect.map(document, json))
    yield* router.add(
      "GET",
      Paths.otherPaths.openApi30,
      Effect.map(document, (written) => json(inVersion30(written)))
    )
    yield* router.add("GET", Paths.otherPaths.docs, docs)
    yield* router.add("GET", Paths.otherPaths.llms, llms)
    for (const { describe, dialect } of compatApis) {
      yield* router.add(
        "GET",
        dialect.document,
        Effect.sync(() => json(documentOf(describe(), service)))
      )
    }
  })
)
