// The rules of what is believed, one for each kind of row. `Judge.ts` applies them.
import { Schema } from "effect"
import { Coin } from "../../domain/Coin.ts"
import { USDC, USDT } from "../../domain/CoinId.ts"
import { startOfDay } from "../../domain/FxRates.ts"
import { GlobalMarket } from "../../domain/GlobalMarket.ts"
import { OFFICIAL_FIAT, OfficialRate } from "../../domain/OfficialRate.ts"
import { isWithinFactor } from "../../domain/Plausibility.ts"
import * as Plausible from "../../domain/PlausibleMarket.ts"
import { isPossibleRate, officialRate } from "../../domain/PlausibleRates.ts"
import type { PriceHistory } from "../../domain/PriceHistory.ts"
import { releaseRates } from "../../domain/releaseRates.ts"
import * as SeriesName from "../../history/store/SeriesName.ts"
import { firstRate, jump, OUTLIER_FACTOR, rateJump, stablecoinJump } from "../../domain/Thresholds.ts"
import type { Rules } from "./Verdict.ts"

/** The key of rows whose price is a consensus of exchanges. */
export const EXCHANGES = "exchanges"

const isStablecoin = (id: string): boolean => id === USDT || id === USDC

const compared = ["market_cap", "volume_24h", "circulating_supply", "total_supply", "max_supply"] as const

/** The coin with `null` for each cap, supply or volume that differs more than 10-fold from that of every other source with one. */
export const withoutOutliers = (coin: Coin, others: ReadonlyArray<Coin>): Coin => {
  const outliers = compared.filter((figure) => {
    const [own, theirs] = [coin[figure], others.flatMap((other) => other[figure] ?? [])]
    return own !== null && theirs.length > 0 && theirs.every((other) => !isWithinFactor(own, other, OUTLIER_FACTOR))
  })
  return outliers.length === 0 ? coin : { ...coin, ...Object.fromEntries(outliers.map((figure) => [figure, null])) }
}

/** Looked-up coins, by their price in USD. There are thousands: only their figures are saved, and none is recorded. */
export const lookedUp: Rules<Coin> = {
  figures: ({ price }) => [price],
  jump: (id) => (isStablecoin(id) ? stablecoinJump : jump),
  expected: (id) => (isStablecoin(id) ? [1] : undefined),
  kindOf: ({ key }) => (key === EXCHANGES ? "exchanges" : "aggregators"),
  isCrossChecked: true,
  withoutOutliers
}

/** Coins, by their price in USD. */
export const coins: Rules<Coin> = {
  ...lookedUp,
  saved: Coin,
  plausible: (coin, _id, now) => Plausible.coinPage([coin], { now }).value?.[0] ?? null,
  seriesOf: SeriesName.coin
}

/** One currency's rate, units per 1 USD, and its day. */
const FxRow = Schema.Struct({ rate: Schema.Finite, day: Schema.String })

export type FxRow = typeof FxRow.Type

const rates = {
  jump: () => rateJump,
  first: firstRate,
  isNewerFirst: true
} as const

const releaseRate = (code: string) => {
  const rate = releaseRates[code]
  return rate === undefined ? undefined : [rate]
}

/** Fiat rates, currency by currency. */
export const fx: Rules<FxRow> = {
  ...rates,
  saved: FxRow,
  plausible: (row) => (isPossibleRate(row.rate) ? row : null),
  figures: ({ rate }) => [rate],
  seriesOf: SeriesName.fiat,
  expected: releaseRate,
  saidAt: ({ day }) => startOfDay(day).epochMilliseconds
}

export const official: Rules<OfficialRate> = {
  ...rates,
  saved: OfficialRate,
  plausible: (rate, _key, now) => officialRate(rate, { now }).value,
  figures: ({ rate }) => [rate],
  seriesOf: () => SeriesName.OFFICIAL,
  expected: () => releaseRate(OFFICIAL_FIAT),
  saidAt: ({ date }) => startOfDay(date).epochMilliseconds
}

/** The book of a venue, by its mid. A book without one is an answer too. The record has the mid of all venues of the fiat. */
export const book = <A>(fiat: string, mid: (book: A) => number | null): Rules<A> => ({
  figures: (book) => [mid(book)],
  jump: () => jump,
  seriesOf: () => SeriesName.p2p(fiat),
  isEmptyServed: true
})

/** The whole market. The number of coins is not compared: sources count differently. */
export const global: Rules<GlobalMarket> = {
  saved: GlobalMarket,
  plausible: (market, _key, now) => Plausible.globalMarket(market, { now }).value,
  figures: ({ btc_dominance, eth_dominance, market_cap, volume_24h }) => [
    market_cap,
    volume_24h,
    btc_dominance,
    eth_dominance
  ],
  jump: () => jump
}

/** Hourly prices, by the last one of each series. */
export const hourly: Rules<PriceHistory> = {
  figures: ({ prices }) => [prices.at(-1) ?? null],
  jump: () => jump
}

/** Answers without figures, such as a registry or news. */
export const figureless: Pick<Rules<unknown>, "figures" | "jump"> = { figures: () => [], jump: () => jump }
