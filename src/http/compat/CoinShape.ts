// A single coin in CoinGecko's shape. Members without data in this service (texts, links, votes, repositories, markets) are
// blank.
import { DateTime, Record } from "effect"
import { CoinById, CommunityData, DeveloperData, MarketData } from "../../api/coingecko/Answers.ts"
import type { QueryOf } from "../../api/coingecko/CoinGeckoApi.ts"
import { shaped } from "../../api/coingecko/shaped.ts"
import type { Coin } from "../../domain/Coin.ts"
import type { Snapshot } from "../../domain/Snapshot.ts"
import type { Platforms } from "../../services/Coins.ts"
import { computed, figure } from "../handlers/figure.ts"
import { changeOf, dailyRate, imageOf, type InEach, inVs, sinceHigh } from "./CompatAnswer.ts"
import type { DollarRate, Quotes } from "./Quotes.ts"

interface Money {
  readonly quotes: Quotes
  readonly rateOf: DollarRate
  readonly inEach: InEach
}

const inUsd = <A>(value: A | null): Readonly<Record<string, A>> => (value === null ? {} : { usd: value })

const marketData = (snapshot: Snapshot<Coin>, { inEach, quotes, rateOf }: Money, hasSparkline: boolean) => {
  const coin = snapshot.value
  const usd = quotes(snapshot, "usd")
  return shaped(MarketData, {
    current_price: inEach((vs) => figure(quotes(snapshot, vs)?.price)),
    ath: inUsd(figure(coin.ath)),
    ath_change_percentage: inUsd(computed(sinceHigh(coin))),
    ath_date: inUsd(coin.ath_date && DateTime.formatIso(coin.ath_date)),
    market_cap: inEach((vs) => inVs(coin.market_cap, rateOf(vs))),
    market_cap_rank: coin.rank,
    total_volume: inEach((vs) => inVs(coin.volume_24h, rateOf(vs))),
    high_24h: inEach((vs) => inVs(coin.high_24h, dailyRate(vs, rateOf(vs)))),
    low_24h: inEach((vs) => inVs(coin.low_24h, dailyRate(vs, rateOf(vs)))),
    price_change_24h: computed(changeOf(usd)),
    price_change_percentage_24h: figure(coin.change_24h),
    price_change_percentage_7d: figure(coin.change_7d),
    price_change_24h_in_currency: inEach((vs) => computed(changeOf(quotes(snapshot, vs)))),
    price_change_percentage_1h_in_currency: inUsd(figure(coin.change_1h)),
    price_change_percentage_24h_in_currency: inEach((vs) => figure(quotes(snapshot, vs)?.change_24h)),
    price_change_percentage_7d_in_currency: inUsd(figure(coin.change_7d)),
    total_supply: figure(coin.total_supply),
    max_supply: figure(coin.max_supply),
    circulating_supply: figure(coin.circulating_supply),
    last_updated: DateTime.formatIso(coin.updated),
    ...(hasSparkline && { sparkline_7d: { price: [] } })
  })
}

/** Blank: this service collects no data on communities and repositories. */
export const community = shaped(CommunityData)
export const developer = shaped(DeveloperData)

/** A coin with its own chain has no contract, which CoinGecko writes as `{ "": "" }`. */
const shownPlatforms = (platforms: Platforms): Readonly<Record<string, string>> => {
  if (platforms === null) return {}
  return Object.keys(platforms).length === 0 ? { "": "" } : platforms
}

export const coinShape = (snapshot: Snapshot<Coin>, known: Platforms, money: Money, parts: QueryOf<"coin">) => {
  const coin = snapshot.value
  const platforms = shownPlatforms(known)
  return shaped(CoinById, {
    id: coin.id,
    symbol: coin.symbol.toLowerCase(),
    name: coin.name,
    platforms,
    detail_platforms: Record.map(platforms, (contract_address) => ({ decimal_place: null, contract_address })),
    ...(parts.localization !== false && { localization: {} }),
    image: {
      thumb: imageOf(coin.image, "thumb"),
      small: imageOf(coin.image, "small"),
      large: imageOf(coin.image, "large")
    },
    market_cap_rank: coin.rank,
    last_updated: DateTime.formatIso(coin.updated),
    ...(parts.market_data !== false && { market_data: marketData(snapshot, money, parts.sparkline === true) }),
    ...(parts.community_data !== false && { community_data: community }),
    ...(parts.developer_data !== false && { developer_data: developer }),
    ...(parts.tickers !== false && { tickers: [] })
  })
}
