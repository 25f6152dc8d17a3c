// Converts any coin or fiat into any other, and prices coins in fiats. Both use the same paths of quoted rates, so that
// a price and a conversion of 1 agree. `basis` selects the rate of a fiat. USDT is never treated as a dollar.
import { Array as Arr, BigDecimal, Context, Effect, Layer, Option, Result } from "effect"
import type { Coin } from "../domain/Coin.ts"
import { amountAtSides, hopsForAmount, type TooThin } from "../domain/AmountPath.ts"
import { type Basis, changeAgainst, converterAt, type Hop, type Rate } from "../domain/Conversion.ts"
import type { Snapshot } from "../domain/Snapshot.ts"
import { coinOfVs } from "../domain/VsCurrency.ts"
import { Coins } from "./Coins.ts"
import { ExchangeRates } from "./ExchangeRates.ts"
import { P2pMarkets } from "./P2pMarkets.ts"
import * as RatePaths from "./RatePaths.ts"
import { type Asset, nameOf } from "../domain/Asset.ts"
import { type Failure, NoPrice, rateFrom } from "./RatePaths.ts"
import type { Quoting } from "./RateParts.ts"
import { accounted, remembering } from "./refresh/Dependencies.ts"
import * as Patience from "./refresh/Patience.ts"

/** A coin's price in a fiat. `change_24h` in percent, in that fiat. `updated`: the oldest time of its parts. */
export interface Price extends Pick<Rate, "source" | "updated" | "confidence" | "market"> {
  readonly coin: Coin
  readonly price: number
  readonly change_24h: number | null
}

/** The prices of a coin by currency, in the order requested; `null` if there is none now. `coin` is its snapshot in USD. */
export interface Prices {
  readonly coin: Snapshot<Coin>
  readonly cells: ReadonlyArray<readonly [currency: string, price: Price | null]>
}

/** A requested coin without a price, and why. */
export interface Missing {
  readonly id: string
  readonly failure: Failure
}

/** The prices of some coins, and those that have none. */
export interface AllPrices {
  readonly prices: ReadonlyArray<Prices>
  readonly missing: ReadonlyArray<Missing>
}

/** What was found for each coin. */
export const byId = ({ missing, prices }: AllPrices): ReadonlyMap<string, Prices | Missing> =>
  new Map<string, Prices | Missing>([
    ...prices.map((row) => [row.coin.value.id, row] as const),
    ...missing.map((row) => [row.id, row] as const)
  ])

/** An amount of one asset in another. Between equal assets there are no legs. */
export interface Conversion extends Rate {
  readonly from: string
  readonly to: string
  readonly amount: BigDecimal.BigDecimal
  readonly result: BigDecimal.BigDecimal
}

/** Prices of coins, and conversions between any two assets. */
export class Conversions extends Context.Service<
  Conversions,
  {
    /** The price of a coin (id in lower case) in a fiat (code in upper case). */
    readonly price: (id: string, fiat: string, basis?: Basis) => Effect.Effect<Price, Failure>
    /**
     * Several coins in several currencies by code. A fiat is priced as by `price`, a coin that serves as a currency as
     * by `convert`. Coins that are not cached are looked up together.
     */
    readonly prices: (
      ids: ReadonlyArray<string>,
      currencies: ReadonlyArray<string>,
      basis?: Basis
    ) => Effect.Effect<AllPrices>
    /** Converts an amount; on the basis `customer` at the rates that this amount gets in P2P markets. */
    readonly convert: (
      from: Asset,
      to: Asset,
      amount: BigDecimal.BigDecimal,
      basis?: Basis
    ) => Effect.Effect<Conversion, Failure | TooThin>
    /** The rate without an amount; on the basis `customer` at the buy or sell price of P2P markets. */
    readonly rate: (from: Asset, to: Asset, basis?: Basis) => Effect.Effect<Rate, Failure>
    /**
     * Whether a fiat (code in upper case) has a street rate, but only its official rate is available on a basis other
     * than `official`. `convert` marks such a leg; formats without that mark must not return the rate.
     */
    readonly isMisquoted: (code: string, basis?: Basis) => boolean
    /** The fiats (codes in upper case) that P2P markets price on a basis, on `mid` some only where they have no official rate. */
    readonly fiatsWithMarkets: (basis?: Basis) => ReadonlyArray<string>
  }
