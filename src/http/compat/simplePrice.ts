// `/simple/price`: coins by id, each with its figures in the currencies that were asked for.
import { Effect } from "effect"
import type { QueryOf } from "../../api/coingecko/CoinGeckoApi.ts"
import type { Coin } from "../../domain/Coin.ts"
import type { Snapshot } from "../../domain/Snapshot.ts"
import { figure, joined, type Stamp, stampOf } from "../handlers/Answer.ts"
import { answered, type Figure, inVs, price } from "./CompatAnswer.ts"
import type { DollarRate, Quotes, Quoting } from "./Quotes.ts"

type Asked = QueryOf<"simplePrice">

type Row = Record<string, Figure>

const rowOf = (coin: Snapshot<Coin>, asked: Asked, quotes: Quotes, rateOf: DollarRate) => {
  const row: Row = {}
  const parts: Array<Stamp> = []
  for (const vs of asked.vs_currencies) {
    const quote = quotes(coin, vs)
    if (quote === undefined) continue
    parts.push(quote)
    row[vs] = price(quote.price, asked.precision)
    if (asked.include_market_cap === true) row[`${vs}_market_cap`] = inVs(coin.value.market_cap, rateOf(vs))
    if (asked.include_24hr_vol === true) row[`${vs}_24h_vol`] = inVs(coin.value.volume_24h, rateOf(vs))
    if (asked.include_24hr_change === true) row[`${vs}_24h_change`] = figure(quote.change_24h)
  }
  const stamp = joined(parts)
  if (asked.include_last_updated_at === true && stamp !== undefined) {
    row["last_updated_at"] = Math.floor(stamp.updated.epochMilliseconds / 1000)
  }
  return { row, stamp: stamp ?? stampOf(coin) }
}

/** Answers `/simple/price`. Fails only where no coin is known because no source answers. */
export const simplePrice = Effect.fnUntraced(function* ({ beside, dollarRates, read }: Quoting, asked: Asked) {
  const { ids, vs_currencies: vss } = asked
  const { missing, prices } = yield* read(ids, vss)
  const unpriced = missing.filter(({ failure }) => failure._tag === "NoPrice")
  if (prices.length === 0 && unpriced.length === 0) {
    for (const { failure } of missing) if (failure._tag === "Unavailable") return yield* failure
  }
  const quotes = yield* beside(
    prices,
    prices.map(({ coin }) => coin),
    vss
  )
  const hasMoney = asked.include_market_cap === true || asked.include_24hr_vol === true
  const { parts, rateOf } = yield* dollarRates(hasMoney ? vss : [])
  const rows = new Map<string, Row>()
  const stamps: Array<Stamp> = [...parts]
  for (const { coin } of prices) {
    const { row, stamp } = rowOf(coin, asked, quotes, rateOf)
    rows.set(coin.value.id, row)
    stamps.push(stamp)
  }
  for (const { id } of unpriced) rows.set(id, {})
  const body = ids.flatMap((id) => {
    const row = rows.get(id)
    return row === undefined ? [] : [[id, row] as const]
  })
  return answered(Object.fromEntries(body), joined(stamps))
})
