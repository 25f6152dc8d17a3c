// What a fiat costs on the exchanges: the consensus of its pairs with dollars, stablecoins, bitcoin and ether, whose prices in dollars are
// known. As for coins, no minority of the exchanges moves it.
import { type Consensus, consensusOf, LEAST_EXCHANGES, type Voice } from "./Consensus.ts"
import { figureOf, isMarketFiat, LEAST_TURNOVER, type Pair } from "./Pair.ts"
import { fiatMarket } from "./Thresholds.ts"

/** The price of a fiat on the exchanges, in USD, by code. {@link isCredible} decides whether it may be used. */
export type FiatMarkets = ReadonlyMap<string, Consensus>

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
      const found = consensusOf(some, 1)
      return found === undefined ? [] : [[fiat, found]]
    })
  )
}

const isWithin = (share: number, one: number, other: number): boolean => Math.abs(one / other - 1) <= share

/** Whether a rate of exchanges may be used. Units of the fiat for 1 USD; `official` is `undefined` without a fresh one. */
export const isCredible = (
  { exchanges, rate }: Pick<Consensus, "exchanges"> & { readonly rate: number },
  official: number | undefined
): boolean => {
  if (official !== undefined && !isWithin(fiatMarket.far, rate, official)) return false
  const [one, other] = exchanges
  if (exchanges.length >= LEAST_EXCHANGES) return true
  if (one !== undefined && other !== undefined) return isWithin(fiatMarket.two, one.price, other.price)
  return official !== undefined && isWithin(fiatMarket.alone, rate, official)
}
