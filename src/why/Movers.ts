// Which coins are movers (WHY.md §3.1): a universe by size and trade, what does not move on its own left out, sanity, a threshold in
// the coin's own measure, five each way, and a list that does not flicker. A pure step: the state goes in and comes out.
import { DateTime } from "effect"
import * as Data from "./data/movers.json" with { type: "json" }

/** What selection looks at. */
export interface MoverCandidate {
  readonly id: string
  readonly symbol: string
  readonly name: string
  readonly rank: number | null
  readonly categories: ReadonlyArray<string>
  readonly marketCap: number | null
  readonly volume24h: number | null
  readonly change24h: number | null
  /** Standard deviation of its daily residual returns, in percent; `null` until it is known. */
  readonly sigma: number | null
  /** Prices by the hour, oldest first; `null` where one is missing. */
  readonly hourly: ReadonlyArray<number | null>
  /** Correlation of its hourly returns with what it may follow, over seven days, and the mean gap to it in percent. */
  readonly follows: ReadonlyArray<{
    readonly to: "usd" | "btc" | "eth"
    readonly correlation: number
    readonly gapPct: number
  }>
  /** Volume of the last hours against the usual; 1 when nothing is special. */
  readonly recentVolumeRatio: number | null
  /** Largest difference between sources on its price, in percent. */
  readonly disagreementPct: number | null
}

/** Why a coin is not a mover. */
export type NotAMover =
  | "below_threshold"
  | "below_liquidity_floor"
  | "below_rank_floor"
  | "excluded_category"
  | "unreliable_price"

/** Limits. */
export interface MoverRules {
  readonly universe: number
  readonly volumeFloor: number
  readonly turnoverFloor: number
  readonly hoursKnown: number
  readonly threshold: number
  readonly sigmas: number
  readonly perSide: number
  readonly stay: number
  readonly grace: number
}

/** The design's limits. */
export const defaultRules: MoverRules = {
  universe: 250,
  volumeFloor: 5e6,
  turnoverFloor: 0.005,
  hoursKnown: 48,
  threshold: 5,
  sigmas: 2,
  perSide: 5,
  stay: 0.8,
  grace: 30 * 60_000
}

const excludedCategories: ReadonlySet<string> = new Set(Data.default.categories)
const excludedIds: ReadonlySet<string> = new Set(Data.default.ids)
const excludedNames = Data.default.names.map((pattern) => new RegExp(pattern, "i"))

/** Whether a coin is one by its own account: no stablecoin, receipt, fund, stock or metal. */
export const isExcluded = (coin: MoverCandidate): boolean =>
  excludedIds.has(coin.id) ||
  coin.categories.some((category) => excludedCategories.has(category)) ||
  excludedNames.some((name) => name.test(coin.name)) ||
  coin.follows.some(
    ({ to, correlation, gapPct }) =>
      (correlation > 0.99 || to === "usd") && Math.abs(gapPct) < 1 && (to !== "usd" || isFlat(coin))
  )

const isFlat = ({ hourly }: MoverCandidate): boolean => {
  const prices = hourly.filter((price) => price !== null)
  return prices.length >= 24 && Math.max(...prices) / Math.min(...prices) < 1.02
}

const median = (values: ReadonlyArray<number>): number | null => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? null)
    : sorted.length === 0
      ? null
      : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

/** Whether the last price may be a slip: far from the last hours on no trade, or disputed between sources. */
export const isUnreliable = (coin: MoverCandidate): boolean => {
  if (coin.disagreementPct !== null && coin.disagreementPct > 10) return true
  const prices = coin.hourly.filter((price) => price !== null)
  const last = prices.at(-1)
  const usual = median(prices.slice(-4, -1))
  if (last === undefined || usual === null || usual <= 0) return false
  return Math.abs(last / usual - 1) > 0.4 && (coin.recentVolumeRatio ?? 1) < 1.5
}

