// Selects the movers (WHY.md §3.1): large and traded coins with a price of their own that can be relied on, whose
// change reaches a threshold in the coin's own measure; five each way at most. Hysteresis keeps the list from
// flickering.
import { DateTime } from "effect"
import data from "./data/movers.json" with { type: "json" }
import { median } from "./Statistics.ts"

/** A coin as selection sees it. Changes are percent, money is USD. */
export interface MoverCandidate {
  readonly id: string
  readonly symbol: string
  readonly name: string
  readonly rank: number | null
  readonly categories: ReadonlyArray<string>
  readonly marketCap: number | null
  readonly volume24h: number | null
  readonly change24h: number | null
  /** Standard deviation of its daily residual returns, percent; `null` where unknown. */
  readonly sigma: number | null
  /** Hourly prices, oldest first; `null` where one is missing. */
  readonly hourly: ReadonlyArray<number | null>
  /** Correlation of its hourly returns over seven days with what it may follow, and the mean gap to it, percent. */
  readonly follows: ReadonlyArray<{
    readonly to: "usd" | "btc" | "eth"
    readonly correlation: number
    readonly gapPct: number
  }>
  /** Volume of the last hours over the usual; `null` where unknown. */
  readonly recentVolumeRatio: number | null
  /** Largest difference between sources on its price, percent; `null` where unknown. */
  readonly disagreementPct: number | null
}

/** Why a coin is not a mover. */
export type NotAMoverReason =
  | "below_threshold"
  | "below_liquidity_floor"
  | "below_rank_floor"
  | "excluded_category"
  | "unreliable_price"

/** The limits of selection. */
interface MoverRules {
  /** Coins by rank that are looked at. */
  readonly universe: number
  /** Volume of 24 hours, USD, and as a share of the market cap. */
  readonly volumeFloor: number
  readonly turnoverFloor: number
  /** Hourly prices that must be known. */
  readonly hoursKnown: number
  /** Least change, percent, and in sigmas of the coin. */
  readonly threshold: number
  readonly sigmas: number
  /** Most gainers, and most losers. */
  readonly perSide: number
  /** A listed coin leaves once it has been under this share of its threshold for `grace` milliseconds. */
  readonly stay: number
  readonly grace: number
}

const rules: MoverRules = {
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

const excludedCategories: ReadonlySet<string> = new Set(data.categories)
const excludedIds: ReadonlySet<string> = new Set(data.ids)
const excludedNames = data.names.map((pattern) => new RegExp(pattern, "i"))

/**
 * Whether a coin has no price of its own: a stablecoin, a receipt, a fund, a stock, a metal, or what moves like one.
 */
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

/** Whether the last price may be wrong: far from the last hours without trade, or disputed between sources. */
const isUnreliable = (coin: MoverCandidate): boolean => {
  if (coin.disagreementPct !== null && coin.disagreementPct > 10) return true
  const prices = coin.hourly.filter((price) => price !== null)
  const last = prices.at(-1)
  const usual = median(prices.slice(-4, -1))
  if (last === undefined || usual === null || usual <= 0) return false
  return Math.abs(last / usual - 1) > 0.4 && (coin.recentVolumeRatio ?? 1) < 1.5
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
  if (coin.change24h === null || coin.hourly.filter((price) => price !== null).length < rules.hoursKnown)
    return "unreliable_price"
  return isUnreliable(coin) ? "unreliable_price" : null
}

/** The coins on the list, since when, and since when under `stay` of their threshold. */
export interface MoversState {
  readonly members: ReadonlyMap<string, { readonly since: DateTime.Utc; readonly belowSince: DateTime.Utc | null }>
}

/** The state before the first step: nothing is listed. */
export const emptyState: MoversState = { members: new Map() }

/** One row of the list. */
export interface Mover {
  readonly id: string
  readonly change24h: number
  readonly threshold: number
}

/** The list at this time, by size of change, and the state for the next step. */
export const step = (
  state: MoversState,
  coins: ReadonlyArray<MoverCandidate>,
  now: DateTime.Utc
): { readonly state: MoversState; readonly movers: ReadonlyArray<Mover> } => {
  const millis = DateTime.toEpochMillis(now)
  const members = new Map<string, { readonly since: DateTime.Utc; readonly belowSince: DateTime.Utc | null }>()
  const standing = coins.flatMap((coin): ReadonlyArray<Mover> => {
    if (coin.change24h === null || barrierOf(coin) !== null) return []
    const threshold = thresholdOf(coin)
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
  // A listed coin goes before a coin of the same size, so that the fifth place does not flicker.
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

/** Why a coin is not on the list. */
export const reasonFor = (coin: MoverCandidate): NotAMoverReason => barrierOf(coin) ?? "below_threshold"
