// What coins cost in the currencies that a program asks for: the services' own prices in fiats, their conversions into
// coins, and the rates of the dollar at which all other money is given.
import { BigDecimal, Effect, Option, Result } from "effect"
import type { Coin } from "../../domain/Coin.ts"
import { compoundChange } from "../../domain/Conversion.ts"
import type { Snapshot } from "../../domain/Snapshot.ts"
import { coinOfVs } from "../../domain/VsCurrency.ts"
import type { Coins } from "../../services/Coins.ts"
import type { Asset, Conversions, Missing, Price, Prices } from "../../services/Conversions.ts"
import { type Stamp, stampOf } from "../handlers/Answer.ts"

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

/** The fiats among some currencies, in upper case. */
const fiatsOf = (vss: ReadonlyArray<string>): ReadonlyArray<string> =>
  vss.filter((vs) => coinOfVs(vs) === undefined).map((vs) => vs.toUpperCase())

/** The change of a coin against another, from the changes of both in USD. */
const changeAgainst = (change: number | null, other: number | null): number | null =>
  change === null || other === null || other <= -100 ? null : compoundChange(change, (1 / (1 + other / 100) - 1) * 100)

export const make = (conversions: Conversions["Service"], coins: Pick<Coins["Service"], "coin" | "many">) => {
  /** Quotes of coins in another coin, at the rates of `/v1/convert`. */
  const inCoin = Effect.fnUntraced(function* (held: ReadonlyArray<Snapshot<Coin>>, vs: string, other: string) {
    const change = yield* Effect.match(coins.coin(other), {
      onFailure: () => null,
      onSuccess: ({ value }) => value.change_24h
    })
    const found = new Map<string, Quote>()
    for (const { value } of held) {
      const converted = yield* Effect.option(conversions.convert({ _tag: "Coin", id: value.id }, assetOf(vs), one))
      if (Option.isNone(converted)) continue
      const { rate, source, updated } = converted.value
      const against = value.id === other ? 0 : changeAgainst(value.change_24h, change)
      found.set(value.id, { price: rate, change_24h: against, source, updated })
    }
    return found
  })

  /** The quotes in some currencies, where those in fiats were read already. */
  const beside = Effect.fnUntraced(function* (
    priced: ReadonlyArray<Prices>,
    held: ReadonlyArray<Snapshot<Coin>>,
    vss: ReadonlyArray<string>
  ) {
    const byVs = new Map<string, ReadonlyMap<string, Quote>>()
    for (const vs of vss) {
      const other = coinOfVs(vs)
      if (other !== undefined) byVs.set(vs, yield* inCoin(held, vs, other))
    }
    const byCoin = new Map(priced.map(({ cells, coin }) => [coin.value.id, new Map(cells)]))
    return ((coin, vs) => {
      const { change_24h, id, price } = coin.value
      if (vs === "usd" && price !== null) return { price, change_24h, ...stampOf(coin) }
      return byCoin.get(id)?.get(vs.toUpperCase()) ?? byVs.get(vs)?.get(id)
    }) satisfies Quotes
  })

  /** The quotes of coins in some currencies: in fiats other than the dollar as `/v1/price` answers them. */
  const quotes = Effect.fnUntraced(function* (held: ReadonlyArray<Snapshot<Coin>>, vss: ReadonlyArray<string>) {
    const fiats = fiatsOf(vss).filter((fiat) => fiat !== "USD")
    const ids = held.map(({ value }) => value.id)
    const priced = fiats.length === 0 ? [] : (yield* conversions.prices(ids, fiats)).prices
    return yield* beside(priced, held, vss)
  })

  /** Coins by id with their prices in the fiats among some currencies; the dollar's are the coins' own. */
  const read = Effect.fnUntraced(function* (ids: ReadonlyArray<string>, vss: ReadonlyArray<string>) {
    const fiats = fiatsOf(vss)
    if (fiats.some((fiat) => fiat !== "USD")) return yield* conversions.prices(ids, fiats)
    const prices: Array<Prices> = []
    const missing: Array<Missing> = []
    for (const [id, result] of yield* coins.many(ids)) {
      if (Result.isSuccess(result)) prices.push({ coin: result.success, cells: [] })
      else missing.push({ id, failure: result.failure })
    }
    return { prices, missing }
  })

  /** Units of some currencies for 1 USD, and the stamps of the conversions that gave them. */
  const dollarRates = Effect.fnUntraced(function* (vss: ReadonlyArray<string>) {
    const rates = new Map([["usd", 1]])
    const parts: Array<Stamp> = []
    for (const vs of vss.filter((other) => other !== "usd")) {
      const found = yield* Effect.option(conversions.convert(USD, assetOf(vs), one))
      if (Option.isNone(found)) continue
      rates.set(vs, found.value.rate)
      parts.push(found.value)
    }
    const rateOf: DollarRate = (vs) => rates.get(vs) ?? null
    return { rateOf, parts }
  })

  return { beside, dollarRates, quotes, read }
}

export type Quoting = ReturnType<typeof make>
