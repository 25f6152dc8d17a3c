// The answers in CoinGecko's shapes. What this service does not know is `null`, `[]` or `{}`, as CoinGecko itself gives it.
import { Schema } from "effect"
import { figure, JsonNumber } from "../../domain/JsonNumber.ts"
import { empty, no, nothing, text, unknown } from "./shaped.ts"

const inEach = (description: string) =>
  Schema.Record(Schema.String, Schema.NullOr(JsonNumber)).annotate({ description: `By currency: ${description}` })

const names = { id: Schema.String, symbol: Schema.String, name: Schema.String }

/** The highest and the lowest price of 24 hours. */
const ofTheDay = "USD times the rate of `/v1/convert`; none in ngn and coins"

/** `/simple/price`: by coin, then `usd`, `usd_market_cap`, `usd_24h_vol`, `usd_24h_change` for each currency. */
export const SimplePrices = Schema.Record(
  Schema.String,
  Schema.Record(Schema.String, Schema.NullOr(JsonNumber))
).annotate({ identifier: "SimplePrices" })

/** A row of `/coins/list`. */
export const ListedCoin = Schema.Struct({
  ...names,
  platforms: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
}).annotate({ identifier: "ListedCoin" })

/** A row of `/asset_platforms`. */
export const AssetPlatform = Schema.Struct({
  id: Schema.String,
  chain_identifier: unknown,
  name: Schema.String.annotate({ description: "The id: the service knows no other name" }),
  shortname: text,
  native_coin_id: unknown,
  image: empty
}).annotate({ identifier: "AssetPlatform" })

const change = (period: string) =>
  Schema.optionalKey(
    figure(`Change of the price in ${period}, percent; only where price_change_percentage asks for it`)
  )

/** A row of `/coins/markets`. */
export const MarketCoin = Schema.Struct({
  ...names,
  image: Schema.String,
  current_price: figure("Units of the currency for 1 coin, as `/v1/price` answers it"),
  market_cap: figure("USD times the rate of `/v1/convert`"),
  market_cap_rank: figure("Place by market cap"),
  fully_diluted_valuation: unknown,
  total_volume: figure("USD of 24 hours times the rate of `/v1/convert`"),
  high_24h: figure(ofTheDay),
  low_24h: figure(ofTheDay),
  price_change_24h: figure("The price less that of 24 hours before, by price_change_percentage_24h"),
  price_change_percentage_24h: figure("Percent, as `/v1/price` answers it"),
  market_cap_change_24h: unknown,
  market_cap_change_percentage_24h: unknown,
  circulating_supply: figure("Coins in circulation"),
  total_supply: figure("Coins that exist"),
  max_supply: figure("Coins that can ever exist"),
  ath: figure("All-time high; known in usd only"),
  ath_change_percentage: figure("The price above or below it, percent"),
  ath_date: Schema.NullOr(Schema.String),
  atl: unknown,
  atl_change_percentage: unknown,
  atl_date: unknown,
  roi: unknown,
  last_updated: Schema.String,
  market_cap_rank_with_rehypothecated: unknown,
  sparkline_in_7d: Schema.optionalKey(Schema.Struct({ price: nothing })),
  price_change_percentage_1h_in_currency: change("1 hour; known in usd only"),
  price_change_percentage_24h_in_currency: change("24 hours"),
  price_change_percentage_7d_in_currency: change("7 days; known in usd only"),
  price_change_percentage_14d_in_currency: Schema.optionalKey(unknown),
  price_change_percentage_30d_in_currency: Schema.optionalKey(unknown),
  price_change_percentage_200d_in_currency: Schema.optionalKey(unknown),
  price_change_percentage_1y_in_currency: Schema.optionalKey(unknown)
}).annotate({ identifier: "MarketCoin" })

const images = { thumb: Schema.String, small: Schema.String }

