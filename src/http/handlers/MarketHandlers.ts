// `/v1/global`, `/v1/coins`, `/v1/coins/{id}` and `/v1/price/{id}/{fiat}`.
import { Effect, Result, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { Coin, CoinsAnswer } from "../../api/MarketApi.ts"
import type { QuotedFiat } from "../../domain/QuotedFiat.ts"
import { Coins } from "../../services/Coins.ts"
import { Conversions, type Price } from "../../services/Conversions.ts"
import { GlobalMarkets } from "../../services/GlobalMarkets.ts"
import { Past } from "../../history/service/Past.ts"
import {
  answer,
  atMoment,
  coinDetail,
  InvalidQuery,
  missingCoin,
  refusing,
  type Stamp,
  stampOf,
  stampOfCoins
} from "./Answer.ts"
import { byMarketCap } from "../../domain/Coin.ts"
import { csv } from "../response/Csv.ts"
import * as Format from "../response/Format.ts"

const priceIn =
  (fiat: QuotedFiat) =>
  ({ change_24h, coin, price, source, updated }: Price) =>
    answer({ id: coin.id, symbol: coin.symbol, fiat, price, change_24h }, { source, updated })

export const MarketHandlers = HttpApiBuilder.group(
  Api,
  "market",
  Effect.fn(function* (handlers) {
    const coins = yield* Coins
    const conversions = yield* Conversions
    const globalMarkets = yield* GlobalMarkets
    const past = yield* Past

    /** The coins of these ids, in the order of the list. */
    const listed = Effect.fnUntraced(function* (ids: ReadonlyArray<string>, format: Format.TableFormat) {
      const list = yield* coins.list
      const found = [...(yield* coins.many(ids))]
      const rows = found.flatMap(([, result]) => (Result.isSuccess(result) ? result.success : []))
      const missing = found.flatMap(([id, result]) =>
        Result.isFailure(result) ? missingCoin({ id, failure: result.failure }) : []
      )
      const sorted = rows.map(({ value }) => value).toSorted(byMarketCap)
      const data = { coins: sorted, page: 1, limit: ids.length, missing }
      return yield* coinsBody(data, stampOfCoins(list, rows), format)
    })

    return handlers.handleAll({
      global: () =>
        globalMarkets.current.pipe(
          Effect.flatMap((held) => answer(held.value, stampOf(held))),
          refusing
        ),
      coins: Effect.fnUntraced(function* ({ query }) {
        const { format = "json", ids, limit = 100, page = 1 } = query
        if (ids !== undefined)
          return yield* query.page === undefined
            ? listed(ids, format)
            : new InvalidQuery({ parameter: "page", detail: "must not be given together with ids" })
        const held = yield* coins.page(page, limit)
        const body = yield* coinsBody({ coins: held.value.coins, page, limit }, stampOf(held), format)
        return HttpServerResponse.setHeader(body, "link", pageLinks(query, page, limit, held.value.more))
      }, refusing),
      coin: ({ params }) =>
        coins.coin(params.id).pipe(
          Effect.flatMap((coin) => coinDetail(coins, coin)),
          refusing
        ),
      price: ({ params, query }) =>
        atMoment(query, conversions.price(params.id, params.fiat, query.basis), (moment) =>
          past.price(moment, params.id, params.fiat, query.basis)
        ).pipe(Effect.flatMap(priceIn(params.fiat)), refusing)
    })
  })
)

const encodeCoins = Schema.encodeSync(CoinsAnswer)

const COLUMNS = Object.keys(Coin.fields)

/** A list in JSON, or in CSV with a row for each coin; ids that are missing have none. */
const coinsBody = (list: (typeof CoinsAnswer.Type)["data"], stamp: Stamp, format: Format.TableFormat) =>
  Effect.map(answer(list, stamp), (answered) => {
    const { data, meta } = encodeCoins(answered)
    return format === "csv" ? Format.text(format, csv(COLUMNS, data.coins), meta) : Format.json({ data, meta })
  })

/** RFC 8288 links to the first, the previous and the next page, in the format that `format` names. */
const pageLinks = (
  { format }: { readonly format?: Format.TableFormat },
  page: number,
  limit: number,
  more: boolean
): string => {
  const chosen = format === undefined ? "" : `&format=${format}`
  const link = (to: number, rel: string) => `</v1/coins?limit=${limit}&page=${to}${chosen}>; rel="${rel}"`
  return [
    link(1, "first"),
    ...(page > 1 ? [link(page - 1, "prev")] : []),
    ...(more ? [link(page + 1, "next")] : [])
  ].join(", ")
}