/** What a change must reach, in percent: five, or two of the coin's own sigmas. */
export const thresholdOf = (coin: MoverCandidate, rules: MoverRules = defaultRules): number =>
  Math.max(rules.threshold, coin.sigma === null || !Number.isFinite(coin.sigma) ? 0 : rules.sigmas * coin.sigma)

/** Why a coin cannot be a mover whatever its change; `null` when it can. */
export const barrierOf = (coin: MoverCandidate, rules: MoverRules = defaultRules): NotAMover | null => {
  if (isExcluded(coin)) return "excluded_category"
  if (coin.rank === null || coin.rank > rules.universe) return "below_rank_floor"
  const { volume24h, marketCap } = coin
  if (volume24h === null || volume24h < rules.volumeFloor) return "below_liquidity_floor"
  if (marketCap !== null && volume24h < rules.turnoverFloor * marketCap) return "below_liquidity_floor"
  if (coin.change24h === null || coin.hourly.filter((price) => price !== null).length < Math.min(rules.hoursKnown, 24))
    return "unreliable_price"
  return isUnreliable(coin) ? "unreliable_price" : null
}

/** Who is on the list, and since when those under the line are. */
export interface MoversState {
  readonly members: ReadonlyMap<string, { readonly since: DateTime.Utc; readonly belowSince: DateTime.Utc | null }>
}

/** Nobody. */
export const emptyState: MoversState = { members: new Map() }

/** One row of the list. */
export interface Mover {
  readonly id: string
  readonly change24h: number
  readonly threshold: number
}

/** One step: the list at this time, and the state for the next. In at the threshold; out under 0.8 of it for half an hour. */
export const step = (
  state: MoversState,
  coins: ReadonlyArray<MoverCandidate>,
  now: DateTime.Utc,
  rules: MoverRules = defaultRules
): { readonly state: MoversState; readonly movers: ReadonlyArray<Mover> } => {
  const millis = DateTime.toEpochMillis(now)
  const members = new Map<string, { readonly since: DateTime.Utc; readonly belowSince: DateTime.Utc | null }>()
  const standing = coins.flatMap((coin): ReadonlyArray<Mover> => {
    if (coin.change24h === null || barrierOf(coin, rules) !== null) return []
    const threshold = thresholdOf(coin, rules)
    const size = Math.abs(coin.change24h)
    const before = state.members.get(coin.id)
    if (size >= threshold) members.set(coin.id, { since: before?.since ?? now, belowSince: null })
    else if (before === undefined) return []
    else if (size >= rules.stay * threshold) members.set(coin.id, { since: before.since, belowSince: null })
    else {
      const belowSince = before.belowSince ?? now
      if (millis - DateTime.toEpochMillis(belowSince) >= rules.grace) return []
      members.set(coin.id, { since: before.since, belowSince })
    }
    return [{ id: coin.id, change24h: coin.change24h, threshold }]
  })
  // Whoever was listed goes before whoever is as large, so that the fifth place does not flicker.
  const weight = (mover: Mover): number =>
    Math.abs(mover.change24h) * (state.members.has(mover.id) ? 1 / rules.stay : 1)
  const side = (sign: number): ReadonlyArray<Mover> =>
    standing
      .filter(({ change24h }) => Math.sign(change24h) === sign)
      .toSorted((a, b) => weight(b) - weight(a) || (a.id < b.id ? -1 : 1))
      .slice(0, rules.perSide)
  const movers = [...side(1), ...side(-1)].toSorted(
    (a, b) => Math.abs(b.change24h) - Math.abs(a.change24h) || (a.id < b.id ? -1 : 1)
  )
  const listed = new Set(movers.map(({ id }) => id))
  return { state: { members: new Map([...members].filter(([id]) => listed.has(id))) }, movers }
}

/** Why a known coin is not on the list. */
export const reasonFor = (coin: MoverCandidate, rules: MoverRules = defaultRules): NotAMover =>
  barrierOf(coin, rules) ?? "below_threshold"
