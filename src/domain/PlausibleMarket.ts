// Checks of market sources' answers: coins, the whole market, hourly prices.
import { DateTime } from "effect"
import { type Coin, noFigures } from "./Coin.ts"
import { compounded, derived, percentAbove } from "./Decimal.ts"
import type { GlobalMarket } from "./GlobalMarket.ts"
import { bounds, type BoundsOf, type Check, isWithin, isWithinFactor, type Plausible, Tally } from "./Plausibility.ts"
import type { PriceHistory } from "./PriceHistory.ts"
import { AHEAD, CAP_FACTOR, jump } from "./Thresholds.ts"

const coinBounds: BoundsOf<Coin> = {
  rank: bounds.rank,
  price: bounds.price,
  market_cap: bounds.coinCap,
  volume_24h: bounds.coinVolume,
  circulating_supply: bounds.supply,
  total_supply: bounds.supply,
  max_supply: bounds.supply,
  change_1h: bounds.change,
  change_24h: bounds.change,
  change_7d: bounds.change,
  high_24h: bounds.price,
  low_24h: bounds.price,
  ath: bounds.price
}

/** A time up to {@link AHEAD} in the future counts as now; `null` for one further ahead. */
const timeOf = (time: DateTime.Utc, now: DateTime.Utc): DateTime.Utc | null =>
  time.epochMilliseconds > now.epochMilliseconds + AHEAD ? null : DateTime.min(time, now)

const newestOf = (times: ReadonlyArray<DateTime.Utc>): DateTime.Utc | undefined =>
  times.length === 0 ? undefined : times.reduce((a, b) => DateTime.max(a, b))

/** Whether a figure was received and dropped. Sources write "unknown" as 0, which does not count. */
const isRefused = (received: number | null, kept: number | null): boolean =>
  kept === null && received !== null && received !== 0

/** Whether a cap contradicts price × circulating supply; false if any of them is unknown. */
const isOffCap = (cap: number | null, price: number | null, supply: number | null): boolean =>
  cap !== null && price !== null && supply !== null && !isWithinFactor(cap, price * supply, CAP_FACTOR)

/**
 * The coin's changes, highs and lows at another price: the changes are against the same prices of the past. Beside a price of its own that
 * is further than a jump away they are not known.
 */
const movedTo = (coin: Coin, price: number, updated: DateTime.Utc): Partial<Coin> => {
  const { ath, high_24h, low_24h, price: own } = coin
  if (own === null || own === price) return {}
  if (!isWithinFactor(price, own, jump.factor)) return UNKNOWN
  const moved = percentAbove(price, own)
  const changeOf = (change: number | null) => {
    const found = change === null ? null : derived(compounded(change, moved))
    return found !== null && isWithin(found, bounds.change) ? found : null
  }
  return {
    change_1h: changeOf(coin.change_1h),
    change_24h: changeOf(coin.change_24h),
    change_7d: changeOf(coin.change_7d),
    high_24h: high_24h === null ? null : Math.max(high_24h, price),
    low_24h: low_24h === null ? null : Math.min(low_24h, price),
    ...(ath !== null && price > ath && { ath: price, ath_date: updated })
  }
}

const UNKNOWN = {
  change_1h: null,
  change_24h: null,
  change_7d: null,
  high_24h: null,
  low_24h: null,
  ath: null,
  ath_date: null
} as const satisfies Partial<Coin>

/** The coin at another price. Its cap becomes `null` if it contradicts that price. */
export const coinAtPrice = (coin: Coin, { price, updated }: Pick<Coin, "price" | "updated">): Coin => ({
  ...coin,
  ...(price !== null && movedTo(coin, price, updated)),
  price,
  updated,
  market_cap: isOffCap(coin.market_cap, price, coin.circulating_supply) ? null : coin.market_cap
})

/** The coin, with `null` for each implausible figure; empty if its own time is in the future. */
const coinOf = (received: Coin, now: DateTime.Utc, tally: Tally): ReadonlyArray<Coin> => {
  const updated = timeOf(received.updated, now)
  if (updated === null) {
    tally.add("updated")
    return []
  }
  const coin = tally.row(received, coinBounds)
  const { circulating_supply, high_24h, low_24h, market_cap, price, volume_24h } = coin
  const worth = price === null || circulating_supply === null ? null : price * circulating_supply
  // A cap beside an impossible price or supply may be a figure of another column, so it is dropped too.
  const isBeside = isRefused(received.price, price) || isRefused(received.circulating_supply, circulating_supply)
  const isCapOff =
    received.market_cap !== null && (isBeside || isOffCap(received.market_cap, price, circulating_supply))
  // If they disagree and the price implies an impossible cap, both are dropped.
  const isPriceOff = isCapOff && worth !== null && !isWithin(worth, bounds.coinCap)
  // If the cap is wrong and the volume is as large as the cap should be, the columns may be swapped.
  const isVolumeOff = isCapOff && worth !== null && volume_24h !== null && isWithinFactor(volume_24h, worth, CAP_FACTOR)
  const areSwapped = high_24h !== null && low_24h !== null && high_24h < low_24h
  if (isCapOff && market_cap !== null) tally.add("market_cap")
  if (isPriceOff) tally.add("price")
  if (isVolumeOff) tally.add("volume_24h")
  if (areSwapped) tally.add("high_24h")
  return [
    {
      ...coin,
      updated,
      price: isPriceOff ? null : price,
      market_cap: isCapOff ? null : market_cap,
      volume_24h: isVolumeOff ? null : volume_24h,
      high_24h: areSwapped ? null : high_24h,
      low_24h: areSwapped ? null : low_24h,
      ath_date: coin.ath_date === null ? null : timeOf(coin.ath_date, now)
    }
  ]
}

