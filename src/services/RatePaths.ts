// The quoted rates between two assets: a coin's USD quote, the rates of fiats on exchanges and of banks, and those of P2P markets.
// Prices and conversions are both computed from these, so that a price and a conversion of 1 agree.
import { DateTime, Effect, Option, Result, Schema } from "effect"
import { USDT } from "../domain/CoinId.ts"
import {
  backward,
  type Basis,
  changeAgainst,
  forward,
  type Hop,
  path,
  type Quote,
  type Rate,
  rateAlong
} from "../domain/Conversion.ts"
import { compounded } from "../domain/Decimal.ts"
import { isInUse, isoCurrencies } from "../domain/Fiat.ts"
import { isBeside, isCredible } from "../domain/FiatMarket.ts"
import { startOfDay } from "../domain/FxRates.ts"
import type { Confidence } from "../domain/P2pRate.ts"
import { isWithin } from "../domain/Plausibility.ts"
import type { Snapshot } from "../domain/Snapshot.ts"
import { type Asset, nameOf } from "../domain/Asset.ts"
import { type PricedCoin, UnknownCoin } from "./Coins.ts"
import { type Mid, noRate } from "./MarketRate.ts"
import * as RateParts from "./RateParts.ts"
import * as Patience from "./refresh/Patience.ts"
import { Unavailable } from "./refresh/Unavailable.ts"

/** The asset exists, but no source quotes it. */
export class NoPrice extends Schema.TaggedError<NoPrice>()("NoPrice", { asset: Schema.String }) {}

export type Failure = UnknownCoin | NoPrice | Unavailable

/** A side of a market's P2P rate, from the customer's view. */
type Side = "buy" | "sell"

