// Reads coins as candidates for the list of movers: what they trade, how much they move by themselves, and what they
// only follow.
import { DateTime, Duration } from "effect"
import type { Coin } from "../domain/Coin.ts"
import { byId } from "../domain/CoinRegistry.ts"
import type { PriceHistory } from "../domain/PriceHistory.ts"
import { inCommon, pricesByHour, returnsByHour } from "./HourlyPrices.ts"
import { betaOfReturns, categoriesOf, type MarketFacts } from "./MarketFacts.ts"
import type { MoverCandidate } from "./Movers.ts"
import { correlationOf, mean, median, variance } from "./Statistics.ts"

/** The last day is what is judged; what is usual is told by the days before it. */
const JUDGED_HOURS = 24

/** Sigma and correlation need at least this many hours. */
const LEAST_HOURS = 48

/** A row that its source observed longer ago says nothing about now. */
const FRESH = Duration.hours(2)

export const candidatesAt = (facts: MarketFacts, now: DateTime.Utc): ((coin: Coin) => MoverCandidate) => {
  const leaders = ["bitcoin", "ethereum"].flatMap((id) => facts.history.get(id) ?? [])
  const oldest = DateTime.subtractDuration(now, FRESH)
  return (coin) => {
    const history = facts.history.get(coin.id)
    const habits = history === undefined ? undefined : habitsOf(history, leaders)
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
      follows: habits?.follows ?? []
    }
  }
}

/** What past prices tell of a coin, and the histories of the coins that it may follow. */
interface Habits extends Pick<MoverCandidate, "sigma" | "follows"> {
  readonly from: ReadonlyArray<PriceHistory>
}

/** Histories change every few hours, and runs are made every few minutes: a history is compared with the leaders' once. */
const known = new WeakMap<PriceHistory, Habits>()

const habitsOf = (history: PriceHistory, leaders: ReadonlyArray<PriceHistory>): Habits => {
  const held = known.get(history)
  if (held?.from.length === leaders.length && leaders.every((leader, n) => leader === held.from[n])) return held
  const bitcoin = leaders.find(({ id }) => id === "bitcoin")
  const habits = {
    sigma: bitcoin === undefined ? null : sigmaOf(history, bitcoin),
    follows: followsOf(history, leaders),
    from: leaders
  }
  known.set(history, habits)
  return habits
}

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

const followsOf = (history: PriceHistory, leaders: ReadonlyArray<PriceHistory>): MoverCandidate["follows"] => [
  { to: "usd", correlation: 0, gapPct: mean(history.prices.map((price) => Math.abs(price - 1))) * 100 },
  ...leaders
    .filter(({ id }) => id !== history.id)
    .map((leader) => {
      const [own, led] = inCommon(returnsByHour(history), returnsByHour(leader))
      return {
        to: leader.id,
        correlation: own.length < LEAST_HOURS ? 0 : correlationOf(own, led),
        gapPct: gapOf(history, leader)
      }
    })
]

/** Mean distance of a price from its usual multiple of another, percent: a receipt that bears interest is worth 1.2 of its asset. */
const gapOf = (history: PriceHistory, led: PriceHistory): number => {
  const [own, other] = inCommon(pricesByHour(history), pricesByHour(led))
  const ratios = own.map((price, n) => price / (other[n] ?? 0))
  const usual = median(ratios)
  return usual === null ? Number.POSITIVE_INFINITY : mean(ratios.map((ratio) => Math.abs(ratio / usual - 1))) * 100
}
