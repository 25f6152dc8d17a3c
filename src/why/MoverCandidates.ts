// Reads coins as candidates for the list of movers: what they trade, how much they move by themselves, and what they
// only follow.
import { DateTime, Duration } from "effect"
import type { Coin } from "../domain/Coin.ts"
import { byId } from "../domain/CoinRegistry.ts"
import type { PriceHistory } from "../domain/PriceHistory.ts"
import { memoized, rememberOf } from "../domain/rememberEach.ts"
import { inCommon, pricesByHour, returnsByHour } from "./HourlyPrices.ts"
import { betaOfReturns, categoriesOf, type MarketFacts } from "./MarketFacts.ts"
import type { MoverCandidate } from "./Movers.ts"
import { correlationOf, mean, median, variance } from "./Statistics.ts"

/** The last day is compared with the days before it. */
const JUDGED_HOURS = 24

/** Sigma and correlation need at least this many hours. */
const LEAST_HOURS = 48

/** A row that its source observed longer ago says nothing about now. */
const FRESH = Duration.hours(2)

export const candidatesAt = (facts: MarketFacts, now: DateTime.Utc): ((coin: Coin) => MoverCandidate) => {
  const habitsOf = habitsBeside(facts.history.get("bitcoin"), facts.history.get("ethereum"))
  const oldest = DateTime.subtractDuration(now, FRESH)
  return (coin) => {
    const history = facts.history.get(coin.id)
    const habits = history === undefined ? undefined : habitsOf(history)
    return {
      id: coin.id,
      name: coin.name,
      rank: coin.rank,
      categories: [...categoriesOf(coin.id), ...peggedCategories(coin.id)],
      marketCap: coin.market_cap,
      volume24h: coin.volume_24h,
      // The change of a day that ended long ago is not today's, and of a price that sources dispute none is known.
      change24h:
        DateTime.isLessThan(coin.updated, oldest) || facts.disputed?.has(coin.id) === true ? null : coin.change_24h,
      sigma: habits?.sigma ?? null,
      hourly: history?.prices ?? [],
      isFollower: habits?.isFollower ?? false
    }
  }
}

/** How a coin usually moves. Histories change every few hours and runs come every few minutes, so each history is read once. */
const habitsBeside = memoized((bitcoin: PriceHistory | undefined, ether: PriceHistory | undefined) =>
  rememberOf((history: PriceHistory) => ({
    sigma: bitcoin === undefined ? null : sigmaOf(history, bitcoin),
    isFollower: isDollar(history) || [bitcoin, ether].some((leader) => leader !== undefined && follows(history, leader))
  }))
)

/** The category of what the registry says that a coin is pegged to. */
const peggedCategories = (id: string): ReadonlyArray<string> => {
  const peg = byId(id)?.peg ?? null
  if (peg === null) return []
  return [peg === "usd" || peg === "eur" ? "stablecoins" : peg === "xau" ? "tokenized-gold" : "wrapped-tokens"]
}

/** Standard deviation of a day's return without bitcoin's part in it, percent: the hourly one times the root of 24. */
const sigmaOf = (history: PriceHistory, bitcoin: PriceHistory): number | null => {
  const [returns, market] = [returnsByHour(history), returnsByHour(bitcoin)]
  const usual = { ...returns, values: returns.values.subarray(0, -JUDGED_HOURS) }
  const beta = history.id === "bitcoin" ? 0 : (betaOfReturns(usual, market) ?? 1)
  const [own, led] = inCommon(usual, market)
  const residuals = own.map((change, n) => change - beta * (led[n] ?? 0))
  return residuals.length < LEAST_HOURS ? null : Math.sqrt(variance(residuals) * 24) * 100
}

/** Whether a price is nearer than this to what it follows, in the mean, as a share. */
const NEAR = 0.01

const isDollar = ({ prices }: PriceHistory): boolean =>
  prices.length >= 24 &&
  Math.max(...prices) / Math.min(...prices) < 1.02 &&
  mean(prices.map((price) => Math.abs(price - 1))) < NEAR

/** Whether a price moves as another does, at its usual multiple: a receipt that bears interest is worth 1.2 of its asset. */
const follows = (history: PriceHistory, leader: PriceHistory): boolean => {
  if (history.id === leader.id) return false
  const [own, led] = inCommon(returnsByHour(history), returnsByHour(leader))
  if (own.length < LEAST_HOURS || correlationOf(own, led) <= 0.99) return false
  const [prices, others] = inCommon(pricesByHour(history), pricesByHour(leader))
  const ratios = prices.map((price, n) => price / (others[n] ?? 0))
  const usual = median(ratios) ?? 0
  return mean(ratios.map((ratio) => Math.abs(ratio / usual - 1))) < NEAR
}
