// SVG pictures: `/badge/usdt-ngn.svg` for other sites, and `/preview/…` for link previews of the page. An unknown figure is drawn as
// unknown, because an error would only show as a broken image.
import { DateTime, Effect, Option } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { asciiLower, asciiUpper } from "../../domain/asciiCase.ts"
import { nameOfCurrency } from "../../domain/VsCurrency.ts"
import { Coins } from "../../services/Coins.ts"
import type { Market } from "../../services/MarketRate.ts"
import { P2pMarkets } from "../../services/P2pMarkets.ts"
import { text } from "../documents/Html.ts"
import * as Paths from "../request/Paths.ts"
import { change, dollars, money } from "./browser/Figures.ts"

/** The most characters of a name in the URL that a picture repeats. */
const LONGEST = 40

interface Figure {
  readonly title: string
  readonly figure: string
  readonly remark: string
}

const svg = (content: string) =>
  HttpServerResponse.text(content, {
    contentType: "image/svg+xml",
    headers: { "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'" }
  })

/** The estimated width of a character in pixels: Verdana at 11 px. */
const CHARACTER = 6.9

const badge = (label: string, value: string): string => {
  const [left, right] = [label, value].map((each) => Math.round(each.length * CHARACTER) + 12)
  const whole = (left ?? 0) + (right ?? 0)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${whole}" height="20" role="img" aria-label="${text(`${label}: ${value}`)}"><title>${text(`${label}: ${value}`)}</title><rect width="${whole}" height="20" rx="3" fill="#37413b"/><path d="M${left} 0h${(right ?? 0) - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-${(right ?? 0) - 3}z" fill="#0a6640"/><g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11"><text x="6" y="14">${text(label)}</text><text x="${(left ?? 0) + 6}" y="14">${text(value)}</text></g></svg>`
}

const preview = ({ figure, remark, title }: Figure, updated: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" viewBox="0 0 1200 630" role="img" aria-label="${text(`${title}: ${figure}`)}"><rect width="1200" height="630" fill="#0f1512"/><rect width="1200" height="14" fill="#79d2a2"/><g font-family="Segoe UI,Helvetica,Arial,sans-serif"><text x="80" y="150" font-size="48" fill="#9daba3">${text(title)}</text><text x="74" y="350" font-size="${figure.length > 16 ? 110 : 150}" font-weight="700" fill="#e4eae6">${text(figure)}</text><text x="80" y="450" font-size="44" fill="#79d2a2">${text(remark)}</text><text x="80" y="560" font-size="32" fill="#9daba3">${text(`crypto-data-api · ${updated}`)}</text></g></svg>`

const timeOf = (updated: DateTime.Utc): string => `${DateTime.formatIso(updated).slice(0, 16).replace("T", " ")} UTC`

const nothing = (title: string): string => preview({ title, figure: "–", remark: "No figure is known now." }, "no time")

/** The word before `.svg`; `undefined` for other file types. */
const wordOf = (name: string | undefined): string | undefined => /^(.+)\.svg$/.exec(name ?? "")?.[1]

const unknown = HttpServerResponse.empty({ status: 404 })

export const Pictures = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { followed } = yield* P2pMarkets
    const coins = yield* Coins

    const ofMarket = (fiat: string, { rate }: Market) => {
      const title = `USDT/${fiat}, the street rate of the ${nameOfCurrency(fiat)}`
      return Effect.map(rate, ({ observedAt, value: { mid, premium } }) => {
        if (mid === null) return nothing(title)
        const remark = premium === null ? "on P2P markets" : `${change(premium)} over the official rate`
        return preview({ title, figure: money(fiat)(mid), remark }, timeOf(observedAt))
      }).pipe(Effect.orElseSucceed(() => nothing(title)))
    }

    const ofCoin = (id: string) =>
      Effect.map(coins.coin(id), ({ observedAt, value: { change_24h, name, price, symbol } }) => {
        const remark = change_24h === null ? "" : `${change(change_24h)} in 24 hours`
        const figure = price === null ? "–" : dollars(price)
        return preview({ title: `${name} (${symbol})`, figure, remark }, timeOf(observedAt))
      }).pipe(Effect.orElseSucceed(() => nothing(id.slice(0, LONGEST))))

    const previewOf = (view: string | undefined, word: string) => {
      if (view === "coin") return ofCoin(asciiLower(word))
      const market = view === "p2p" ? followed.get(asciiUpper(word)) : undefined
      return market === undefined ? undefined : ofMarket(asciiUpper(word), market)
    }

    yield* router.add(
      "GET",
      Paths.otherPaths.preview,
      Effect.flatMap(HttpRouter.params, ({ name, view }) => {
        const word = wordOf(name)
        const picture = word === undefined ? undefined : previewOf(view, word)
        return picture === undefined ? Effect.succeed(unknown) : Effect.map(picture, svg)
      })
    )

    yield* router.add(
      "GET",
      Paths.otherPaths.badge,
      Effect.flatMap(HttpRouter.params, ({ name }) => {
        const fiat = asciiUpper(/^usdt-([a-z]{3})$/i.exec(wordOf(name) ?? "")?.[1] ?? "")
        const market = followed.get(fiat)
        if (market === undefined) return Effect.succeed(unknown)
        return Effect.map(Effect.option(market.rate), (rate) => {
          const mid = Option.isSome(rate) ? rate.value.value.mid : null
          return svg(badge(`USDT/${fiat}`, mid === null ? "unknown" : money(fiat)(mid)))
        })
      })
    )
  })
)
