// What a fiat costs on the exchanges: the consensus of its pairs with dollars, stablecoins, bitcoin and ether, whose prices in dollars are
// known. As for coins, no minority of the exchanges moves it. The rules for using such a rate are here, for live prices and those of the past.
import { type Consensus, consensusOf, LEAST_EXCHANGES, type Voice } from "./Consensus.ts"
import type { Confidence } from "./P2pRate.ts"
import { figureOf, isMarketFiat, LEAST_TURNOVER, type Pair } from "./Pair.ts"
import { fiatMarket } from "./Thresholds.ts"

/** A rate of exchanges. */
export interface FiatRate {
  /** Units of the fiat for 1 USD. */
  readonly rate: number
  /** `high`: of at least three exchanges; `medium`: of two that agree; `low`: of one; null if that was not recorded. */
  readonly confidence: Confidence | null
}

/** The consensus on the price of a fiat in USD, and the rate that follows from it. */
export interface FiatMarket extends Consensus, FiatRate {}

/** By code. */
export type FiatMarkets = ReadonlyMap<string, FiatMarket>

interface Listed {
  readonly exchange: string
  readonly pair: Pair
}

/** The fiat of a pair and what its other side costs, if that is known. `dollars`: prices in USD by symbol. */
const sidesOf = ({ base, quote }: Pair, dollars: ReadonlyMap<string, number>) => {
  const isQuote = isMarketFiat(quote)
  const [fiat, other] = isQuote ? [quote, base] : [base, quote]
  const dollar = dollars.get(other)
  return dollar === undefined || !isMarketFiat(fiat) ? undefined : { fiat, dollar, isQuote }
}

const isWithin = (share: number, one: number, other: number): boolean => Math.abs(one / other - 1) <= share

/** How sure a rate of these exchanges is; `undefined` if there are two that differ. */
const confidenceOf = (exchanges: Consensus["exchanges"]): Confidence | undefined => {
  const [one, other] = exchanges
  if (exchanges.length >= LEAST_EXCHANGES) return "high"
  if (one === undefined || other === undefined) return "low"
  return isWithin(fiatMarket.two, one.price, other.price) ? "medium" : undefined
}

/** The consensus of voices on the price of a fiat in USD, if there is one. */
export const fiatMarketOf = (voices: ReadonlyArray<Voice>): FiatMarket | undefined => {
  const found = consensusOf(voices, 1)
  const confidence = found && confidenceOf(found.exchanges)
  return found === undefined || confidence === undefined ? undefined : { ...found, rate: 1 / found.price, confidence }
}

/** The consensus on each fiat. `dollars`: the prices of `USD`, stablecoins, `BTC` and `ETH` in USD. */
export const fiatMarketsOf = (listed: ReadonlyArray<Listed>, dollars: ReadonlyMap<string, number>): FiatMarkets => {
  const voices = new Map<string, Array<Voice>>()
  for (const { exchange, pair } of listed) {
    const sides = sidesOf(pair, dollars)
    const figure = sides === undefined ? undefined : figureOf(pair)
    if (sides === undefined || figure === undefined) continue
    const { dollar, fiat, isQuote } = sides
    const price = isQuote ? dollar / figure : dollar * figure
    const weight = pair.turnover * (isQuote ? price : dollar)
    if (!(weight >= LEAST_TURNOVER)) continue
    const voice = { exchange, market: pair.market, price, weight, observedAt: pair.observedAt }
    voices.set(fiat, [...(voices.get(fiat) ?? []), voice])
  }
  return new Map(
    [...voices].flatMap(([fiat, some]) => {
      const found = fiatMarketOf(some)
      return found === undefined ? [] : [[fiat, found]]
    })
  )
}

/** Whether a rate of exchanges may be used. `official`: units of the fiat for 1 USD, `undefined` without a fresh one. */
export const isCredible = ({ confidence, rate }: FiatRate, official: number | undefined): boolean => {
  const isAlone = confidence === "low" || confidence === null
  if (official === undefined) return !isAlone
  return isWithin(isAlone ? fiatMarket.alone : fiatMarket.far, rate, official)
}

/** Whether a rate of exchanges is of about the time of a coin's price. Both in epoch milliseconds. */
export const isBeside = (rateAt: number, coinAt: number): boolean => coinAt - rateAt <= fiatMarket.older