export const MarketData = Schema.Struct({
  current_price: inEach("units for 1 coin, as `/v1/price` answers it"),
  total_value_locked: unknown,
  mcap_to_tvl_ratio: unknown,
  fdv_to_tvl_ratio: unknown,
  roi: unknown,
  ath: inEach("all-time high; known in usd only"),
  ath_change_percentage: inEach("the price above or below the all-time high, percent"),
  ath_date: Schema.Record(Schema.String, Schema.NullOr(Schema.String)),
  atl: empty,
  atl_change_percentage: empty,
  atl_date: empty,
  market_cap: inEach("USD times the rate of `/v1/convert`"),
  fully_diluted_valuation: empty,
  market_cap_fdv_ratio: unknown,
  market_cap_rank: figure("Place by market cap"),
  outstanding_token_value_usd: unknown,
  market_cap_rank_with_rehypothecated: unknown,
  total_volume: inEach("USD of 24 hours times the rate of `/v1/convert`"),
  high_24h: inEach(ofTheDay),
  low_24h: inEach(ofTheDay),
  price_change_24h: figure("USD"),
  price_change_percentage_24h: figure("Percent, in USD"),
  price_change_percentage_7d: figure("Percent, in USD"),
  price_change_percentage_14d: unknown,
  price_change_percentage_30d: unknown,
  price_change_percentage_60d: unknown,
  price_change_percentage_200d: unknown,
  price_change_percentage_1y: unknown,
  market_cap_change_24h: unknown,
  market_cap_change_percentage_24h: unknown,
  price_change_24h_in_currency: inEach("the price less that of 24 hours before"),
  price_change_percentage_1h_in_currency: inEach("percent; known in usd only"),
  price_change_percentage_24h_in_currency: inEach("percent, as `/v1/price` answers it"),
  price_change_percentage_7d_in_currency: inEach("percent; known in usd only"),
  price_change_percentage_14d_in_currency: empty,
  price_change_percentage_30d_in_currency: empty,
  price_change_percentage_60d_in_currency: empty,
  price_change_percentage_200d_in_currency: empty,
  price_change_percentage_1y_in_currency: empty,
  market_cap_change_24h_in_currency: empty,
  market_cap_change_percentage_24h_in_currency: empty,
  total_supply: figure("Coins that exist"),
  max_supply: figure("Coins that can ever exist"),
  max_supply_infinite: unknown,
  circulating_supply: figure("Coins in circulation"),
  outstanding_supply: unknown,
  last_updated: Schema.String,
  sparkline_7d: Schema.optionalKey(Schema.Struct({ price: nothing }))
})

export const CommunityData = Schema.Struct({
  facebook_likes: unknown,
  reddit_average_posts_48h: unknown,
  reddit_average_comments_48h: unknown,
  reddit_subscribers: unknown,
  reddit_accounts_active_48h: unknown,
  telegram_channel_user_count: unknown
})

export const DeveloperData = Schema.Struct({
  forks: unknown,
  stars: unknown,
  subscribers: unknown,
  total_issues: unknown,
  closed_issues: unknown,
  pull_requests_merged: unknown,
  pull_request_contributors: unknown,
  code_additions_deletions_4_weeks: Schema.Struct({ additions: unknown, deletions: unknown }),
  commit_count_4_weeks: unknown,
  last_4_weeks_commit_activity_series: nothing
})

const Links = Schema.Struct({
  homepage: nothing,
  whitepaper: text,
  blockchain_site: nothing,
  official_forum_url: nothing,
  chat_url: nothing,
  announcement_url: nothing,
  snapshot_url: unknown,
  twitter_screen_name: text,
  facebook_username: text,
  bitcointalk_thread_identifier: unknown,
  telegram_channel_identifier: text,
  subreddit_url: text,
  repos_url: Schema.Struct({ github: nothing, bitbucket: nothing })
})

