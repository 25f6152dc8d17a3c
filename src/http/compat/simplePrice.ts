// `/simple/price` and `/simple/token_price`: coins by id or contract, each with its figures in the requested currencies.
import { Effect, Option } from "effect"
import type { QueryOf } from "../../api/coingecko/CoinGeckoApi.ts"
import { unknownCurrency } from "../../api/coingecko/Parameters.ts"
import type { Coin } from "../../domain/Coin.ts"
import type { Snapshot } from "../../domain/Snapshot.ts"
import type { Coins } from "../../services/Coins.ts"
import { figure } from "../handlers/figure.ts"
import { InvalidQuery } from "../handlers/refusing.ts"
import { joined, type Stamp, stampOf } from "../handlers/Stamp.ts"
import { type Figure, inVs, jsonResponse, price } from "./CompatAnswer.ts"
import type { Currencies } from "./Currencies.ts"
import { type DollarRate, type Quotes, quotesOf, type Quoting } from "./Quotes.ts"
import { comparableAddress } from "../../domain/CoinIndex.ts"

type PriceQuery = Omit<QueryOf<"tokenPrice">, "contract_addresses">

type Row = Record<string, Figure>

const rowOf = (coin: Snapshot<Coin>, query: PriceQuery, quotes: Quotes, rateOf: DollarRate) => {
  const row: Row = {}
  const parts: Array<Stamp> = []
  for (const vs of query.vs_currencies) {
    const quote = quotes(coin, vs)
    if (quote === undefined) continue
    parts.push(quote)
    row[vs] = price(quote.price, query.precision)
    if (query.include_market_cap === true) row[`${vs}_market_cap`] = inVs(coin.value.market_cap, rateOf(vs))
    if (query.include_24hr_vol === true) row[`${vs}_24h_vol`] = inVs(coin.value.volume_24h, rateOf(vs))
    if (query.include_24hr_change === true) row[`${vs}_24h_change`] = figure(quote.change_24h)
  }
  const stamp = joined(parts)
  if (query.include_last_updated_at === true && stamp !== undefined) {
    row["last_updated_at"] = Math.floor(stamp.updated.epochMilliseconds / 1000)
  }
  return { row, stamp: stamp ?? stampOf(coin) }
}

/** Coins times currencies of one request. */
const MOST_PRICES = 5000

/** The requested currencies that are known now. Fails if none is, or if the request needs more than {@link MOST_PRICES}. */
const currenciesOf = Effect.fnUntraced(function* (
  { known }: Currencies,
  query: ReadonlyArray<string>,
  parameter: "ids" | "contract_addresses",
  coins: ReadonlyArray<string>
) {
  const vss = yield* known(query)
  if (vss.length === 0) return yield* new InvalidQuery(unknownCurrency("vs_currencies"))
  if (vss.length * coins.length > MOST_PRICES) {
    const detail = `must be fewer: at most ${MOST_PRICES} prices are answered at once`
    return yield* new InvalidQuery({ parameter, detail })
  }
  return vss
})

/** Each coin's row under the name that the caller used. Fails only if no coin is known and a source is unavailable. */
const answerFor = Effect.fnUntraced(function* (
  { dollarRates, read }: Quoting,
  names: ReadonlyMap<string, string>,
  query: PriceQuery
) {
  const { vs_currencies: vss } = query
  const { missing, prices } = yield* read([...new Set(names.values())], vss)
  const unpriced = missing.filter(({ failure }) => failure._tag === "NoPrice")
  if (prices.length === 0 && unpriced.length === 0) {
    for (const { failure } of missing) if (failure._tag === "Unavailable") return yield* failure
  }
  const quotes = quotesOf(prices)
  const hasMoney = query.include_market_cap === true || query.include_24hr_vol === true
  const { parts, rateOf } = yield* dollarRates(hasMoney ? vss : [])
  const found = prices.map(({ coin }) => ({ id: coin.value.id, ...rowOf(coin, query, quotes, rateOf) }))
  const rows = new Map<string, Row>([
    ...found.map(({ id, row }) => [id, row] as const),
    ...unpriced.map(({ id }) => [id, {}] as const)
  ])
  const named = [...names].map(([name, id]) => [name, rows.get(id)] as const).filter(([, row]) => row !== undefined)
  return jsonResponse(Object.fromEntries(named), joined([...parts, ...found.map(({ stamp }) => stamp)]))
})

export const simplePrice = Effect.fnUntraced(function* (
  quoting: Quoting,
  currencies: Currencies,
  query: QueryOf<"simplePrice">
) {
  const vss = yield* currenciesOf(currencies, query.vs_currencies, "ids", query.ids)
  const names = new Map(query.ids.map((id) => [id, id]))
  return yield* answerFor(quoting, names, { ...query, vs_currencies: vss })
})

export const tokenPrice = Effect.fnUntraced(function* (
  coins: Pick<Coins["Service"], "contractId">,
  quoting: Quoting,
  currencies: Currencies,
  platform: string,
  query: QueryOf<"tokenPrice">
) {
  const addresses = query.contract_addresses
  const vss = yield* currenciesOf(currencies, query.vs_currencies, "contract_addresses", addresses)
  const names = new Map<string, string>()
  for (const address of addresses) {
    const id = yield* coins.contractId(platform, address)
    if (Option.isSome(id)) names.set(comparableAddress(address), id.value)
  }
  return names.size === 0 ? jsonResponse({}) : yield* answerFor(quoting, names, { ...query, vs_currencies: vss })
})
