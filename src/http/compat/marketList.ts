// `/coins/markets`: a page of coins by market cap, or the coins of some ids in any order.
import { Array as Arr, Effect, Order, Result } from "effect"
import type { QueryOf } from "../../api/coingecko/CoinGeckoApi.ts"
import { byMarketCap, type Coin } from "../../domain/Coin.ts"
import type { Snapshot } from "../../domain/Snapshot.ts"
import type { Coins } from "../../services/Coins.ts"
import type { Conversions } from "../../services/Conversions.ts"
import { InvalidQuery, joined, stampOf } from "../handlers/Answer.ts"
import { stampOfCoins } from "../handlers/CoinsBody.ts"
import { answered } from "./CompatAnswer.ts"
import { marketRow } from "./MarketRow.ts"
import * as Quotes from "./Quotes.ts"

type Asked = QueryOf<"markets">

const by = (figureOf: (coin: Coin) => number): Order.Order<Coin> =>
  Order.combine(
    Order.mapInput(Order.Number, figureOf),
    Order.mapInput(Order.String, (coin: Coin) => coin.id)
  )

/** The orders of a list of coins. Unknown figures stand last. */
const orders: Readonly<Record<string, Order.Order<Coin>>> = {
  market_cap_desc: byMarketCap,
  market_cap_asc: by((coin) => coin.market_cap ?? Infinity),
  volume_desc: by((coin) => -(coin.volume_24h ?? -Infinity)),
  volume_asc: by((coin) => coin.volume_24h ?? Infinity),
  id_asc: Order.mapInput(Order.String, (coin: Coin) => coin.id),
  id_desc: Order.mapInput(Order.flip(Order.String), (coin: Coin) => coin.id)
}

/** A page of all coins, with the stamp of the list. */
const pageOf = Effect.fnUntraced(function* (coins: Coins["Service"], order: string, page: number, limit: number) {
  if (order !== "market_cap_desc") {
    return yield* new InvalidQuery({ parameter: "order", detail: "must be market_cap_desc, unless ids are given" })
  }
  const list = yield* coins.page(page, limit)
  const rows = list.value.coins.map((coin) => ({ ...list, value: coin, observedAt: coin.updated }))
  return { rows, stamp: stampOf(list) }
})

/** Those of some coins that are known, with the stamp of the list. Fails only where none is because no source answers. */
const someOf = Effect.fnUntraced(function* (coins: Coins["Service"], ids: ReadonlyArray<string>, asked: Asked) {
  const { order = "market_cap_desc", page = 1, per_page = 100 } = asked
  const results = [...(yield* coins.many(ids)).values()]
  const found = results.flatMap(Result.match({ onSuccess: (coin) => [coin], onFailure: () => [] }))
  const away = results.find((result) => Result.isFailure(result) && result.failure._tag === "Unavailable")
  if (found.length === 0 && away !== undefined) yield* Effect.fromResult(away)
  const sorted = Arr.sort(
    found,
    Order.mapInput(orders[order] ?? byMarketCap, ({ value }: Snapshot<Coin>) => value)
  )
  const rows = sorted.slice((page - 1) * per_page, page * per_page)
  return { rows, stamp: stampOfCoins(yield* coins.list, rows) }
})

export const marketList = Effect.fnUntraced(function* (
  coins: Coins["Service"],
  conversions: Conversions["Service"],
  { quotes: quotesOf }: ReturnType<typeof Quotes.make>,
  asked: Asked
) {
  const { ids, order = "market_cap_desc", page = 1, per_page = 100, vs_currency: vs } = asked
  const { rows, stamp } = yield* ids === undefined ? pageOf(coins, order, page, per_page) : someOf(coins, ids, asked)
  const quotes = yield* quotesOf(rows, [vs])
  const { parts, rates } = yield* Quotes.dollarRates(conversions, [vs])
  const rate = rates.get(vs) ?? null
  const used = vs === "usd" ? [] : rows.flatMap((row) => quotes(row, vs) ?? [])
  return answered(
    rows.map((row) => marketRow(row.value, quotes(row, vs), rate, asked)),
    joined([stamp, ...used, ...parts])
  )
})
