// A coin by itself in CoinGecko's shape. Everything that this service does not collect (texts, links, votes, repositories,
// markets) is empty.
import { DateTime } from "effect"
import type { Coin } from "../../domain/Coin.ts"
import type { Snapshot } from "../../domain/Snapshot.ts"
import { vsCurrencies } from "../../domain/VsCurrency.ts"
import type { Platforms } from "../../services/Coins.ts"
import { computed, figure, type Figure } from "./CompatAnswer.ts"
import { changeOf, dailyRate, imageOf, inVs, sinceHigh } from "./MarketRow.ts"
import type { DollarRates, Quotes } from "./Quotes.ts"

/** The parts of a coin's answer that a caller may leave out, and the one that it may ask for. */
export interface Parts {
  readonly localization?: boolean
  readonly tickers?: boolean
  readonly market_data?: boolean
  readonly community_data?: boolean
  readonly developer_data?: boolean
  readonly sparkline?: boolean
}

/** Members by currency, those left out that are not known. */
const inEach = (valueOf: (vs: string) => Figure): Readonly<Record<string, Figure>> =>
  Object.fromEntries(
    vsCurrencies.flatMap((vs) => {
      const value = valueOf(vs)
      return value === null ? [] : [[vs, value]]
    })
  )

const inUsd = <A>(value: A | null): Readonly<Record<string, A>> => (value === null ? {} : { usd: value })

const marketData = (held: Snapshot<Coin>, quotes: Quotes, rates: DollarRates, hasSparkline: boolean) => {
  const coin = held.value
  const rateOf = (vs: string) => rates.get(vs) ?? null
  const usd = quotes(held, "usd")
  return {
    current_price: inEach((vs) => figure(quotes(held, vs)?.price)),
    total_value_locked: null,
    mcap_to_tvl_ratio: null,
    fdv_to_tvl_ratio: null,
    roi: null,
    ath: inUsd(figure(coin.ath)),
    ath_change_percentage: inUsd(computed(sinceHigh(coin))),
    ath_date: inUsd(coin.ath_date && DateTime.formatIso(coin.ath_date)),
    atl: {},
    atl_change_percentage: {},
    atl_date: {},
    market_cap: inEach((vs) => inVs(coin.market_cap, rateOf(vs))),
    fully_diluted_valuation: {},
    market_cap_fdv_ratio: null,
    market_cap_rank: coin.rank,
    outstanding_token_value_usd: null,
    market_cap_rank_with_rehypothecated: null,
    total_volume: inEach((vs) => inVs(coin.volume_24h, rateOf(vs))),
    high_24h: inEach((vs) => inVs(coin.high_24h, dailyRate(vs, rateOf(vs)))),
    low_24h: inEach((vs) => inVs(coin.low_24h, dailyRate(vs, rateOf(vs)))),
    price_change_24h: computed(changeOf(usd)),
    price_change_percentage_24h: figure(coin.change_24h),
    price_change_percentage_7d: figure(coin.change_7d),
    price_change_percentage_14d: null,
    price_change_percentage_30d: null,
    price_change_percentage_60d: null,
    price_change_percentage_200d: null,
    price_change_percentage_1y: null,
    market_cap_change_24h: null,
    market_cap_change_percentage_24h: null,
    price_change_24h_in_currency: inEach((vs) => computed(changeOf(quotes(held, vs)))),
    price_change_percentage_1h_in_currency: inUsd(figure(coin.change_1h)),
    price_change_percentage_24h_in_currency: inEach((vs) => figure(quotes(held, vs)?.change)),
    price_change_percentage_7d_in_currency: inUsd(figure(coin.change_7d)),
    price_change_percentage_14d_in_currency: {},
    price_change_percentage_30d_in_currency: {},
    price_change_percentage_60d_in_currency: {},
    price_change_percentage_200d_in_currency: {},
    price_change_percentage_1y_in_currency: {},
    market_cap_change_24h_in_currency: {},
    market_cap_change_percentage_24h_in_currency: {},
    total_supply: figure(coin.total_supply),
    max_supply: figure(coin.max_supply),
    max_supply_infinite: null,
    circulating_supply: figure(coin.circulating_supply),
    outstanding_supply: null,
    last_updated: DateTime.formatIso(coin.updated),
    ...(hasSparkline && { sparkline_7d: { price: [] } })
  }
}

/** Nothing of this is collected. */
export const unknown = {
  links: {
    homepage: [],
    whitepaper: "",
    blockchain_site: [],
    official_forum_url: [],
    chat_url: [],
    announcement_url: [],
    snapshot_url: null,
    twitter_screen_name: "",
    facebook_username: "",
    bitcointalk_thread_identifier: null,
    telegram_channel_identifier: "",
    subreddit_url: "",
    repos_url: { github: [], bitbucket: [] }
  },
  community: {
    facebook_likes: null,
    reddit_average_posts_48h: null,
    reddit_average_comments_48h: null,
    reddit_subscribers: null,
    reddit_accounts_active_48h: null,
    telegram_channel_user_count: null
  },
  developer: {
    forks: null,
    stars: null,
    subscribers: null,
    total_issues: null,
    closed_issues: null,
    pull_requests_merged: null,
    pull_request_contributors: null,
    code_additions_deletions_4_weeks: { additions: null, deletions: null },
    commit_count_4_weeks: null,
    last_4_weeks_commit_activity_series: []
  }
}

/** The body of `/coins/{id}`. */
export const coinShape = (
  held: Snapshot<Coin>,
  platforms: Platforms,
  { quotes, rates }: { readonly quotes: Quotes; readonly rates: DollarRates },
  parts: Parts
) => {
  const coin = held.value
  return {
    id: coin.id,
    symbol: coin.symbol.toLowerCase(),
    name: coin.name,
    web_slug: null,
    asset_platform_id: null,
    platforms: platforms ?? {},
    detail_platforms: Object.fromEntries(
      Object.entries(platforms ?? {}).map(([platform, address]) => [
        platform,
        { decimal_place: null, contract_address: address }
      ])
    ),
    block_time_in_minutes: null,
    hashing_algorithm: null,
    categories: [],
    preview_listing: false,
    public_notice: null,
    additional_notices: [],
    has_supply_breakdown: false,
    ...(parts.localization !== false && { localization: {} }),
    description: { en: "" },
    links: unknown.links,
    image: {
      thumb: imageOf(coin.image, "thumb"),
      small: imageOf(coin.image, "small"),
      large: imageOf(coin.image, "large")
    },
    country_origin: "",
    genesis_date: null,
    sentiment_votes_up_percentage: null,
    sentiment_votes_down_percentage: null,
    watchlist_portfolio_users: null,
    market_cap_rank: coin.rank,
    market_cap_rank_with_rehypothecated: null,
    status_updates: [],
    last_updated: DateTime.formatIso(coin.updated),
    ...(parts.market_data !== false && { market_data: marketData(held, quotes, rates, parts.sparkline === true) }),
    ...(parts.community_data !== false && { community_data: unknown.community }),
    ...(parts.developer_data !== false && { developer_data: unknown.developer }),
    ...(parts.tickers !== false && { tickers: [] })
  }
}
