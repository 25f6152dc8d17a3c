// The quoted rates between two assets: a coin's USD quote, a source's own quote in a fiat, fiat rates, the naira's P2P rate.
// Prices and conversions are both computed from these, so that a price and a conversion of 1 agree.
import { DateTime, Effect, Option, Result, Schema } from "effect"
import type { Coin } from "../domain/Coin.ts"
import { coinIdOf, USDT } from "../domain/CoinId.ts"
import {
  backward,
  type Basis,
  compoundChange,
  forward,
  type Hop,
  path,
  type Quote,
  type Rate,
  rateAlong
} from "../domain/Conversion.ts"
import { isoCurrencies } from "../domain/Fiat.ts"
import type { FiatQuote } from "../domain/FiatQuotes.ts"
import { startOfDay } from "../domain/FxRates.ts"
import { QUOTE_DISAGREEMENT } from "../domain/Plausibility.ts"
import { isPossibleRate } from "../domain/PlausibleRates.ts"
import type { Snapshot } from "../domain/Snapshot.ts"
import { type Coins, UnknownCoin } from "./Coins.ts"
import type { ExchangeRates } from "./ExchangeRates.ts"
import type { Naira } from "./Naira.ts"
import { accounted } from "./refresh/Dependencies.ts"
import * as Patience from "./refresh/Patience.ts"
import { Unavailable } from "./refresh/Unavailable.ts"

/** The asset exists, but no source quotes it. */
export class NoPrice extends Schema.TaggedError<NoPrice>()("NoPrice", { asset: Schema.String }) {}

/** A coin by id in lower case, or a fiat by code in upper case. */
export type Asset = { readonly _tag: "Coin"; readonly id: string } | { readonly _tag: "Fiat"; readonly code: string }

export type Failure = UnknownCoin | NoPrice | Unavailable

/** What rates are computed from: the newest figures, or those of a time in the past. */
export interface Quoting {
  readonly coins: Pick<Coins["Service"], "coin" | "many" | "quotes" | "suggest">
  readonly exchangeRates: Pick<ExchangeRates["Service"], "current" | "mayHave">
  readonly naira: Pick<Naira["Service"], "mid" | "sides" | "change24h">
}

/** The hops from a coin to a fiat, and the source's own quote where they are made of it. */
interface Way {
  readonly hops: ReadonlyArray<Hop>
  readonly quote?: FiatQuote
}

/** A side of the naira's P2P rate, from the customer's view. */
type Side = "buy" | "sell"

/**
 * The asset a caller names: a fiat's code or a coin's id in any case. Where both are spelled alike the fiat wins; `coin:x`
 * and `fiat:x` say which is meant. Tickers are never guessed.
 */
export const parseAsset = (text: string): Asset => {
  const [, kind, name = ""] = /^(?:(coin|fiat):)?(.*)$/is.exec(text.trim()) ?? []
  const isFiat = kind === undefined ? isoCurrencies.has(name.toUpperCase()) : kind.toLowerCase() === "fiat"
  return isFiat ? { _tag: "Fiat", code: name.toUpperCase() } : { _tag: "Coin", id: coinIdOf(name) }
}

