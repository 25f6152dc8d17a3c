// What coins cost in the currencies that a program asks for: the services' own prices in fiats, their conversions into
// coins, and the rates of the dollar at which all other money is given.
import { BigDecimal, Effect } from "effect"
import { derived } from "../../domain/Decimal.ts"
import type { Coin } from "../../domain/Coin.ts"
import type { Snapshot } from "../../domain/Snapshot.ts"
import { coinOfVs, unitOf } from "../../domain/VsCurrency.ts"
import type { Asset, Conversions, Price, Prices } from "../../services/Conversions.ts"
import { stampOf } from "../handlers/Stamp.ts"

/** A coin's price in a currency, and its change in 24 hours, percent. */
export type Quote = Omit<Price, "coin">

/** The price of a coin in a currency; nothing where there is none now. */
export type Quotes = (coin: Snapshot<Coin>, vs: string) => Quote | undefined

/** Units of a currency for 1 USD; `null` where the rate is not known now. */
export type DollarRate = (vs: string) => number | null

/** The amount of every conversion here. */
export const one = BigDecimal.fromBigInt(1n)

const USD: Asset = { _tag: "Fiat", code: "USD" }

/** What a code in lower case stands for. */
export const assetOf = (vs: string): Asset => {
  const id = coinOfVs(vs)
  return id === undefined ? { _tag: "Fiat", code: vs.toUpperCase() } : { _tag: "Coin", id }
}

/** Currencies as the services name them, each once. */
export const codesOf = (vss: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(vss.map((vs) => unitOf(vs).of.toUpperCase()))
]

/** A price in a currency, in so many parts of it. */
export const inParts = (price: number, count: number): number => (count === 1 ? price : derived(price * count))

export const make = (conversions: Conversions["Service"]) => {
  /** Coins by id with their prices in some currencies. */
  const read = (ids: ReadonlyArray<string>, vss: ReadonlyArray<string>) => conversions.prices(ids, codesOf(vss))

  /** The quotes of coins in some currencies. */
  const quotes = Effect.fnUntraced(function* (coins: ReadonlyArray<Snapshot<Coin>>, vss: ReadonlyArray<string>) {
    const others = vss.filter((vs) => vs !== "usd")
    const ids = coins.map(({ value }) => value.id)
    return quotesOf(others.length === 0 ? [] : (yield* read(ids, others)).prices)
  })

  /** Units of some currencies for 1 USD, and the stamps of the conversions that gave them. */
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

/** The quotes among prices that were read. Those in USD are the coins' own. */
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