/** `/coins/{id}`. */
export const CoinById = Schema.Struct({
  ...names,
  web_slug: unknown,
  asset_platform_id: unknown,
  platforms: Schema.Record(Schema.String, Schema.String),
  detail_platforms: Schema.Record(
    Schema.String,
    Schema.Struct({ decimal_place: unknown, contract_address: Schema.String })
  ),
  block_time_in_minutes: unknown,
  hashing_algorithm: unknown,
  categories: nothing,
  preview_listing: no,
  public_notice: unknown,
  additional_notices: nothing,
  has_supply_breakdown: no,
  localization: Schema.optionalKey(empty),
  description: Schema.Struct({ en: text }),
  links: Links,
  image: Schema.Struct({ ...images, large: Schema.String }),
  country_origin: text,
  genesis_date: unknown,
  sentiment_votes_up_percentage: unknown,
  sentiment_votes_down_percentage: unknown,
  watchlist_portfolio_users: unknown,
  market_cap_rank: figure("Place by market cap"),
  market_cap_rank_with_rehypothecated: unknown,
  status_updates: nothing,
  last_updated: Schema.String,
  market_data: Schema.optionalKey(MarketData),
  community_data: Schema.optionalKey(CommunityData),
  developer_data: Schema.optionalKey(DeveloperData),
  tickers: Schema.optionalKey(nothing)
}).annotate({ identifier: "CoinById" })

/** `/coins/{id}/history`. Without `market_data` nothing was observed in the 7 days before. */
export const CoinOnDay = Schema.Struct({
  ...names,
  localization: Schema.optionalKey(empty),
  image: Schema.Struct(images),
  market_data: Schema.optionalKey(
    Schema.Struct({
      current_price: inEach("units for 1 coin, as `/v1/price` with `at` answers it"),
      market_cap: empty,
      total_volume: empty
    })
  ),
  community_data: Schema.optionalKey(CommunityData),
  developer_data: Schema.optionalKey(DeveloperData),
  public_interest_stats: Schema.Struct({ alexa_rank: unknown, bing_matches: unknown })
}).annotate({ identifier: "CoinOnDay" })

const Pair = Schema.Tuple([JsonNumber, JsonNumber])
const NoPair = Schema.Tuple([JsonNumber, unknown])

/** `/coins/{id}/market_chart`: `[milliseconds, figure]`, oldest first. */
export const MarketChart = Schema.Struct({
  prices: Schema.Array(Pair),
  market_caps: Schema.Array(NoPair),
  total_volumes: Schema.Array(Schema.Tuple([JsonNumber, Schema.NullOr(JsonNumber)]))
}).annotate({ identifier: "MarketChart" })

/** `/coins/{id}/ohlc`: `[milliseconds of its end, open, high, low, close]`, oldest first. */
export const Candles = Schema.Array(
  Schema.Tuple([JsonNumber, JsonNumber, JsonNumber, JsonNumber, JsonNumber])
).annotate({ identifier: "Candles" })

/** `/search`. */
export const Found = Schema.Struct({
  coins: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      name: Schema.String,
      api_symbol: Schema.String,
      symbol: Schema.String,
      market_cap_rank: figure("Place by market cap; null beyond the largest 250"),
      thumb: Schema.String,
      large: Schema.String
    })
  ),
  exchanges: nothing,
  icos: nothing,
  categories: nothing,
  nfts: nothing
}).annotate({ identifier: "Found" })

export const GlobalData = Schema.Struct({
  active_cryptocurrencies: figure("Coins that the source counts"),
  upcoming_icos: unknown,
  ongoing_icos: unknown,
  ended_icos: unknown,
  markets: unknown,
  total_market_cap: inEach("USD times the rate of `/v1/convert`"),
  total_volume: inEach("USD of 24 hours times the rate of `/v1/convert`"),
  market_cap_percentage: inEach("share of the market cap, of btc and eth"),
  market_cap_change_percentage_24h_usd: figure("Percent"),
  volume_change_percentage_24h_usd: unknown,
  updated_at: JsonNumber
})

/** `/global`. */
export const Global = Schema.Struct({ data: GlobalData }).annotate({ identifier: "GlobalData" })

/** `/exchange_rates`. */
export const ExchangeRates = Schema.Struct({
  rates: Schema.Record(
    Schema.String,
    Schema.Struct({
      name: Schema.String,
      unit: Schema.String,
      value: JsonNumber,
      type: Schema.Literals(["crypto", "fiat"])
    })
  )
}).annotate({ identifier: "ExchangeRates", description: "Units of each currency for 1 bitcoin; ngn by the P2P mid" })
