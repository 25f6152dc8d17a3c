// The pairs of coins at exchanges, for fetching candles.
import { type QuoteCurrency, quoteCurrencies } from "../domain/Pair.ts"
import { type Identities, keyOf } from "../domain/PairIdentity.ts"
import { memoized } from "../domain/rememberEach.ts"
import type { Tickers } from "../domain/SpotMarket.ts"

/** A pair of a coin at an exchange. */
export interface Market {
  /** As in stamps. */
  readonly exchange: string
  /** The exchange's own name of the pair. */
  readonly market: string
  readonly quote: QuoteCurrency
  /** How many coins one unit of the base is. */
  readonly unit: number
}

/** By coin id; one per exchange. */
export type Markets = ReadonlyMap<string, ReadonlyArray<Market>>

/** The pairs of a coin, by its id. */
export const marketsOf = memoized((tickers: ReadonlyArray<Tickers>, identities: Identities): Markets => {
  const markets = new Map<string, Array<Market>>()
  for (const quote of quoteCurrencies) {
    for (const { exchange, pairs } of tickers) {
      for (const pair of pairs) {
        const identity = pair.quote === quote ? identities.get(keyOf(exchange, pair)) : undefined
        if (identity === undefined) continue
        const others = markets.get(identity.id) ?? []
        if (others.some((other) => other.exchange === exchange)) continue
        markets.set(identity.id, [...others, { exchange, market: pair.market, quote, unit: identity.unit }])
      }
    }
  }
  return markets
})
