// Selects the movers (WHY.md §3.1): large and traded coins with a price of their own that can be relied on, whose
// change reaches a threshold in the coin's own measure; five each way at most.
import { DateTime, Duration } from "effect"
import type { Coin } from "../domain/Coin.ts"
import { byId } from "../domain/CoinRegistry.ts"
import type { NotAMoverReason } from "../domain/Explanation.ts"
import type { PriceHistory } from "../domain/PriceHistory.ts"
import { memoized, rememberOf } from "../domain/rememberEach.ts"
import { UNRELIABLE_HOUR } from "../domain/Thresholds.ts"
import data from "./data/movers.json" with { type: "json" }
import { betaOf, type MarketFacts } from "./MarketFacts.ts"
import { inCommon, median, returnsByHour, slopeOf, variance } from "./Statistics.ts"

export interface MoverCandidate {
  readonly coin: Pick<Coin, "id" | "name" | "rank" | "market_cap" | "volume_24h">
  /** Percent; `null` where it is unknown, old or disputed. */
  readonly change24h: number | null
  /** Standard deviation of its daily residual returns, percent; `null` where unknown. */
  readonly sigma: number | null
  /** Hourly prices, oldest first. */
  readonly hourly: ReadonlyArray<number>
  /** Whether its price only follows that of another asset. */
  readonly isFollower: boolean
}

/** Volumes and changes are of 24 hours, in USD and percent; a turnover is a share of the market cap. */
const rules = {
  lowestRank: 250,
  leastVolume: 5e6,
  leastTurnover: 0.005,
  hoursKnown: 48,
  leastChange: 5,
  leastSigmas: 2,
  perSide: 5,
  /** A listed coin leaves under this share of its threshold. */
  stay: 0.8
}

/** A row that its source observed longer ago says nothing about now. */
const FRESH = Duration.hours(2)

export const candidatesAt = (facts: MarketFacts, now: DateTime.Utc): ((coin: Coin) => MoverCandidate) => {
  const habitsOf = habitsBeside(facts.history.get("bitcoin"), facts.history.get("ethereum"))
  const oldest = DateTime.subtractDuration(now, FRESH)
  return (coin) => {
    const history = facts.history.get(coin.id)
    const habits = history && habitsOf(history)
    const isKnown = !DateTime.isLessThan(coin.updated, oldest) && facts.disputed?.has(coin.id) !== true
    return {
      coin,
      change24h: isKnown ? coin.change_24h : null,
      sigma: habits?.sigma ?? null,
      hourly: history?.prices ?? [],
      isFollower: (byId(coin.id)?.peg ?? null) !== null || habits?.isFollower === true
    }
  }
}

/** How a coin usually moves. Histories change every few hours and runs come every few minutes, so each history is read once. */
const habitsBeside = memoized((bitcoin: PriceHistory | undefined, ether: PriceHistory | undefined) =>
  rememberOf((history: PriceHistory) => ({
    sigma: bitcoin === undefined ? null : sigmaOf(history, bitcoin),
    isFollower: [bitcoin, ether].some((leader) => leader !== undefined && follows(history, leader))
  }))
)

/** Standard deviation of a day's return without bitcoin's part in it, percent: the hourly one times the root of 24. */
const sigmaOf = (history: PriceHistory, bitcoin: PriceHistory): number | null => {
  const [returns, market] = [returnsByHour(history), returnsByHour(bitcoin)]
  // Without the day that is judged.
  const usual = { ...returns, values: returns.values.subarray(0, -24) }
  const beta = history.id === "bitcoin" ? 0 : (betaOf(usual, market) ?? 1)
  const [own, led] = inCommon(usual, market)
  const residuals = own.map((change, n) => change - beta * (led[n] ?? 0))
  return residuals.length < rules.hoursKnown ? null : Math.sqrt(variance(residuals) * 24) * 100
}

/** Whether a price moves as another does, whatever its multiple: a receipt that bears interest is worth 1.2 of its asset. */
const follows = (history: PriceHistory, leader: PriceHistory): boolean => {
  const [own, led] = inCommon(returnsByHour(history), returnsByHour(leader))
  // The product of both slopes is the square of the correlation.
  const square = (slopeOf(own, led) ?? 0) * (slopeOf(led, own) ?? 0)
  return history.id !== leader.id && own.length >= rules.hoursKnown && square > 0.98
}

const excludedIds: ReadonlySet<string> = new Set(data.ids)
const excludedNames = data.names.map((pattern) => new RegExp(pattern, "i"))

/** Whether too few prices are known, or the last is so far from those of the hours before that it may be wrong. */
const isUnreliable = ({ hourly }: MoverCandidate): boolean => {
  const last = hourly.at(-1)
  const usual = median(hourly.slice(-4, -1))
  if (hourly.length < rules.hoursKnown || last === undefined || usual === null) return true
  return usual > 0 && Math.abs(last / usual - 1) > UNRELIABLE_HOUR
}

/** What a change must reach, percent: five, or two of the coin's own sigmas. */
export const thresholdOf = ({ sigma }: MoverCandidate): number =>
  Math.max(rules.leastChange, sigma === null || !Number.isFinite(sigma) ? 0 : rules.leastSigmas * sigma)

/** What keeps a coin off the list whatever its change; `null` for nothing. */
export const barrierOf = (candidate: MoverCandidate): NotAMoverReason | null => {
  const { id, market_cap, name, rank, volume_24h } = candidate.coin
  // A stablecoin, a receipt, a fund, a stock, a metal, or what moves like one has no price of its own.
  if (candidate.isFollower || excludedIds.has(id) || excludedNames.some((excluded) => excluded.test(name)))
    return "excluded_category"
  if (rank === null || rank > rules.lowestRank) return "below_rank_floor"
  if (volume_24h === null || volume_24h < Math.max(rules.leastVolume, rules.leastTurnover * (market_cap ?? 0)))
    return "below_liquidity_floor"
  return candidate.change24h === null || isUnreliable(candidate) ? "unreliable_price" : null
}

/** The ids of the movers, by size of change. `before`: those on the list until now. */
export const moversIn = (
  before: ReadonlySet<string>,
  candidates: ReadonlyArray<MoverCandidate>
): ReadonlyArray<string> => {
  const standing = candidates.flatMap((candidate) => {
    const { id } = candidate.coin
    const change = candidate.change24h
    if (change === null || barrierOf(candidate) !== null) return []
    // A listed coin counts for more, so that the list does not flicker.
    const weight = Math.abs(change) / (before.has(id) ? rules.stay : 1)
    return weight >= thresholdOf(candidate) ? [{ id, change, weight }] : []
  })
  const side = (sign: number) =>
    standing
      .filter(({ change }) => Math.sign(change) === sign)
      .toSorted((a, b) => b.weight - a.weight || (a.id < b.id ? -1 : 1))
      .slice(0, rules.perSide)
  return [...side(1), ...side(-1)]
    .toSorted((a, b) => Math.abs(b.change) - Math.abs(a.change) || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id)
}
