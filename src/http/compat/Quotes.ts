// Prices of coins in the requested currencies: the services' own prices in fiats, their conversions into coins, and the USD
// rates that convert all other figures.
import { BigDecimal, Effect } from "effect"
import { derived } from "../../domain/Decimal.ts"
import type { Coin } from "../../domain/Coin.ts"
import type { Snapshot } from "../../domain/Snapshot.ts"
import { coinOfVs, unitOf } from "../../domain/VsCurrency.ts"
import type { Asset, Conversions, Price, Prices } from "../../services/Conversions.ts"
import { stampOf } from "../handlers/Stamp.ts"

/** A coin's price in a currency, and its change in 24 hours, percent. */
export type Quote = Omit<Price, "coin">

/** The price of a coin in a currency; `undefined` if there is none now. */
export type Quotes = (coin: Snapshot<Coin>, vs: string) => Quote | undefined

/** Units of a currency for 1 USD; `null` if unknown now. */
export type DollarRate = (vs: string) => number | null

/** The amount of every conversion here. */
export const one = BigDecimal.fromBigInt(1n)

const USD: Asset = { _tag: "Fiat", code: "USD" }

/** The coin or fiat of a code in lower case. */
export const assetOf = (vs: string): Asset => {
  const id = coinOfVs(vs)
  return id === undefined ? { _tag: "Fiat", code: vs.toUpperCase() } : { _tag: "Coin", id }
}

/** The upper-case codes that the services use, without duplicates. */
export const codesOf = (vss: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(vss.map((vs) => unitOf(vs).of.toUpperCase()))
]

/** A price in fractions of a currency. `count`: fractions in one unit, such as 100,000,000 sats. */
export const inParts = (price: number, count: number): number => (count === 1 ? price : derived(price * count))

export const make = (conversions: Conversions["Service"]) => {
  const read = (ids: ReadonlyArray<string>, vss: ReadonlyArray<string>) => conversions.prices(ids, codesOf(vss))

  const quotes = Effect.fnUntraced(function* (coins: ReadonlyArray<Snapshot<Coin>>, vss: ReadonlyArray<string>) {
    const others = vss.filter((vs) => vs !== "usd")
    const ids = coins.map(({ value }) => value.id)
    return quotesOf(others.length === 0 ? [] : (yield* read(ids, others)).prices)
  })

  /** Units of some currencies for 1 USD, and the stamps of the conversions used. */
  const dollarRates = Effect.fnUntraced(function* (vss: ReadonlyArray<string>) {
    const others = vss.filter((vs) => vs !== "usd")
    const [parts] = yield* Effect.partition(others, (vs) =>
      Effect.map(conversions.rate(USD, assetOf(unitOf(vs).of)), (found) => {
        return { ...found, rate: inParts(found.rate, unitOf(vs).count), vs }
      })
    )
    const rates = new Map([["usd", 1], ...parts.map(({ rate, vs }) => [vs, rate] as const)])
    const rateOf: DollarRate = (vs) => rates.get(vs) ?? null
    return { rateOf, parts }
  })

  return { dollarRates, quotes, read }
}

/** Looks up quotes in these prices. A quote in USD is the coin's own price. */
export const quotesOf = (priced: ReadonlyArray<Prices>): Quotes => {
  const byCoin = new Map(priced.map(({ cells, coin }) => [coin.value.id, new Map(cells)]))
  return (coin, vs) => {
    const { change_24h, id, price } = coin.value
    if (vs === "usd" && price !== null) return { price, change_24h, ...stampOf(coin) }
    const { count, of } = unitOf(vs)
    const quote = byCoin.get(id)?.get(of.toUpperCase()) ?? undefined
    return quote && { ...quote, price: inParts(quote.price, count) }
  }
}

export type Quoting = ReturnType<typeof make>
