// The web page: one document under several addresses, each with its own title, description and preview picture, and with the API's
// answers that its script shows first. A program that reads no HTML gets some lines of text.
import { Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Plans } from "../../access/Plan.ts"
import { keySource } from "../../api/Terms.ts"
import { nameOfCurrency } from "../../domain/VsCurrency.ts"
import { Coins } from "../../services/Coins.ts"
import { P2pMarkets } from "../../services/P2pMarkets.ts"
import * as Html from "../documents/Html.ts"
import { htmlResponse, pages } from "../documents/Pages.ts"
import { linkTo, OperatorContact } from "../OperatorContact.ts"
import { PublicUrl } from "../PublicUrl.ts"
import * as Paths from "../request/Paths.ts"
import { asksForPage } from "../response/asksForPage.ts"
import { PageAnswers } from "./Answers.ts"
import { isCurrency } from "./browser/Figures.ts"
import { api, firstPaths, type Route, USUAL } from "./browser/Route.ts"
import { symbolsOf, titleOf } from "./browser/Title.ts"
import { pageText } from "./pageText.ts"
import { unknownCoinPage, unknownMarketPage } from "./unknownPages.ts"

/** The page's data as shell commands, for browsers without JavaScript. */
const commands = [
  "v1/p2p",
  api.market(USUAL),
  api.marketPast(USUAL),
  api.convert({ from: "bitcoin", to: "NGN", amount: "0.01" }),
  "v1/coins?limit=100",
  api.coin("bitcoin"),
  "v1/why",
  "v1/global",
  "v1/sources"
]
  .map(Html.text)
  .map((path) => `<li><a href="${path}">JSON</a> <code>curl "$URL/${path}"</code></li>`)
  .join("")

const descriptions: Readonly<Record<Route["view"], (name: string) => string>> = {
  home: () =>
    "The street (P2P) rates of the naira and other currencies, coin prices from eight exchanges, and why coins moved.",
  market: (name) =>
    `What one USDT costs and brings in ${name} on P2P markets now, beside the official rate, with its history.`,
  coin: (name) => `The price of ${name} from the exchanges that agree on it, how far they are apart, and its history.`,
  convert: (name) => `${name} at the street rate, at the middle, and at the official rate.`
}

/** The path of a route's preview picture, below `preview/` and without `.svg`. A conversion has that of the usual market. */
const pictureOf = (route: Route): string => {
  if (route.view === "coin") return `coin/${encodeURIComponent(route.id)}`
  return `p2p/${(route.view === "market" ? route.fiat : USUAL).toLowerCase()}`
}

/** Its figures are of this moment. A browser that went back to an old document would show them as new. */
const fresh = { "cache-control": "no-store" }

const none = { text: "{}", unknown: [] }

const COMMAND = /^(curl|wget|httpie|xh)\b/i

/** Whether a caller reads no HTML: a command in a shell, or a program that accepts other types alone. */
const readsText = ({
  accept = "*/*",
  "user-agent": agent = ""
}: Readonly<Record<string, string | undefined>>): boolean =>
  !accept.includes("text/html") && (!accept.includes("*/*") || COMMAND.test(agent))

const formatted = (limit: number) => limit.toLocaleString("en")

