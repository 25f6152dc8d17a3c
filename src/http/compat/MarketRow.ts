// A row of `/coins/markets`. Money in other currencies than the dollar is given at the dollar's present rate, except what
// that would make up: a high of 24 hours in a currency that moved with the coin, and an all-time high.
import { DateTime } from "effect"
import type { QueryOf } from "../../api/coingecko/CoinGeckoApi.ts"
import type { Coin } from "../../domain/Coin.ts"
import { coinOfVs } from "../../domain/VsCurrency.ts"
import { computed, figure } from "../handlers/Answer.ts"
import { type Figure, price } from "./CompatAnswer.ts"
import type { Quote } from "./Quotes.ts"

/** The name of the image where CoinGecko has none, by size. */
const missing = (size: string): string => `missing_${size}.png`

/** The address of a coin's image in one of CoinGecko's sizes. Images of other sources have one size. */
export const imageOf = (image: string | null, size: "thumb" | "small" | "large"): string =>
  image === null ? missing(size) : size === "large" ? image : image.replace("/large/", `/${size}/`)

/** A USD figure at a rate of the dollar. At 1 it keeps its source's digits. */
export const inVs = (value: number | null, rate: number | null) =>
  rate === 1 ? figure(value) : computed(value === null || rate === null ? null : value * rate)

/** The rate for a high or low of 24 hours: none in what is quoted all day long. */
export const dailyRate = (vs: string, rate: number | null): number | null =>
  vs === "ngn" || coinOfVs(vs) !== undefined ? null : rate

/** By how much a price changed in 24 hours. */
export const changeOf = (quote: Quote | undefined): number | null =>
  quote === undefined || quote.change_24h === null ? null : quote.price - quote.price / (1 + quote.change_24h / 100)

/** How far a price is above or below the all-time high, percent. */
export const sinceHigh = ({ ath, price }: Coin): number | null =>
  ath === null || price === null ? null : (price / ath - 1) * 100

/** The computed figures of a coin in USD, once for each refresh: rounding them takes as long as the rest of a row. */
const usdFigures = new WeakMap<Coin, { readonly change: Figure; readonly sinceHigh: Figure }>()

const usdFiguresOf = (coin: Coin, quote: Quote | undefined) => {
  const known = usdFigures.get(coin)
  if (known !== undefined) return known
  const figures = { change: computed(changeOf(quote)), sinceHigh: computed(sinceHigh(coin)) }
  usdFigures.set(coin, figures)
  return figures
}

const changeIn = (period: string, coin: Coin, vs: string, quote: Quote | undefined) => {
  if (period === "24h") return figure(quote?.change_24h)
  if (vs !== "usd") return null
  return period === "1h" ? figure(coin.change_1h) : period === "7d" ? figure(coin.change_7d) : null
}

/** The row of a coin. `rate`: units of the currency for 1 USD, `null` where it is not known. */
export const marketRow = (
  coin: Coin,
  quote: Quote | undefined,
  rate: number | null,
  { precision, price_change_percentage: periods = [], sparkline = false, vs_currency: vs }: QueryOf<"markets">
) => {
  const usd = vs === "usd" ? usdFiguresOf(coin, quote) : undefined
  const day = dailyRate(vs, rate)
  return {
    id: coin.id,
    symbol: coin.symbol.toLowerCase(),
    name: coin.name,
    image: imageOf(coin.image, "large"),
    current_price: price(quote?.price ?? null, precision),
    market_cap: inVs(coin.market_cap, rate),
    market_cap_rank: coin.rank,
    fully_diluted_valuation: null,
    total_volume: inVs(coin.volume_24h, rate),
    high_24h: inVs(coin.high_24h, day),
    low_24h: inVs(coin.low_24h, day),
    price_change_24h: usd === undefined ? computed(changeOf(quote)) : usd.change,
    price_change_percentage_24h: figure(quote?.change_24h),
    market_cap_change_24h: null,
    market_cap_change_percentage_24h: null,
    circulating_supply: figure(coin.circulating_supply),
    total_supply: figure(coin.total_supply),
    max_supply: figure(coin.max_supply),
    ath: usd === undefined ? null : figure(coin.ath),
    ath_change_percentage: usd === undefined ? null : usd.sinceHigh,
    ath_date: usd === undefined || coin.ath_date === null ? null : DateTime.formatIso(coin.ath_date),
    atl: null,
    atl_change_percentage: null,
    atl_date: null,
    roi: null,
    last_updated: DateTime.formatIso(coin.updated),
    market_cap_rank_with_rehypothecated: null,
    ...(sparkline && { sparkline_in_7d: { price: [] } }),
    ...(periods.length > 0 &&
      Object.fromEntries(
        periods.map((period) => [`price_change_percentage_${period}_in_currency`, changeIn(period, coin, vs, quote)])
      ))
  }
}
