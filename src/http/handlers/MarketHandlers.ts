// `/v1/global`, `/v1/coins`, `/v1/coins/{id}`, its `tickers`, and `/v1/price/{id}/{fiat}`.
import { DateTime, Effect, Result, Schema, Struct } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { Coin, CoinDetail, CoinsAnswer, Global, PriceAnswer } from "../../api/MarketApi.ts"
import { Coins } from "../../services/Coins.ts"
import { Conversions } from "../../services/Conversions.ts"
import { GlobalMarkets } from "../../services/GlobalMarkets.ts"
import { Past } from "../../services/history/Past.ts"
import { atMoment } from "./atMoment.ts"
import { answer, coinDetail, missingCoin } from "./Envelope.ts"
import { refusing } from "./refusing.ts"
import { type Stamp, stampOf, stampOfCoins, stampOfTickers } from "./Stamp.ts"
import { byMarketCap } from "../../domain/Coin.ts"
import { derived } from "../../domain/Decimal.ts"
import { csv, inert } from "../response/Csv.ts"
import { note } from "../response/Notes.ts"
import { formatted, jsonAnswer, recordAnswer, rowOf, type TableFormat } from "./Format.ts"

export const MarketHandlers = HttpApiBuilder.group(
  Api,
  "market",
  Effect.fn(function* (handlers) {
    const coins = yield* Coins
    const conversions = yield* Conversions
    const globalMarkets = yield* GlobalMarkets
    const past = yield* Past

    /** The coins of these ids, by market cap. */
    const listed = Effect.fnUntraced(function* (ids: ReadonlyArray<string>, format: TableFormat) {
      const list = yield* coins.list
      const found = [...(yield* coins.many(ids))]
      const rows = found.flatMap(([, result]) => (Result.isSuccess(result) ? result.success : []))
      const missing = found.flatMap(([id, result]) =>
        Result.isFailure(result) ? missingCoin({ id, failure: result.failure }) : []
      )
      const sorted = rows.map(({ source, value }) => ({ ...value, source })).toSorted(byMarketCap)
      const data = { coins: sorted, page: 1, limit: ids.length, missing }
      return yield* coinsBody(data, stampOfCoins(list, rows), format)
    })

    return handlers.handleAll({
      global: ({ query }) =>
        globalMarkets.current.pipe(
          Effect.flatMap((global) => recordAnswer(query.format, stampOf(global), global.value, globalRow)),
          refusing
        ),
      coins: Effect.fnUntraced(function* ({ query, request }) {
        const { format, ids, limit, page } = query
        if (ids !== undefined) return yield* listed(ids, format)
        const held = yield* coins.page(page, limit)
        const { sources } = held.value
        const rows = held.value.coins.map((coin) => ({ ...coin, source: sources?.get(coin.id) ?? held.source }))
        const body = yield* coinsBody({ coins: rows, page, limit }, stampOf(held), format)
        return HttpServerResponse.setHeader(body, "link", pageLinks(request.url, format, page, limit, held.value.more))
      }, refusing),
      coin: Effect.fnUntraced(function* ({ params, query }) {
        const coin = yield* coins.coin(params.id)
        return yield* recordAnswer(query.format, stampOf(coin), yield* coinDetail(coins, coin), coinRow)
      }, refusing),
      tickers: Effect.fnUntraced(function* ({ params }) {
        const coin = yield* coins.coin(params.id)
        const found = yield* coins.tickers(coin.value.id)
        const tickers = found.map(({ observedAt, price, turnover, weight, ...ticker }) => ({
          ...ticker,
          price: price && derived(price),
          turnover_usd: turnover && derived(turnover),
          weight: weight && derived(weight),
          updated: DateTime.makeUnsafe(observedAt),
          used: ticker.reason === null
        }))
        return yield* answer({ id: coin.value.id, tickers }, stampOfTickers(found, coin))
      }, refusing),
      price: ({ params, query }) =>
        atMoment(query, conversions.price(params.id, params.fiat, query.basis), (moment) =>
          past.price(moment, params.id, params.fiat, query.basis)
        ).pipe(
          Effect.flatMap(({ change_24h, coin: { id, symbol }, confidence, price, source, updated }) => {
            const data = () => encodePrice({ id, symbol, fiat: params.fiat, price, change_24h })
            return Effect.andThen(note({ rate: price, confidence }), jsonAnswer({ source, updated }, data))
          }),
          refusing
        )
    })
  })
)

const globalRow = rowOf(Global)

const coinRow = rowOf(CoinDetail.mapFields(Struct.omit(["platforms", "venues", "quotes"])))

const encodePrice = Schema.encodeSync(PriceAnswer.fields.data)

const encodeCoins = Schema.encodeSync(CoinsAnswer.fields.data)

const COLUMNS = Object.keys(Coin.fields)

/** A list in JSON, or in CSV with one row per coin; one whose id is missing has the id alone, after the others. */
const coinsBody = (list: (typeof CoinsAnswer.Type)["data"], stamp: Stamp, format: TableFormat) => {
  const data = encodeCoins(list)
  const missingRows = (list.missing ?? []).map(({ code, id }) => ({ id: code === "unknown_coin" ? inert(id) : id }))
  return formatted(
    format,
    stamp,
    () => data,
    () => csv(COLUMNS, [...data.coins, ...missingRows])
  )
}

/** RFC 8288 links to the first, previous and next page. They keep a format other than the default one. */
const pageLinks = (url: string, format: TableFormat, page: number, limit: number, more: boolean): string => {
  const chosen = /[?&]format=/.test(url) ? `&format=${format}` : ""
  const link = (to: number, rel: string) => `</v1/coins?limit=${limit}&page=${to}${chosen}>; rel="${rel}"`
  return [
    link(1, "first"),
    ...(page > 1 ? [link(page - 1, "prev")] : []),
    ...(more ? [link(page + 1, "next")] : [])
  ].join(", ")
}