export const Page = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const contact = yield* OperatorContact
    const keys = keySource(
      contact === null ? null : `<a href="${Html.text(linkTo(contact))}">${Html.text(contact)}</a>`
    )
    const { limits, servesAnonymous } = yield* Plans
    const anonymous = servesAnonymous
      ? `No key needed: ${formatted(limits.free)} requests a minute for each IP address.`
      : "This service answers to callers with an API key alone."
    const keyed = `${formatted(limits.developer)} or ${formatted(limits.business)}`
    const { origin, path: root } = yield* PublicUrl
    const { followed } = yield* P2pMarkets
    const coins = yield* Coins
    const answers = yield* PageAnswers

    const show = Effect.fnUntraced(function* (route: Route, path: string, name = "") {
      const { headers } = yield* HttpServerRequest.HttpServerRequest
      const paths = firstPaths(route, isCurrency, (fiat) => followed.has(fiat))
      // An operator who asks for keys serves no figures without one.
      const { text, unknown } = servesAnonymous ? yield* answers.ready(paths) : none
      const isUnknownCoin = route.view === "coin" && unknown.includes(api.coin(route.id))
      const isUnknownMarket = route.view === "market" && !followed.has(route.fiat)
      if ((isUnknownCoin || isUnknownMarket) && !asksForPage(headers)) return HttpServerResponse.empty({ status: 404 })
      if (isUnknownCoin) return unknownCoinPage(root, route.id, text)
      if (isUnknownMarket) return unknownMarketPage(root, route.fiat, [...followed.keys()])
      if (readsText(headers)) {
        const address = origin === "" ? (headers["host"] ?? "localhost") : origin
        return HttpServerResponse.text(pageText(address + root, servesAnonymous ? formatted(limits.free) : undefined), {
          headers: fresh
        })
      }
      const { page } = yield* pages
      const slots = {
        anonymous,
        keyed,
        keys,
        commands,
        base: Html.text(`${root}/`),
        path: Html.text(path),
        title: Html.text(titleOf(route, name)),
        description: Html.text(descriptions[route.view](name)),
        // Link previews need absolute URLs.
        image: Html.text(`${origin === "" ? "" : `${origin}${root}/`}preview/${pictureOf(route)}.svg`),
        // Text in an element of a script ends at its end tag.
        answers: text.replaceAll("<", String.raw`\u003c`)
      }
      return HttpServerResponse.setHeaders(htmlResponse(page, slots), fresh)
    })

    const ofMarket = (fiat: string, path: string) =>
      show({ view: "market", fiat }, path, followed.has(fiat) ? nameOfCurrency(fiat) : fiat)

    /** A coin of the registry, if that has it. Sends no request to a source for it. */
    const coinOf = (id: string) =>
      Effect.map(Effect.option(coins.registry), (registry) =>
        Option.getOrUndefined(registry)?.value.find((coin) => coin.id === id)
      )

    const symbolOf = (asset: string) => {
      const upper = asset.toUpperCase()
      if (isCurrency(upper)) return Effect.succeed(upper)
      return Effect.map(coinOf(asset.toLowerCase()), (coin) => coin?.symbol ?? upper)
    }

    yield* router.add("GET", Paths.otherPaths.page, show({ view: "home" }, ""))
    yield* router.add("GET", Paths.otherPaths.pageOfNaira, ofMarket(USUAL, "naira"))
    yield* router.add(
      "GET",
      Paths.otherPaths.pageOfMarket,
      Effect.flatMap(HttpRouter.params, ({ fiat = "" }) =>
        ofMarket(fiat.toUpperCase(), `p2p/${encodeURIComponent(fiat)}`)
      )
    )
    yield* router.add(
      "GET",
      Paths.otherPaths.pageOfCoin,
      Effect.flatMap(HttpRouter.params, ({ id = "" }) =>
        Effect.flatMap(coinOf(id.toLowerCase()), (coin) =>
          show({ view: "coin", id: id.toLowerCase() }, `coin/${encodeURIComponent(id)}`, coin?.name ?? id.toLowerCase())
        )
      )
    )
    yield* router.add(
      "GET",
      Paths.otherPaths.pageOfConversion,
      Effect.flatMap(HttpRouter.params, ({ from = "", to = "" }) => {
        const path = `convert/${encodeURIComponent(from)}/${encodeURIComponent(to)}`
        return Effect.flatMap(Effect.all([symbolOf(from), symbolOf(to)]), (symbols) =>
          show({ view: "convert", from, to }, path, symbolsOf(...symbols))
        )
      })
    )
  })
)
