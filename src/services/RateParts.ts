// What the rates of one answer are made of, each read at most once: coins, fiat rates and P2P markets. A basis decides which market
// prices a fiat.
import { Effect } from "effect"
import type { Basis } from "../domain/Conversion.ts"
import type { FxRates } from "../domain/FxRates.ts"
import { usualMarket } from "../domain/P2pMarket.ts"
import type { Snapshot } from "../domain/Snapshot.ts"
import { hasStreetRate } from "../domain/StreetCurrencies.ts"
import type { Coins, PricedCoin, UnknownCoin } from "./Coins.ts"
import type { ExchangeRates } from "./ExchangeRates.ts"
import type { Market } from "./MarketRate.ts"
import { accounted } from "./refresh/Dependencies.ts"
import type { Unavailable } from "./refresh/Unavailable.ts"
import type { FiatRates } from "./SpotPrices.ts"

export type MarketIn = Pick<Market, "mid" | "sides" | "change24h" | "bounds">

/** What rates are computed from: the newest figures, or those of a time in the past. */
export interface Quoting {
  readonly coins: Pick<Coins["Service"], "coin" | "many" | "fiatChange" | "suggest"> & {
    /** The rates of fiats on the exchanges, by code. */
    readonly fiats: Effect.Effect<FiatRates, Unavailable>
  }
  readonly exchangeRates: Pick<ExchangeRates["Service"], "current" | "mayHave">
  /** The series of a fiat in the history, if rates come from there. */
  readonly seriesOf?: (code: string) => string
  /** The P2P markets by fiat. */
  readonly markets: ReadonlyMap<string, MarketIn>
}

/** The parts of one answer. */
export interface Parts {
  readonly basis: Basis
  readonly coin: (id: string) => Effect.Effect<PricedCoin, UnknownCoin | Unavailable>
  readonly fxRates: Effect.Effect<Snapshot<FxRates>, Unavailable>
  readonly fiats: Effect.Effect<FiatRates, Unavailable>
  /** The market that prices a fiat. */
  readonly market: (fiat: string) => MarketIn | undefined
  /** The market of a fiat that has no official rate. */
  readonly onlyMarket: (fiat: string) => MarketIn | undefined
}

/** Runs the effect at its first use and caches the result, a failure too. */
const once = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> => {
  let result: Effect.Effect<A, E> | undefined
  const first = Effect.flatMap(Effect.result(effect), (found) => {
    result = Effect.fromResult(found)
    return result
  })
  return Effect.suspend(() => result ?? first)
}

const readOnce = ({ mid, sides, ...rest }: MarketIn): MarketIn => ({
  ...rest,
  mid: once(accounted(mid)),
  sides: once(accounted(sides))
})

export const make = ({ coins, exchangeRates, markets }: Quoting) => {
  /** Whether `mid` takes the market's rate of a fiat even where it has an official rate. */
  const isUsual = (fiat: string): boolean => fiat === usualMarket.fiat || hasStreetRate(fiat)

  /** The market that prices a fiat on a basis; `undefined` if the official rate does. */
  const marketOf = (basis: Basis, fiat: string): MarketIn | undefined =>
    basis === "official" || (basis === "mid" && !isUsual(fiat)) ? undefined : markets.get(fiat)

  return {
    isUsual,
    /** Whether a fiat has a street rate, but only its official rate is available on this basis. */
    isMisquoted: (basis: Basis, fiat: string): boolean =>
      basis !== "official" && hasStreetRate(fiat) && marketOf(basis, fiat) === undefined,
    /** The parts of one answer. `found`: coins that were read already. */
    makeParts: (basis: Basis, found: Iterable<PricedCoin> = []): Parts => {
      const known = new Map<string, Effect.Effect<PricedCoin, UnknownCoin | Unavailable>>()
      for (const coin of found) known.set(coin.value.id, Effect.succeed(coin))
      const read = new Map<string, MarketIn>()
      const readMarket = (fiat: string, market: MarketIn | undefined): MarketIn | undefined => {
        const known = read.get(fiat)
        if (market === undefined || known !== undefined) return known
        const accountedOnce = readOnce(market)
        read.set(fiat, accountedOnce)
        return accountedOnce
      }
      return {
        basis,
        coin: (id) => {
          const coin = known.get(id) ?? once(accounted(coins.coin(id)))
          known.set(id, coin)
          return coin
        },
        fxRates: once(accounted(exchangeRates.current)),
        fiats: once(accounted(coins.fiats)),
        market: (fiat) => readMarket(fiat, marketOf(basis, fiat)),
        onlyMarket: (fiat) => readMarket(fiat, basis === "mid" ? markets.get(fiat) : undefined)
      }
    }
  }
}