const checkedCoins = (
  received: ReadonlyArray<Coin>,
  now: DateTime.Utc,
  instead: (coin: Coin) => ReadonlyArray<Coin>
): Plausible<ReadonlyArray<Coin>> => {
  const tally = new Tally()
  const value = received.flatMap((coin) => {
    const kept = coinOf(coin, now, tally)
    return kept.length === 0 ? instead(coin) : kept
  })
  return { value, leftOut: tally.leftOut, newest: newestOf(value.map(({ updated }) => updated)) }
}

/** A further page of the list: each figure is checked alone. A page that loses all its rows is refused, because it is not the end. */
export const coinPage: Check<ReadonlyArray<Coin>> = (received, { now }) => {
  const checked = checkedCoins(received, now, () => [])
  return received.length > 0 && checked.value?.length === 0 ? { ...checked, value: null } : checked
}

/** Coins requested by id. A row with a time in the future keeps its id and names, because the coin exists, but no figures. */
export const coinsById: Check<ReadonlyArray<Coin>> = (received, { now }) =>
  checkedCoins(received, now, (coin) => [{ ...coin, ...noFigures, ath_date: null, updated: DateTime.makeUnsafe(0) }])

/** A list of the largest coins: refused if half or more of its prices, or of its caps, are dropped. */
export const coinList: Check<ReadonlyArray<Coin>> = (received, circumstances) => {
  const checked = coinPage(received, circumstances)
  const count = (list: ReadonlyArray<Coin>, figure: "price" | "market_cap") =>
    list.filter((coin) => coin[figure] !== null).length
  const isKept = (figure: "price" | "market_cap") =>
    count(received, figure) === 0 || 2 * count(checked.value ?? [], figure) > count(received, figure)
  return isKept("price") && isKept("market_cap") ? checked : { ...checked, value: null }
}

const { market_cap: marketCap, ...otherGlobalBounds }: BoundsOf<GlobalMarket> = {
  market_cap: bounds.marketCap,
  volume_24h: bounds.marketVolume,
  market_cap_change_24h: bounds.change,
  btc_dominance: bounds.share,
  eth_dominance: bounds.share,
  active_coins: bounds.count
}

/** The whole market: refused without a cap, and if the 24 h turnover exceeds the cap, because one of them must be wrong. */
export const globalMarket: Check<GlobalMarket> = ({ market_cap: received, ...others }) => {
  const tally = new Tally()
  const market_cap = tally.bounded("market_cap", received, marketCap)
  const figures = tally.row(others, otherGlobalBounds)
  const isTurnoverOff = market_cap !== null && (figures.volume_24h ?? 0) > market_cap
  if (isTurnoverOff) tally.add("volume_24h")
  const isOverWhole = (figures.btc_dominance ?? 0) + (figures.eth_dominance ?? 0) > 100
  if (isOverWhole) tally.add("btc_dominance")
  const shares = isOverWhole ? { btc_dominance: null, eth_dominance: null } : {}
  const isUsable = market_cap !== null && !isTurnoverOff
  return { value: isUsable ? { ...figures, ...shares, market_cap } : null, leftOut: tally.leftOut }
}

/** Whether no hour jumps from both its neighbours. An hour at an end of the series has only one. */
const isSteady = (prices: ReadonlyArray<number>): boolean => {
  const isNear = (price: number, other: number | undefined) =>
    other !== undefined && isWithinFactor(price, other, jump.factor)
  return prices.length === 1 || prices.every((price, n) => isNear(price, prices[n - 1]) || isNear(price, prices[n + 1]))
}

/** Hourly prices: a coin's series is accepted or refused as a whole. */
export const priceHistories: Check<ReadonlyArray<PriceHistory>> = (received, { now }) => {
  const tally = new Tally()
  const value = received.flatMap((history) => {
    const end = timeOf(history.end, now)
    const isPlausible = history.prices.every((price) => isWithin(price, bounds.price)) && isSteady(history.prices)
    if (end === null || !isPlausible) tally.add("hourly_prices")
    return end === null || !isPlausible ? [] : [{ ...history, end }]
  })
  const newest = newestOf(value.map(({ end }) => end))
  return { value: value.length === 0 ? null : value, leftOut: tally.leftOut, newest }
}
