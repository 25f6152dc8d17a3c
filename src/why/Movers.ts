// Selects the movers (WHY.md §3.1): large and traded coins with a price of their own that can be relied on, whose
// change reaches a threshold in the coin's own measure; five each way at most. Hysteresis keeps the list from
// flickering.
import { DateTime, Duration } from "effect"
import type { NotAMoverReason } from "../domain/Explanation.ts"
import { UNRELIABLE_HOUR } from "../domain/Thresholds.ts"
import data from "./data/movers.json" with { type: "json" }
import { median } from "./Statistics.ts"

/** A coin as selection sees it. Changes are percent, money is USD. */
export interface MoverCandidate {
  readonly id: string
  readonly name: string
  readonly rank: number | null
  readonly categories: ReadonlyArray<string>
  readonly marketCap: number | null
  readonly volume24h: number | null
  readonly change24h: number | null
  /** Standard deviation of its daily residual returns, percent; `null` where unknown. */
  readonly sigma: number | null
  /** Hourly prices, oldest first. */
  readonly hourly: ReadonlyArray<number>
  /** Whether its price only follows the dollar's, bitcoin's or ether's. */
  readonly isFollower: boolean
}

const rules = {
  /** Coins by rank that are looked at. */
  universe: 250,
  /** Volume of 24 hours, USD, and as a share of the market cap. */
  volumeFloor: 5e6,
  turnoverFloor: 0.005,
  /** Hourly prices that must be known. */
  hoursKnown: 48,
  /** Least change, percent, and in sigmas of the coin. */
  threshold: 5,
  sigmas: 2,
  /** Most gainers, and most losers. */
  perSide: 5,
  /** A listed coin leaves once it has been under this share of its threshold for `grace`. */
  stay: 0.8,
  grace: Duration.minutes(30)
}

const excludedCategories: ReadonlySet<string> = new Set(data.categories)
const excludedIds: ReadonlySet<string> = new Set(data.ids)
const excludedNames = data.names.map((pattern) => new RegExp(pattern, "i"))

/** Whether a coin has no price of its own: a stablecoin, a receipt, a fund, a stock, a metal, or what moves like one. */
export const isExcluded = (coin: MoverCandidate): boolean =>
  excludedIds.has(coin.id) ||
  coin.categories.some((category) => excludedCategories.has(category)) ||
  excludedNames.some((name) => name.test(coin.name)) ||
  coin.isFollower

/** Whether too few prices are known, or the last is so far from those of the hours before that it may be wrong. */
const isUnreliable = ({ hourly }: MoverCandidate): boolean => {
  const last = hourly.at(-1)
  const usual = median(hourly.slice(-4, -1))
  if (hourly.length < rules.hoursKnown || last === undefined || usual === null) return true
  return usual > 0 && Math.abs(last / usual - 1) > UNRELIABLE_HOUR
}

/** What a change must reach, percent: five, or two of the coin's own sigmas. */
export const thresholdOf = (coin: MoverCandidate): number =>
  Math.max(rules.threshold, coin.sigma === null || !Number.isFinite(coin.sigma) ? 0 : rules.sigmas * coin.sigma)

/** What keeps a coin off the list whatever its change; `null` for nothing. */
export const barrierOf = (coin: MoverCandidate): NotAMoverReason | null => {
  if (isExcluded(coin)) return "excluded_category"
  if (coin.rank === null || coin.rank > rules.universe) return "below_rank_floor"
  const { volume24h, marketCap } = coin
  if (volume24h === null || volume24h < rules.volumeFloor) return "below_liquidity_floor"
  if (marketCap !== null && volume24h < rules.turnoverFloor * marketCap) return "below_liquidity_floor"
  return coin.change24h === null || isUnreliable(coin) ? "unreliable_price" : null
}

/** The coins on the list, by id: since when each is under `stay` of its threshold, `null` where it is not. */
export type MoversState = ReadonlyMap<string, DateTime.Utc | null>

/** The state of a coin that moved this much, percent; `undefined` where it is not on the list, or no longer. */
const listedOf = (
  size: number,
  threshold: number,
  before: DateTime.Utc | null | undefined,
  now: DateTime.Utc
): DateTime.Utc | null | undefined => {
  if (size >= (before === undefined ? 1 : rules.stay) * threshold) return null
  if (before === undefined) return undefined
  const belowSince = before ?? now
  return DateTime.isGreaterThanOrEqualTo(now, DateTime.addDuration(belowSince, rules.grace)) ? undefined : belowSince
}

/** The list at this time, by size of change, and the state for the next step. */
export const step = (before: MoversState, coins: ReadonlyArray<MoverCandidate>, now: DateTime.Utc) => {
  const standing = coins.flatMap((coin) => {
    const { change24h, id } = coin
    if (change24h === null || barrierOf(coin) !== null) return []
    const listed = listedOf(Math.abs(change24h), thresholdOf(coin), before.get(id), now)
    return listed === undefined ? [] : [{ id, change24h, listed }]
  })
  type Mover = (typeof standing)[number]
  // A listed coin goes before a coin of the same size, so that the fifth place does not flicker.
  const weight = ({ change24h, id }: Mover): number => Math.abs(change24h) * (before.has(id) ? 1 / rules.stay : 1)
  const side = (sign: number): ReadonlyArray<Mover> =>
    standing
      .filter(({ change24h }) => Math.sign(change24h) === sign)
      .toSorted((a, b) => weight(b) - weight(a) || (a.id < b.id ? -1 : 1))
      .slice(0, rules.perSide)
  const movers = [...side(1), ...side(-1)].toSorted(
    (a, b) => Math.abs(b.change24h) - Math.abs(a.change24h) || (a.id < b.id ? -1 : 1)
  )
  const state: MoversState = new Map(movers.map(({ id, listed }) => [id, listed]))
  return { state, movers }
}
