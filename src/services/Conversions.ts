// Any coin or fiat in any other, and the price of a coin in a fiat: the same walk through quoted rates, so that a price and a
// conversion of 1 never disagree. Naira is always the P2P rate and USDT is never taken for a dollar.
import { type BigDecimal, Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import {
  amountAt,
  backward,
  compoundChange,
  forward,
  type Hop,
  path,
  type Quote,
  type Rate,
  rateAlong
} from "../domain/Conversion.ts"
import type { Coin } from "../domain/Coin.ts"
import { isoCurrencies } from "../domain/Fiat.ts"
import { startOfDay } from "../domain/FxRates.ts"
import type { Snapshot } from "../domain/Snapshot.ts"
import { Coins, UnknownCoin } from "./Coins.ts"
import { ExchangeRates } from "./ExchangeRates.ts"
import { Naira } from "./Naira.ts"
import { accounted, remembering } from "./refresh/Dependencies.ts"
import type { Unavailable } from "./refresh/Unavailable.ts"

/** The asset exists, but nobody quotes it. */
export class NoPrice extends Schema.TaggedError<NoPrice>()("NoPrice", { asset: Schema.String }) {}

/** A coin by id in lower case, or a fiat by code in upper case. */
export type Asset = { readonly _tag: "Coin"; readonly id: string } | { readonly _tag: "Fiat"; readonly code: string }

/** A coin's price in a fiat. `change_24h` in percent, in that fiat. */
export interface Price {
  readonly coin: Coin
  readonly price: number
  readonly change_24h: number | null
}

/** An amount of one asset in another, with the legs walked; equal assets have none. */
export interface Conversion {
  readonly from: string
  readonly to: string
  readonly amount: BigDecimal.BigDecimal
  readonly result: BigDecimal.BigDecimal
  readonly rate: number
  readonly legs: Rate["legs"]
  readonly source: string
  readonly updated: DateTime.Utc
}

type Failure = UnknownCoin | NoPrice | Unavailable

/** USDT's id: the coin through which naira is reached. */
const USDT = "tether"

/**
 * The asset a caller names: a fiat's code or a coin's id in any case. Where both are spelled alike the fiat wins; `coin:x`
 * and `fiat:x` say which is meant. Tickers are never guessed.
 */
export const parseAsset = (text: string): Asset => {
  const [, kind, name = ""] = /^(?:(coin|fiat):)?(.*)$/is.exec(text.trim()) ?? []
  const isFiat = kind === undefined ? isoCurrencies.has(name.toUpperCase()) : kind.toLowerCase() === "fiat"
  return isFiat ? { _tag: "Fiat", code: name.toUpperCase() } : { _tag: "Coin", id: name.toLowerCase() }
}

/** Prices and conversions. */
export class Conversions extends Context.Service<
  Conversions,
  {
    /** A coin in one of the fiats, by id in lower case and code in upper case. */
    readonly price: (id: string, fiat: string) => Effect.Effect<Price & Pick<Rate, "source" | "updated">, Failure>
    readonly convert: (from: Asset, to: Asset, amount: BigDecimal.BigDecimal) => Effect.Effect<Conversion, Failure>
  }
>()("crypto-data-api/services/Conversions") {
  static readonly layerNoDeps: Layer.Layer<Conversions, never, Coins | ExchangeRates | Naira> = Layer.effect(
    Conversions,
    Effect.gen(function* () {
      const coins = yield* Coins
      const coinOf = (id: string) => accounted(coins.coin(id))
      const fxRates = accounted((yield* ExchangeRates).current)
      const naira = yield* Naira

      const usdQuote = Effect.fnUntraced(function* (id: string) {
        const coin = yield* coinOf(id)
        return coin.value.price === null
          ? yield* new NoPrice({ asset: id })
          : quoteOf(id, "USD", coin.value.price, coin)
      })

      const fxQuote = Effect.fnUntraced(function* (code: string) {
        const rates = yield* fxRates
        const rate = rates.value.rates[code]
        const day = rates.value.observed[code]
        if (rate === undefined || day === undefined) {
          return yield* isoCurrencies.has(code)
            ? new NoPrice({ asset: code })
            : new UnknownCoin({ id: code, suggestions: yield* coins.suggest(code) })
        }
        const updated = DateTime.min(startOfDay(day), rates.retrievedAt)
        return { ...quoteOf("USD", code, rate, rates), updated }
      })

      const nairaQuote = Effect.map(accounted(naira.mid), (mid) => ({
        ...quoteOf(USDT, "NGN", mid.value, mid),
        computed: true
      }))

      /** How an asset gets to the US dollar. */
      const toUsd = Effect.fnUntraced(function* (asset: Asset): Effect.fn.Return<ReadonlyArray<Hop>, Failure> {
        if (asset._tag === "Coin") return [forward(yield* usdQuote(asset.id))]
        if (asset.code === "USD") return []
        if (asset.code === "NGN") return [backward(yield* nairaQuote), forward(yield* usdQuote(USDT))]
        return [backward(yield* fxQuote(asset.code))]
      })

      /** The source's own quote of a coin in a fiat, which goes before the dollar and the fiat's rate. */
      const ownQuote = Effect.fnUntraced(function* (coin: Asset, fiat: Asset) {
        if (coin._tag !== "Coin" || fiat._tag !== "Fiat") return []
        const quote = yield* coins.quote(coin.id, fiat.code)
        return Option.toArray(Option.map(quote, (held) => quoteOf(coin.id, fiat.code, held.value.price, held)))
      })

      const hops = Effect.fnUntraced(function* (from: Asset, to: Asset) {
        const [own] = [...(yield* ownQuote(from, to)).map(forward), ...(yield* ownQuote(to, from)).map(backward)]
        return own === undefined ? path(yield* toUsd(from), yield* toUsd(to)) : [own]
      })

      const rateBetween = Effect.fnUntraced(function* (from: Asset, to: Asset) {
        const [first, ...rest] = yield* hops(from, to)
        return first === undefined ? yield* new NoPrice({ asset: nameOf(from) }) : rateAlong([first, ...rest])
      })

      const price = Effect.fn("Conversions.price")(function* (id: string, fiat: string) {
        const coin = yield* coinOf(id)
        const own = fiat === "USD" ? Option.none() : yield* coins.quote(id, fiat)
        const { rate, source, updated } = yield* rateBetween({ _tag: "Coin", id }, { _tag: "Fiat", code: fiat })
        const change = coin.value.change_24h
        const inFiat = Option.isSome(own)
          ? own.value.value.change_24h
          : fiat === "NGN" && change !== null
            ? compoundChange(
                change,
                Option.getOrElse(yield* naira.change24h, () => 0)
              )
            : change
        return { coin: coin.value, price: rate, change_24h: inFiat, source, updated }
      })

      /** What vouches for an asset that is converted into itself. */
      const witness = (asset: Asset): Effect.Effect<Quote, Failure> =>
        asset._tag === "Coin"
          ? Effect.map(coinOf(asset.id), (coin) => quoteOf(asset.id, asset.id, 1, coin))
          : asset.code === "NGN"
            ? nairaQuote
            : fxQuote(asset.code)

      /** What does not depend on the amount. */
      const terms = Effect.fnUntraced(function* ([from, to]: readonly [Asset, Asset]): Effect.fn.Return<Rate, Failure> {
        if (nameOf(from) !== nameOf(to)) return yield* rateBetween(from, to)
        const { source, updated } = yield* witness(from)
        return { rate: 1, legs: [], source, updated }
      })
      const termsOf = remembering(1000, ([from, to]: readonly [Asset, Asset]) => `${nameOf(from)}>${nameOf(to)}`, terms)

      const convert = (from: Asset, to: Asset, amount: BigDecimal.BigDecimal) =>
        Effect.map(termsOf([from, to]), (terms): Conversion => {
          const result = terms.legs.length === 0 ? amount : amountAt(amount, terms.rate)
          return { from: nameOf(from), to: nameOf(to), amount, result, ...terms }
        })

      return Conversions.of({ price, convert })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([Coins.layer, ExchangeRates.layer, Naira.layer]))

  static readonly layerTest = (service: Partial<Conversions["Service"]>) => Layer.mock(Conversions)(service)
}

const nameOf = (asset: Asset): string => (asset._tag === "Coin" ? asset.id : asset.code)

const quoteOf = (base: string, quote: string, rate: number, stamp: Snapshot<unknown>): Quote => ({
  base,
  quote,
  rate,
  computed: false,
  source: stamp.source,
  updated: stamp.observedAt
})