/** Makes the functions that find paths between assets, over live figures or those of a moment in the past. */
export const make = ({ coins, exchangeRates, naira }: Quoting) => {
  /** The parts of one answer, each read once; `found` are coins that were read already. */
  const makeParts = (basis: Basis, found: Iterable<Snapshot<Coin>> = []) => {
    const known = new Map<string, Effect.Effect<Snapshot<Coin>, UnknownCoin | Unavailable>>()
    for (const coin of found) known.set(coin.value.id, Effect.succeed(coin))
    return {
      basis,
      coin: (id: string) => {
        const coin = known.get(id) ?? once(accounted(coins.coin(id)))
        known.set(id, coin)
        return coin
      },
      fxRates: once(accounted(exchangeRates.current)),
      mid: once(accounted(naira.mid)),
      sides: once(accounted(naira.sides))
    }
  }
  type Parts = ReturnType<typeof makeParts>

  const usdtQuote = ({ coin }: Parts) =>
    Effect.flatMap(coin(USDT), (held) =>
      held.value.price === null
        ? Effect.fail(new NoPrice({ asset: USDT }))
        : Effect.succeed(quoteOf(USDT, "USD", held.value.price, held))
    )

  const fxQuote = Effect.fnUntraced(function* ({ fxRates }: Parts, code: string) {
    const rates = yield* fxRates
    const rate = rates.value.rates[code]
    const day = rates.value.observed[code]
    if (rate === undefined || day === undefined) {
      if (!isoCurrencies.has(code)) return yield* new UnknownCoin({ id: code, suggestions: yield* coins.suggest(code) })
      const mayCome = yield* exchangeRates.mayHave(code)
      return yield* mayCome
        ? new Unavailable({ question: `the rate of ${code}`, retryAfter: 60 })
        : new NoPrice({ asset: code })
    }
    const observedAt = DateTime.min(startOfDay(day), rates.retrievedAt)
    return quoteOf("USD", code, rate, { source: rates.value.sources?.[code] ?? rates.source, observedAt })
  })

  /** NGN for 1 USDT. A customer who comes out of naira buys USDT, one who goes into naira sells it. */
  const nairaQuote = ({ basis, mid, sides }: Parts, side: Side): Effect.Effect<Quote, Unavailable> =>
    basis === "mid"
      ? Effect.map(mid, (held) => ({ ...quoteOf(USDT, "NGN", held.value, held), computed: true }))
      : Effect.map(sides, (held) => ({ ...quoteOf(USDT, "NGN", held.value[side], held), computed: true, basis }))

  /** The hops from a fiat to the US dollar; of the naira at the rate of `side`. */
  const fiatToUsd = Effect.fnUntraced(function* (
    parts: Parts,
    code: string,
    side: Side
  ): Effect.fn.Return<ReadonlyArray<Hop>, Failure> {
    if (code === "USD") return []
    if (code !== "NGN") return [backward(yield* fxQuote(parts, code))]
    const [naira, usdt] = [yield* nairaQuote(parts, side), yield* usdtQuote(parts)]
    // A price of USDT at which a dollar would be an impossible amount of naira.
    if (!isPossibleRate("NGN", naira.rate / usdt.rate)) {
      return yield* new Unavailable({ question: "the naira rate", retryAfter: 60 })
    }
    return [backward(naira), forward(usdt)]
  })

  const toUsd = Effect.fnUntraced(function* (
    parts: Parts,
    asset: Asset,
    side: Side
  ): Effect.fn.Return<ReadonlyArray<Hop>, Failure> {
    if (asset._tag === "Fiat") return yield* fiatToUsd(parts, asset.code, side)
    return yield* Effect.fromResult(coinToUsd(yield* parts.coin(asset.id)))
  })

  /** The source's own quotes of some coins in a fiat. One that is far from dollar × rate, where that is known, is left out. */
  const ownQuotes = Effect.fnUntraced(function* (parts: Parts, some: ReadonlyArray<Snapshot<Coin>>, fiat: string) {
    const own = new Map<string, Way>()
    const held = fiat === "USD" ? undefined : Option.getOrUndefined(yield* coins.quotes)
    if (held === undefined) return own
    const quoted = some.flatMap(({ source, value: { id, price } }) => {
      // Where another source's price is served the quotes of the first one are not believed either.
      const quote = source === held.source ? held.value.get(id)?.get(fiat) : undefined
      return quote === undefined ? [] : [{ id, usd: price, quote }]
    })
    if (quoted.length === 0) return own
    const fx = Option.getOrUndefined(yield* Effect.option(Patience.briefly(fxQuote(parts, fiat))))
    for (const { id, quote, usd } of quoted) {
      const isFarOff =
        usd !== null && fx !== undefined && Math.abs(quote.price / (usd * fx.rate) - 1) > QUOTE_DISAGREEMENT
      const hop = forward(quoteOf(id, fiat, quote.price, { source: held.source, observedAt: quote.updated }))
      if (!isFarOff) own.set(id, { hops: [hop], quote })
    }
    return own
  })

  /** The ways from some coins to a fiat, in their order. What they have in common is read once. */
  const coinsToFiat = Effect.fnUntraced(function* (
    parts: Parts,
    some: ReadonlyArray<Snapshot<Coin>>,
    fiat: string,
    side: Side
  ) {
    let own = yield* ownQuotes(parts, some, fiat)
    const isCrossed = some.some(({ value: { id, price } }) => price !== null && !own.has(id))
    const back = isCrossed ? yield* Effect.result(fiatToUsd(parts, fiat, side)) : Result.succeed([])
    // Quotes may have come in while the rates were waited for in vain.
    if (Result.isFailure(back) && back.failure._tag === "Unavailable") own = yield* ownQuotes(parts, some, fiat)
    return some.map((coin): Result.Result<Way, Failure> => {
      const quoted = own.get(coin.value.id)
      if (quoted !== undefined) return Result.succeed(quoted)
      return Result.flatMap(coinToUsd(coin), (there) => Result.map(back, (back) => ({ hops: path(there, back) })))
    })
  })

  const coinToFiat = Effect.fnUntraced(function* (parts: Parts, id: string, fiat: string, side: Side) {
    const [way] = yield* coinsToFiat(parts, [yield* parts.coin(id)], fiat, side)
    return (yield* Effect.fromResult(way ?? Result.fail(new NoPrice({ asset: id })))).hops
  })

  /** The hops between two assets that are not the same. */
  const hopsBetween = Effect.fnUntraced(function* (
    parts: Parts,
    from: Asset,
    to: Asset
  ): Effect.fn.Return<ReadonlyArray<Hop>, Failure> {
    if (from._tag === "Coin" && to._tag === "Fiat") return yield* coinToFiat(parts, from.id, to.code, "sell")
    if (from._tag === "Fiat" && to._tag === "Coin") return path([], yield* coinToFiat(parts, to.id, from.code, "buy"))
    return path(yield* toUsd(parts, from, "buy"), yield* toUsd(parts, to, "sell"))
  })

  /** Turns a coin's change in 24 hours in dollars into that in a fiat. Only the naira's own change is known. */
  const changesIn = Effect.fnUntraced(function* (parts: Parts, fiat: string) {
    if (fiat !== "NGN") return (change: number | null) => change
    const ofNaira = Option.getOrElse(yield* naira.change24h(yield* parts.mid), () => 0)
    return (change: number | null) => (change === null ? null : compoundChange(change, ofNaira))
  })

  /** A quote that stamps the conversion of an asset into itself. */
  const stampQuote = (parts: Parts, asset: Asset): Effect.Effect<Quote, Failure> =>
    asset._tag === "Coin"
      ? Effect.map(parts.coin(asset.id), (coin) => quoteOf(asset.id, asset.id, 1, coin))
      : asset.code === "NGN"
        ? nairaQuote(parts, "buy")
        : fxQuote(parts, asset.code)

  return { makeParts, coinsToFiat, hopsBetween, changesIn, stampQuote }
}