/** Makes the functions that find paths between assets, over live figures or those of a moment in the past. */
export const make = (quoting: RateParts.Quoting) => {
  const { coins, exchangeRates, markets, seriesOf } = quoting
  const { isMisquoted, isUsual, makeParts } = RateParts.make(quoting)
  type Parts = RateParts.Parts

  const usdtQuote = ({ coin }: Parts) =>
    Effect.flatMap(coin(USDT), (snapshot) =>
      snapshot.value.price === null
        ? Effect.fail(new NoPrice({ asset: USDT }))
        : Effect.succeed(coinQuote(snapshot, snapshot.value.price))
    )

  const fxQuote = Effect.fnUntraced(function* ({ basis, fxRates }: Parts, code: string) {
    const rates = yield* fxRates
    const rate = rates.value.rates[code]
    const day = rates.value.observed[code]
    // Historical rates include codes that are no longer in use.
    const isCode = isInUse(code) || (seriesOf !== undefined && isoCurrencies.has(code))
    if (rate === undefined || day === undefined || !isCode) {
      if (!isCode) return yield* new UnknownCoin({ id: code, suggestions: yield* coins.suggest(code) })
      const mayCome = yield* exchangeRates.mayHave(code)
      return yield* mayCome
        ? new Unavailable({
            question: `the rate of ${code}`,
            retryAfter: 60,
            ...(seriesOf !== undefined && { series: seriesOf(code) })
          })
        : new NoPrice({ asset: code })
    }
    const observedAt = DateTime.min(startOfDay(day), rates.retrievedAt)
    const quote = quoteOf("USD", code, rate, { source: rates.value.sources?.[code] ?? rates.source, observedAt })
    if (isMisquoted(basis, code)) return { ...quote, basis: "official" as const, street: "not_followed" as const }
    return basis === "mid" ? quote : { ...quote, basis: "official" as const }
  })

  /** The market that prices a fiat. On `mid` a fiat without an official rate takes the mid of its market, if that is followed. */
  const marketFor = Effect.fnUntraced(function* (parts: Parts, fiat: string) {
    const market = parts.market(fiat)
    if (market !== undefined || parts.basis !== "mid" || !markets.has(fiat)) return market
    const official = yield* Effect.result(fxQuote(parts, fiat))
    return Result.isFailure(official) && official.failure._tag === "NoPrice" ? parts.onlyMarket(fiat) : undefined
  })

  /** The hop from USDT to a fiat, with the ads for amounts. A customer leaving the fiat buys USDT; one entering it sells USDT. */
  const marketHop = (
    { basis }: Parts,
    { mid, sides }: RateParts.MarketIn,
    fiat: string,
    side: Side
  ): Effect.Effect<Hop, Unavailable> => {
    const quoted = (
      rate: number,
      confidence: Confidence | null | undefined,
      snapshot: Snapshot<unknown> & Pick<Mid, "market">
    ): Quote => ({
      ...quoteOf(USDT, fiat, rate, snapshot),
      computed: true,
      ...(snapshot.market !== undefined && { market: snapshot.market }),
      ...(confidence !== undefined && { confidence }),
      ...(basis !== "mid" ? { basis } : !isUsual(fiat) && { basis: "p2p" })
    })
    if (basis !== "customer")
      return Effect.map(mid, (snapshot) => forward(quoted(snapshot.value, snapshot.confidence, snapshot)))
    return Effect.map(sides, (snapshot) => {
      const quote = quoted(snapshot.value[side], snapshot.value.confidence, snapshot)
      const { buy, depth, sell } = snapshot.value
      if (depth === undefined) return forward(quote)
      return { ...forward({ ...quote, ads: depth.ads[side] }), depth: { buy, sell, ...depth } }
    })
  }

  /** The hops from a fiat to the US dollar; through a P2P market at the rate of `side`. */
  const fiatToUsd = Effect.fnUntraced(function* (
    parts: Parts,
    code: string,
    side: Side
  ): Effect.fn.Return<ReadonlyArray<Hop>, Failure> {
    if (code === "USD") return []
    const market = yield* marketFor(parts, code)
    if (market === undefined) return [backward(yield* fxQuote(parts, code))]
    const [street, usdt] = [yield* marketHop(parts, market, code, side), yield* usdtQuote(parts)]
    // At this price of USDT a dollar would be an impossible amount of the fiat.
    if (!isWithin(street.quote.rate / usdt.rate, market.bounds)) return yield* noRate(code, 60)
    return [{ ...street, inverted: true }, forward(usdt)]
  })

  const toUsd = Effect.fnUntraced(function* (
    parts: Parts,
    asset: Asset,
    side: Side
  ): Effect.fn.Return<ReadonlyArray<Hop>, Failure> {
    if (asset._tag === "Fiat") return yield* fiatToUsd(parts, asset.code, side)
    return yield* Effect.fromResult(coinToUsd(yield* parts.coin(asset.id)))
  })

  /** The rate of a fiat on the exchanges, if that prices coins on this basis and is credible. */
  const onExchanges = Effect.fnUntraced(function* (parts: Parts, fiat: string) {
    if (fiat === "USD" || parts.basis !== "mid" || parts.market(fiat) !== undefined) return undefined
    const found = (yield* parts.fiats).get(fiat)
    if (found === undefined) return undefined
    const official = Option.getOrUndefined(yield* Effect.option(Patience.briefly(fxQuote(parts, fiat))))
    return isCredible(found.value, official?.rate) ? found : undefined
  })

  /** The ways from some coins to a fiat, in their order. Common parts are read once. */
  const coinsToFiat = Effect.fnUntraced(function* (
    parts: Parts,
    some: ReadonlyArray<PricedCoin>,
    fiat: string,
    side: Side
  ) {
    const found = yield* Effect.result(onExchanges(parts, fiat))
    if (Result.isFailure(found)) return some.map(() => Result.fail(found.failure))
    const spot = found.success
    const bySpot =
      spot && Result.succeed([backward({ ...quoteOf("USD", fiat, spot.value.rate, spot), computed: true })])
    const spotFor = (coin: PricedCoin) => (isPricedBy(spot, coin) ? bySpot : undefined)
    const needsOther = some.some((coin) => coin.value.price !== null && spotFor(coin) === undefined)
    const other = needsOther ? yield* Effect.result(fiatToUsd(parts, fiat, side)) : Result.succeed([])
    return some.map((coin): Result.Result<ReadonlyArray<Hop>, Failure> =>
      Result.flatMap(coinToUsd(coin), (there) => Result.map(spotFor(coin) ?? other, (back) => path(there, back)))
    )
  })

  const coinToFiat = Effect.fnUntraced(function* (parts: Parts, id: string, fiat: string, side: Side) {
    const [way] = yield* coinsToFiat(parts, [yield* parts.coin(id)], fiat, side)
    return yield* Effect.fromResult(way ?? Result.fail(new NoPrice({ asset: id })))
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

  /** The 24-hour change of a coin in a fiat: that in USD, with the change of what prices the fiat if that is known. */
  const changesIn = Effect.fnUntraced(function* (parts: Parts, fiat: string) {
    const spot = yield* onExchanges(parts, fiat)
    if (spot !== undefined) {
      const ofFiat = yield* coins.fiatChange(fiat, spot)
      return (coin: PricedCoin) => compounding(coin.value.change_24h, isPricedBy(spot, coin) ? ofFiat : undefined)
    }
    const market = yield* marketFor(parts, fiat)
    if (market === undefined) return ({ value }: PricedCoin) => value.change_24h
    const { value: usdt } = yield* parts.coin(USDT)
    const ofFiat = Option.getOrUndefined(yield* market.change24h(yield* market.mid))
    return ({ value }: PricedCoin) => compounding(value.change_24h, ofFiat, usdt.change_24h)
  })

  /** The stamp of a conversion of an asset into itself. */
  const stampQuote = Effect.fnUntraced(function* (parts: Parts, asset: Asset): Effect.fn.Return<Quote, Failure> {
    if (asset._tag === "Coin") return quoteOf(asset.id, asset.id, 1, yield* parts.coin(asset.id))
    const market = yield* marketFor(parts, asset.code)
    return market === undefined
      ? yield* fxQuote(parts, asset.code)
      : (yield* marketHop(parts, market, asset.code, "buy")).quote
  })

  /** The fiats that P2P markets price on this basis; on `mid` some of them only where they have no official rate. */
  const fiatsWithMarkets = (basis: Basis): ReadonlyArray<string> => (basis === "official" ? [] : [...markets.keys()])

  return { makeParts, coinsToFiat, hopsBetween, changesIn, stampQuote, isMisquoted, fiatsWithMarkets }
}

/**
 * Converts a coin's change from USD to a fiat. `ofRate`: the change of the fiat's rate. `ofBase`: the change in USD of what that is a rate
 * of; a dollar by default. Where either is unknown the change stays.
 */
const compounding = (change: number | null, ofRate: number | undefined, ofBase: number | null = 0): number | null =>
  change === null || ofRate === undefined ? change : (changeAgainst(compounded(change, ofRate), ofBase) ?? change)

/** The rate along hops; fails if there are none. */
export const rateFrom = (asset: Asset, [first, ...rest]: ReadonlyArray<Hop>): Result.Result<Rate, NoPrice> =>
  first === undefined ? Result.fail(new NoPrice({ asset: nameOf(asset) })) : Result.succeed(rateAlong([first, ...rest]))

/** Whether there is a rate of exchanges that is not too old for the price of a coin. */
const isPricedBy = (spot: Snapshot<unknown> | undefined, coin: Snapshot<unknown>): boolean =>
  spot !== undefined && isBeside(spot.observedAt.epochMilliseconds, coin.observedAt.epochMilliseconds)

const coinToUsd = (coin: PricedCoin): Result.Result<ReadonlyArray<Hop>, NoPrice> => {
  const { id, price } = coin.value
  return price === null ? Result.fail(new NoPrice({ asset: id })) : Result.succeed([forward(coinQuote(coin, price))])
}

const coinQuote = (coin: PricedCoin, price: number): Quote => ({
  ...quoteOf(coin.value.id, "USD", price, coin),
  // That of a past price is not recorded.
  confidence: coin.confidence ?? null
})

const quoteOf = (
  base: string,
  quote: string,
  rate: number,
  { observedAt: updated, source }: Pick<Snapshot<unknown>, "observedAt" | "source">
): Quote => ({ base, quote, rate, computed: false, source, updated })
