// `/coins/markets`: a page of coins by market cap, or the coins of some ids in any order.
import { Array as Arr, DateTime, Effect, Order, Result } from "effect"
import type { QueryOf } from "../../api/coingecko/CoinGeckoApi.ts"
import { unknownCurrency } from "../../api/coingecko/Parameters.ts"
import { byMarketCap, type Coin } from "../../domain/Coin.ts"
import { rememberOf } from "../../domain/rememberEach.ts"
import type { Snapshot } from "../../domain/Snapshot.ts"
import type { CoinPage, Coins } from "../../services/Coins.ts"
import { computed, figure } from "../handlers/figure.ts"
import { InvalidQuery } from "../handlers/refusing.ts"
import { joined, stampOf, stampOfCoins } from "../handlers/Stamp.ts"
import { changeOf, dailyRate, imageOf, inVs, jsonResponse, price, sinceHigh } from "./CompatAnswer.ts"
import type { Currencies } from "./Currencies.ts"
import type { Quote, Quoting } from "./Quotes.ts"

type MarketsQuery = QueryOf<"markets">

const by = (figureOf: (coin: Coin) => number): Order.Order<Coin> =>
  Order.combine(
    Order.mapInput(Order.Number, figureOf),
    Order.mapInput(Order.String, (coin: Coin) => coin.id)
  )

/** Unknown figures come last in every order. */
const orders: Readonly<Record<string, Order.Order<Coin>>> = {
  market_cap_desc: byMarketCap,
  market_cap_asc: by((coin) => coin.market_cap ?? Infinity),
  volume_desc: by((coin) => -(coin.volume_24h ?? -Infinity)),
  volume_asc: by((coin) => coin.volume_24h ?? Infinity),
  id_asc: Order.mapInput(Order.String, (coin: Coin) => coin.id),
  id_desc: Order.mapInput(Order.flip(Order.String), (coin: Coin) => coin.id)
}

/** Computed once per refresh of a coin, because rounding takes as long as the rest of a row. */
const usdFiguresOf = rememberOf((coin: Coin) => ({
  change: computed(changeOf(coin)),
  sinceHigh: computed(sinceHigh(coin))
}))

const changeIn = (period: string, coin: Coin, vs: string, quote: Quote | undefined) => {
  if (period === "24h") return figure(quote?.change_24h)
  if (vs !== "usd") return null
  return period === "1h" ? figure(coin.change_1h) : period === "7d" ? figure(coin.change_7d) : null
}

/** The row of a coin. `rate`: units of the currency for 1 USD; `null` if unknown. */
const marketRow = (
  coin: Coin,
  quote: Quote | undefined,
  rate: number | null,
  { precision, price_change_percentage: periods = [], sparkline = false, vs_currency: vs }: MarketsQuery
) => {
  const usd = vs === "usd" ? usdFiguresOf(coin) : undefined
  const day = dailyRate(vs, rate)
  return {
    id: coin.id,
    symbol: coin.symbol.toLowerCase(),
    name: coin.name,
    image: imageOf(coin.image, "large"),
    current_price: price(quote?.price ?? null, precision),
    market_cap: inVs(coin.market_cap, rate),
    market_cap_rank: coin.rank,
    fully_diluted_valuation: null,
    total_volume: inVs(coin.volume_24h, rate),
    high_24h: inVs(coin.high_24h, day),
    low_24h: inVs(coin.low_24h, day),
    price_change_24h: usd === undefined ? computed(changeOf(quote)) : usd.change,
    price_change_percentage_24h: figure(quote?.change_24h),
    market_cap_change_24h: null,
    market_cap_change_percentage_24h: null,
    circulating_supply: figure(coin.circulating_supply),
    total_supply: figure(coin.total_supply),
    max_supply: figure(coin.max_supply),
    ath: usd === undefined ? null : figure(coin.ath),
    ath_change_percentage: usd === undefined ? null : usd.sinceHigh,
    ath_date: usd === undefined || coin.ath_date === null ? null : DateTime.formatIso(coin.ath_date),
    atl: null,
    atl_change_percentage: null,
    atl_date: null,
    roi: null,
    last_updated: DateTime.formatIso(coin.updated),
    market_cap_rank_with_rehypothecated: null,
    ...(sparkline && { sparkline_in_7d: { price: [] } }),
    ...(periods.length > 0 &&
      Object.fromEntries(
        periods.map((period) => [`price_change_percentage_${period}_in_currency`, changeIn(period, coin, vs, quote)])
      ))
  }
}

/** A page of all coins by market cap, with the stamp of the list. */
const pageOf = Effect.fnUntraced(function* (coins: Coins["Service"], page: number, limit: number) {
  const list = yield* coins.page(page, limit)
  return { rows: rowsIn(list), stamp: stampOf(list) }
})

const rowsIn = (list: Snapshot<CoinPage>): ReadonlyArray<Snapshot<Coin>> => {
  const { coins, sources } = list.value
  return coins.map((coin) => {
    const source = sources?.get(coin.id) ?? list.source
    return { ...list, value: coin, source, observedAt: coin.updated }
  })
}

/** The known coins among these ids, with the stamp of the list. Fails if none is known and a source is unavailable. */
const someOf = Effect.fnUntraced(function* (coins: Coins["Service"], ids: ReadonlyArray<string>, query: MarketsQuery) {
  const { order, page, per_page } = query
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
  quoting: Quoting,
  { known }: Currencies,
  query: MarketsQuery
) {
  const { ids, order, page, per_page, vs_currency: vs } = query
  if ((yield* known([vs])).length === 0) return yield* new InvalidQuery(unknownCurrency("vs_currency"))
  // No source lists all coins in another order, and sorting one page by market cap would not sort all coins.
  if (ids === undefined && order !== "market_cap_desc")
    return yield* new InvalidQuery({ parameter: "order", detail: "must be market_cap_desc where no ids are given" })
  const { rows, stamp } = yield* ids === undefined ? pageOf(coins, page, per_page) : someOf(coins, ids, query)
  const quotes = yield* quoting.quotes(rows, [vs])
  const { parts, rateOf } = yield* quoting.dollarRates([vs])
  const used = vs === "usd" ? [] : rows.flatMap((row) => quotes(row, vs) ?? [])
  return jsonResponse(
    rows.map((row) => marketRow(row.value, quotes(row, vs), rateOf(vs), query)),
    joined([stamp, ...used, ...parts])
  )
})