/** The rate along hops; from an asset that none leads away from there is none. */
export const rateFrom = (asset: Asset, [first, ...rest]: ReadonlyArray<Hop>): Result.Result<Rate, NoPrice> =>
  first === undefined ? Result.fail(new NoPrice({ asset: nameOf(asset) })) : Result.succeed(rateAlong([first, ...rest]))

const coinToUsd = (coin: Snapshot<Coin>): Result.Result<ReadonlyArray<Hop>, NoPrice> => {
  const { id, price } = coin.value
  return price === null
    ? Result.fail(new NoPrice({ asset: id }))
    : Result.succeed([forward(quoteOf(id, "USD", price, coin))])
}

/** Runs the effect at its first use and keeps the result. After a failure the next use runs it again. */
const once = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> => {
  let result: Effect.Effect<A> | undefined
  const first = Effect.map(effect, (value) => {
    result = Effect.succeed(value)
    return value
  })
  return Effect.suspend(() => result ?? first)
}

export const nameOf = (asset: Asset): string => (asset._tag === "Coin" ? asset.id : asset.code)

const quoteOf = (
  base: string,
  quote: string,
  rate: number,
  { observedAt: updated, source }: Pick<Snapshot<unknown>, "observedAt" | "source">
): Quote => ({ base, quote, rate, computed: false, source, updated })