>()("crypto-data-api/services/Conversions") {
  static readonly layerNoDeps: Layer.Layer<Conversions, never, Coins | ExchangeRates | P2pMarkets> = Layer.effect(
    Conversions,
    Effect.gen(function* () {
      const { followed } = yield* P2pMarkets
      return over({ coins: yield* Coins, exchangeRates: yield* ExchangeRates, markets: followed })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([Coins.layer, ExchangeRates.layer, P2pMarkets.layer]))

  static readonly layerTest = (service: Partial<Conversions["Service"]>) =>
    Layer.mock(Conversions)({ isMisquoted: () => false, fiatsWithMarkets: () => [], ...service })
}

/** Makes the service over live figures or those of the past. */
export const over = (quoting: Quoting): Conversions["Service"] => {
  const { changesIn, coinsToFiat, fiatsWithMarkets, hopsBetween, isMisquoted, makeParts, stampQuote } =
    RatePaths.make(quoting)
  type Parts = ReturnType<typeof makeParts>

  /** The prices of some coins in a fiat, in their order. */
  const pricesIn = Effect.fnUntraced(function* (parts: Parts, some: ReadonlyArray<Snapshot<Coin>>, fiat: string) {
    const ways = yield* coinsToFiat(parts, some, fiat, "sell")
    const changeIn = yield* Effect.result(changesIn(parts, fiat))
    return Arr.zipWith(some, ways, (snapshot, way): Result.Result<Price, Failure> => {
      const { value: coin } = snapshot
      if (Result.isFailure(way)) return Result.fail(way.failure)
      const rate = rateFrom({ _tag: "Coin", id: coin.id }, way.success)
      if (Result.isFailure(rate)) return Result.fail(rate.failure)
      const { rate: price, legs: _, ...stamps } = rate.success
      return Result.map(changeIn, (inFiat) => ({ coin, price, change_24h: inFiat(snapshot), ...stamps }))
    })
  })

  /** The rate between two assets, and its hops; none between equal assets. */
  const pathBetween = Effect.fnUntraced(function* (
    parts: Parts,
    from: Asset,
    to: Asset
  ): Effect.fn.Return<{ readonly rate: Rate; readonly hops: ReadonlyArray<Hop> }, Failure> {
    if (from._tag !== to._tag || nameOf(from) !== nameOf(to)) {
      const hops = yield* hopsBetween(parts, from, to)
      return { rate: yield* Effect.fromResult(rateFrom(from, hops)), hops }
    }
    const { source, updated } = yield* stampQuote(parts, from)
    return { rate: { rate: 1, legs: [], source, updated }, hops: [] }
  })

  const rateBetween = (parts: Parts, from: Asset, to: Asset) =>
    Effect.map(pathBetween(parts, from, to), ({ rate }) => rate)

  const pricesInCoin = Effect.fnUntraced(function* (parts: Parts, some: ReadonlyArray<Snapshot<Coin>>, other: string) {
    const base = yield* Effect.option(parts.coin(other))
    const change = Option.isSome(base) ? base.value.value.change_24h : null
    return yield* Effect.forEach(some, ({ value: coin }) =>
      rateBetween(parts, { _tag: "Coin", id: coin.id }, { _tag: "Coin", id: other }).pipe(
        Effect.map((found): Price => {
          const { legs: _, rate, ...stamps } = found
          const change_24h = coin.id === other ? 0 : changeAgainst(coin.change_24h, change)
          return { coin, price: rate, change_24h, ...stamps }
        }),
        Effect.result
      )
    )
  })

  const price = Effect.fn("Conversions.price")(function* (id: string, fiat: string, basis: Basis = "mid") {
    const parts = makeParts(basis)
    const [one] = yield* pricesIn(parts, [yield* parts.coin(id)], fiat)
    return yield* Effect.fromResult(one ?? Result.fail(new NoPrice({ asset: id })))
  }, Patience.shared)

  const prices = Effect.fn("Conversions.prices")(function* (
    ids: ReadonlyArray<string>,
    currencies: ReadonlyArray<string>,
    basis: Basis = "mid"
  ) {
    const found = yield* accounted(quoting.coins.many(ids))
    const coins = [...found.values()].flatMap((coin) => (Result.isSuccess(coin) ? [coin.success] : []))
    const parts = makeParts(basis, coins)
    const columns = yield* Effect.forEach(currencies, (code) => {
      const other = coinOfVs(code.toLowerCase())
      const column = other === undefined ? pricesIn(parts, coins, code) : pricesInCoin(parts, coins, other)
      return Effect.map(column, (column) => [code, column] as const)
    })
    const rows: Array<Prices> = []
    const missing: Array<Missing> = []
    let at = 0
    for (const [id, coin] of found) {
      if (Result.isFailure(coin)) {
        missing.push({ id, failure: coin.failure })
        continue
      }
      const row = at++
      const cells = columns.map(([code, column]) => {
        const cell = column[row]
        return [code, cell !== undefined && Result.isSuccess(cell) ? cell.success : null] as const
      })
      const isUnquoted = coin.success.value.price === null && cells.every(([, cell]) => cell === null)
      if (isUnquoted) missing.push({ id, failure: new NoPrice({ asset: id }) })
      else rows.push({ coin: coin.success, cells })
    }
    return { prices: rows, missing }
  }, Patience.shared)

  type Terms = readonly [from: Asset, to: Asset, basis: Basis]

  /**
   * The parts of a conversion that do not depend on the amount: the rate, its converter, and the largest amount it
   * is good for.
   */
  const termsOf = remembering(
    2000,
    ([from, to, basis]: Terms) => `${basis} ${from._tag} ${nameOf(from)} ${to._tag} ${nameOf(to)}`,
    Effect.fnUntraced(function* ([from, to, basis]: Terms) {
      const { hops, rate } = yield* pathBetween(makeParts(basis), from, to)
      return { rate, convert: converterAt(rate), most: amountAtSides(hops) }
    }, Patience.shared)
  )

  /** The rate for an amount if P2P markets are on the path. Not cached, so that old ads are not retained. */
  const rateForAmount = Effect.fnUntraced(function* (from: Asset, to: Asset, amount: number, basis: Basis) {
    const { hops } = yield* pathBetween(makeParts(basis), from, to)
    return yield* Effect.fromResult(rateFrom(from, yield* Effect.fromResult(hopsForAmount(hops, amount))))
  }, Patience.shared)

  const convert = Effect.fnUntraced(function* (
    from: Asset,
    to: Asset,
    amount: BigDecimal.BigDecimal,
    basis: Basis = "mid"
  ): Effect.fn.Return<Conversion, Failure | TooThin> {
    const terms = yield* termsOf([from, to, basis])
    const asked = BigDecimal.toNumberUnsafe(amount)
    const isAtSides = asked < terms.most
    const rate = isAtSides ? terms.rate : yield* rateForAmount(from, to, asked, basis)
    const result = (isAtSides ? terms.convert : converterAt(rate))(amount)
    return { from: nameOf(from), to: nameOf(to), amount, result, ...rate }
  })

  const rate = (from: Asset, to: Asset, basis: Basis = "mid") =>
    Effect.map(termsOf([from, to, basis]), ({ rate }) => rate)

  return Conversions.of({
    price,
    prices,
    convert,
    rate,
    isMisquoted: (code, basis = "mid") => isMisquoted(basis, code),
    fiatsWithMarkets: (basis = "mid") => fiatsWithMarkets(basis)
  })
}

export { TooThin } from "../domain/AmountPath.ts"
export { type Asset, nameOf, parseAsset } from "../domain/Asset.ts"
export { NoPrice } from "./RatePaths.ts"
export type { Quoting } from "./RateParts.ts"
