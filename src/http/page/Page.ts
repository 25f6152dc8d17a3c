// The web page: one document under several addresses, each with its own title, description and preview picture. Its script fetches
// the figures from the API.
import { Effect, Option } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
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
import { api, type Route, titleOf, USUAL } from "./browser/Route.ts"

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

const formatted = (limit: number) => limit.toLocaleString("en")

export const Page = HttpRouter.use(
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
    const { origin, path: root } = yield* PublicUrl
    const { followed } = yield* P2pMarkets
    const coins = yield* Coins

    const show = (route: Route, path: string, name = "") =>
      Effect.map(pages, ({ page }) =>
        htmlResponse(page, {
          anonymous,
          keyed,
          keys,
          commands,
          base: Html.text(`${root}/`),
          path: Html.text(path),
          title: Html.text(titleOf(route, name)),
          description: Html.text(descriptions[route.view](name)),
          // Link previews need absolute URLs.
          image: Html.text(`${origin === "" ? "" : `${origin}${root}/`}preview/${pictureOf(route)}.svg`)
        })
      )

    const ofMarket = (fiat: string, path: string) =>
      followed.has(fiat)
        ? show({ view: "market", fiat }, path, nameOfCurrency(fiat))
        : Effect.succeed(HttpServerResponse.empty({ status: 404 }))

    /** The name of a coin, or its id if the registry lacks it. Sends no request to a source for it. */
    const nameOfCoin = (id: string) =>
      Effect.map(Effect.option(coins.registry), (registry) =>
        Option.match(registry, {
          onNone: () => id,
          onSome: ({ value }) => value.find((coin) => coin.id === id)?.name ?? id
        })
      )

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
        Effect.flatMap(nameOfCoin(id.toLowerCase()), (name) =>
          show({ view: "coin", id: id.toLowerCase() }, `coin/${encodeURIComponent(id)}`, name)
        )
      )
    )
    yield* router.add(
      "GET",
      Paths.otherPaths.pageOfConversion,
      Effect.flatMap(HttpRouter.params, ({ from = "", to = "" }) => {
        const path = `convert/${encodeURIComponent(from)}/${encodeURIComponent(to)}`
        return show({ view: "convert", from, to }, path, `${from.toUpperCase()} in ${to.toUpperCase()}`)
      })
    )
  })
)
