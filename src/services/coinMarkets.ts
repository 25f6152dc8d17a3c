// The pairs of coins and of fiats at exchanges, for fetching candles.
import { isMarketFiat, type QuoteCurrency, quoteCurrencies } from "../domain/Pair.ts"
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

/** A pair of a fiat at an exchange, in which the fiat is the quote or the base. `other`: the symbol on the other side. */
export interface FiatPair extends Pick<Market, "exchange" | "market"> {
  readonly other: string
  readonly isQuote: boolean
}

/** What the other side of a pair is, the best first: the less it moves, the less the ends of two candles differ. */
const others = ["USD", "USDT", "USDC", "BTC", "ETH"]

/** The pairs of fiats, by code; one per exchange. */
export const fiatPairsOf = memoized((tickers: ReadonlyArray<Tickers>): ReadonlyMap<string, ReadonlyArray<FiatPair>> => {
  const found = new Map<string, ReadonlyArray<FiatPair>>()
  for (const other of others) {
    for (const { exchange, pairs } of tickers) {
      for (const { base, market, quote } of pairs) {
        const fiat = base === other ? quote : quote === other ? base : undefined
        if (fiat === undefined || !isMarketFiat(fiat)) continue
        const before = found.get(fiat) ?? []
        if (before.some((one) => one.exchange === exchange)) continue
        found.set(fiat, [...before, { exchange, market, other, isQuote: quote === fiat }])
      }
    }
  }
  return found
})
