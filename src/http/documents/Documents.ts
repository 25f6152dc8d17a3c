// `/`, the page for people, whose script fetches the figures from the API; `/openapi.json`, `/docs` and `/llms.txt`, the
// contract for programs, people and language models; and the OpenAPI documents of the endpoints for programs made for
// other services. Each is built when it is asked for, so that none delays the start, and kept as every answer is.
import { Effect } from "effect"
import { OpenApi } from "effect/http-api"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { Plans } from "../../access/Plan.ts"
import { compatApis } from "../../api/compat/compatApis.ts"
import { keySource } from "../../api/Terms.ts"
import { nameOfCurrency } from "../../domain/VsCurrency.ts"
import { P2pMarkets } from "../../services/P2pMarkets.ts"
import { linkTo, openApiContact, OperatorContact } from "../OperatorContact.ts"
import { PublicUrl } from "../PublicUrl.ts"
import { apiWith, decodeDocument, documentAt, examples } from "../../api/ApiDocument.ts"
import * as DocsPage from "./DocsPage.ts"
import * as Html from "./Html.ts"
import { linked } from "../response/Headers.ts"
import { llmsText } from "./LlmsText.ts"
import { htmlResponse, pages } from "./Pages.ts"
import * as Paths from "../target/Paths.ts"

const formatted = (limit: number) => limit.toLocaleString("en")

export const Documents = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const contact = yield* OperatorContact
    const keys = keySource(
      contact === null ? null : `<a href="${Html.text(linkTo(contact))}">${Html.text(contact)}</a>`
    )
    const { limits, servesAnonymous } = yield* Plans
    const anonymous = servesAnonymous
      ? `No key needed: ${limits.free} requests a minute for each IP address.`
      : "This service answers to callers with an API key alone."
    const keyed = `${formatted(limits.developer)} or ${formatted(limits.business)}`
    const { followed } = yield* P2pMarkets
    const markets = [...followed.keys()]
      .map((code) => `<option value="${code}">${code}, ${Html.text(nameOfCurrency(code))}</option>`)
      .join("")
    const { path: base } = yield* PublicUrl
    const api = yield* Effect.cached(
      Effect.map(examples, (examples) => apiWith({ contact: openApiContact(contact), base }, examples))
    )
    const text = (content: string, contentType: string) =>
      HttpServerResponse.text(content, { contentType, headers: linked })
    const json = (document: unknown) => text(JSON.stringify(document), "application/json")

    const page = Effect.map(pages, ({ page }) => htmlResponse(page, { anonymous, keyed, keys, markets }))
    const document = Effect.map(api, OpenApi.fromApi)
    const docs = yield* DocsPage.make(api)
    const llms = Effect.map(Effect.all([document, examples]), ([document, { operations }]) =>
      text(llmsText(decodeDocument(document), operations, keySource(contact), base), "text/plain; charset=utf-8")
    )
    yield* router.add("GET", Paths.documents.page, page)
    yield* router.add("GET", Paths.documents.openApi, Effect.map(document, json))
    yield* router.add("GET", Paths.documents.docs, docs)
    yield* router.add("GET", Paths.documents.llms, llms)
    for (const { describe, dialect } of compatApis) {
      const described = Effect.sync(() => {
        const { info, ...others } = describe()
        return json(documentAt({ ...others, info: { ...info, contact: openApiContact(contact) } }, base))
      })
      yield* router.add("GET", dialect.document, described)
    }
  })
)
