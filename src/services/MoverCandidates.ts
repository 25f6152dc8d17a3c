// A coin as the selection of movers looks at it: what it trades, how much it moves by itself, and whether it only follows.
import type { Coin } from "../domain/Coin.ts"
import type { PriceHistory } from "../domain/PriceHistory.ts"
import type { MoverCandidate } from "../why/Movers.ts"
import { betaOf, categoriesOf, type MarketFacts, mean, returnsByHour } from "./MarketFacts.ts"

/** The last day is what is to be judged; what is usual is told from the days before it. */
const JUDGED_HOURS = 24

/** A deviation of less than two days of hours says nothing. */
const LEAST_HOURS = 48

/** The candidate that a coin is. */
export const candidateOf = (coin: Coin, facts: MarketFacts): MoverCandidate => {
  const history = facts.history.get(coin.id)
  return {
    id: coin.id,
    symbol: coin.symbol,
    name: coin.name,
    rank: coin.rank,
    categories: categoriesOf(coin.id),
    marketCap: coin.market_cap,
    volume24h: coin.volume_24h,
    change24h: coin.change_24h,
    sigma: sigmaOf(history, facts.history.get("bitcoin")),
    hourly: history?.prices ?? [],
    follows: history === undefined ? [] : followsOf(coin.id, history, facts),
    recentVolumeRatio: null,
    disagreementPct: null
  }
}

/** Standard deviation of a day's return beyond bitcoin's part in it, in percent: the hourly one times the root of 24. */
const sigmaOf = (coin: PriceHistory | undefined, bitcoin: PriceHistory | undefined): number | null => {
  if (coin === undefined || bitcoin === undefined) return null
  const beta = betaOf(coin, bitcoin) ?? 1
  const market = returnsByHour(bitcoin)
  const residuals = [...returnsByHour(coin)]
    .slice(0, -JUDGED_HOURS)
    .flatMap(([hour, own]) => (market.has(hour) ? [own - beta * (market.get(hour) ?? 0)] : []))
  if (residuals.length < LEAST_HOURS) return null
  const centre = mean(residuals)
  return Math.sqrt(mean(residuals.map((value) => (value - centre) ** 2)) * 24) * 100
}

const followsOf = (id: string, history: PriceHistory, facts: MarketFacts): MoverCandidate["follows"] => {
  const toDollar = {
    to: "usd" as const,
    correlation: 0,
    gapPct: mean(history.prices.map((price) => Math.abs(price - 1))) * 100
  }
  const toCoins = (
    [
      ["btc", "bitcoin"],
      ["eth", "ethereum"]
    ] as const
  ).flatMap(([to, leader]) => {
    const led = facts.history.get(leader)
    if (led === undefined || leader === id) return []
    const length = Math.min(led.prices.length, history.prices.length)
    const own = history.prices.slice(-length)
    const theirs = led.prices.slice(-length)
    const gaps = own.map((price, n) => Math.abs(price / (theirs[n] ?? price) - 1))
    return [{ to, correlation: correlationOf(returnsByHour(history), returnsByHour(led)), gapPct: mean(gaps) * 100 }]
  })
  return [toDollar, ...toCoins]
}

const correlationOf = (a: ReadonlyMap<number, number>, b: ReadonlyMap<number, number>): number => {
  const pairs = [...a].flatMap(([hour, x]) => (b.has(hour) ? [[x, b.get(hour) ?? 0] as const] : []))
  if (pairs.length < LEAST_HOURS) return 0
  const meanA = mean(pairs.map(([x]) => x))
  const meanB = mean(pairs.map(([, y]) => y))
  const covariance = mean(pairs.map(([x, y]) => (x - meanA) * (y - meanB)))
  const spread = Math.sqrt(mean(pairs.map(([x]) => (x - meanA) ** 2)) * mean(pairs.map(([, y]) => (y - meanB) ** 2)))
  return spread === 0 ? 0 : covariance / spread
}
