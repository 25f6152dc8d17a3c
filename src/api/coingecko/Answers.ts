// The answers in CoinGecko's shapes. What this service does not know is `null`, `[]` or `{}`, as CoinGecko itself gives it.
import { Schema } from "effect"
import { figure, JsonNumber } from "../../domain/JsonNumber.ts"
import { blank, empty, no, nothing, text, unknown } from "./shaped.ts"

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
  name: Schema.String.annotate({ description: "The id: the service knows no other name" }),
  shortname: text,
  image: empty,
  ...blank(unknown, "chain_identifier native_coin_id")
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
  total_volume: figure("USD of 24 hours times the rate of `/v1/convert`"),
  high_24h: figure(ofTheDay),
  low_24h: figure(ofTheDay),
  price_change_24h: figure("The price less that of 24 hours before, by price_change_percentage_24h"),
  price_change_percentage_24h: figure("Percent, as `/v1/price` answers it"),
  circulating_supply: figure("Coins in circulation"),
  total_supply: figure("Coins that exist"),
  max_supply: figure("Coins that can ever exist"),
  ath: figure("All-time high; known in usd only"),
  ath_change_percentage: figure("The price above or below it, percent"),
  ath_date: Schema.NullOr(Schema.String),
  last_updated: Schema.String,
  sparkline_in_7d: Schema.optionalKey(Schema.Struct({ price: nothing })),
  price_change_percentage_1h_in_currency: change("1 hour; known in usd only"),
  price_change_percentage_24h_in_currency: change("24 hours"),
  price_change_percentage_7d_in_currency: change("7 days; known in usd only"),
  ...blank(
    unknown,
    "fully_diluted_valuation market_cap_change_24h market_cap_change_percentage_24h atl atl_change_percentage",
    "atl_date roi market_cap_rank_with_rehypothecated"
  ),
  ...blank(
    Schema.optionalKey(unknown),
    "price_change_percentage_14d_in_currency price_change_percentage_30d_in_currency",
    "price_change_percentage_200d_in_currency price_change_percentage_1y_in_currency"
  )
}).annotate({ identifier: "MarketCoin" })

const images = { thumb: Schema.String, small: Schema.String }

export const MarketData = Schema.Struct({
  current_price: inEach("units for 1 coin, as `/v1/price` answers it"),
  ath: inEach("all-time high; known in usd only"),
  ath_change_percentage: inEach("the price above or below the all-time high, percent"),
  ath_date: Schema.Record(Schema.String, Schema.NullOr(Schema.String)),
  market_cap: inEach("USD times the rate of `/v1/convert`"),
  market_cap_rank: figure("Place by market cap"),
  total_volume: inEach("USD of 24 hours times the rate of `/v1/convert`"),
  high_24h: inEach(ofTheDay),
  low_24h: inEach(ofTheDay),
  price_change_24h: figure("USD"),
  price_change_percentage_24h: figure("Percent, in USD"),
  price_change_percentage_7d: figure("Percent, in USD"),
  price_change_24h_in_currency: inEach("the price less that of 24 hours before"),
  price_change_percentage_1h_in_currency: inEach("percent; known in usd only"),
  price_change_percentage_24h_in_currency: inEach("percent, as `/v1/price` answers it"),
  price_change_percentage_7d_in_currency: inEach("percent; known in usd only"),
  total_supply: figure("Coins that exist"),
  max_supply: figure("Coins that can ever exist"),
  circulating_supply: figure("Coins in circulation"),
  last_updated: Schema.String,
  sparkline_7d: Schema.optionalKey(Schema.Struct({ price: nothing })),
  ...blank(
    unknown,
    "total_value_locked mcap_to_tvl_ratio fdv_to_tvl_ratio roi market_cap_fdv_ratio",
    "outstanding_token_value_usd market_cap_rank_with_rehypothecated price_change_percentage_14d",
    "price_change_percentage_30d price_change_percentage_60d price_change_percentage_200d",
    "price_change_percentage_1y market_cap_change_24h market_cap_change_percentage_24h max_supply_infinite",
    "outstanding_supply"
  ),
  ...blank(
    empty,
    "atl atl_change_percentage atl_date fully_diluted_valuation price_change_percentage_14d_in_currency",
    "price_change_percentage_30d_in_currency price_change_percentage_60d_in_currency",
    "price_change_percentage_200d_in_currency price_change_percentage_1y_in_currency",
    "market_cap_change_24h_in_currency market_cap_change_percentage_24h_in_currency"
  )
})

export const CommunityData = Schema.Struct({
  ...blank(
    unknown,
    "facebook_likes reddit_average_posts_48h reddit_average_comments_48h reddit_subscribers",
    "reddit_accounts_active_48h telegram_channel_user_count"
  )
})

export const DeveloperData = Schema.Struct({
  code_additions_deletions_4_weeks: Schema.Struct({ additions: unknown, deletions: unknown }),
  last_4_weeks_commit_activity_series: nothing,
  ...blank(
    unknown,
    "forks stars subscribers total_issues closed_issues pull_requests_merged pull_request_contributors",
    "commit_count_4_weeks"
  )
})

const Links = Schema.Struct({
  repos_url: Schema.Struct({ github: nothing, bitbucket: nothing }),
  ...blank(nothing, "homepage blockchain_site official_forum_url chat_url announcement_url"),
  ...blank(text, "whitepaper twitter_screen_name facebook_username telegram_channel_identifier subreddit_url"),
  ...blank(unknown, "snapshot_url bitcointalk_thread_identifier")
})

/** `/coins/{id}`. */
export const CoinById = Schema.Struct({
  ...names,
  platforms: Schema.Record(Schema.String, Schema.String),
  detail_platforms: Schema.Record(
    Schema.String,
    Schema.Struct({ decimal_place: unknown, contract_address: Schema.String })
  ),
  localization: Schema.optionalKey(empty),
  description: Schema.Struct({ en: text }),
  links: Links,
  image: Schema.Struct({ ...images, large: Schema.String }),
  market_cap_rank: figure("Place by market cap"),
  last_updated: Schema.String,
  market_data: Schema.optionalKey(MarketData),
  community_data: Schema.optionalKey(CommunityData),
  developer_data: Schema.optionalKey(DeveloperData),
  tickers: Schema.optionalKey(nothing.annotate({ description: "Not known here: `/coins/{id}/tickers` lists them" })),
  country_origin: text,
  ...blank(
    unknown,
    "web_slug asset_platform_id block_time_in_minutes hashing_algorithm public_notice genesis_date",
    "sentiment_votes_up_percentage sentiment_votes_down_percentage watchlist_portfolio_users",
    "market_cap_rank_with_rehypothecated"
  ),
  ...blank(nothing, "categories additional_notices status_updates"),
  ...blank(no, "preview_listing has_supply_breakdown")
}).annotate({ identifier: "CoinById" })

const inThree = (description: string) =>
  Schema.Struct({ btc: figure(description), eth: figure(description), usd: figure(description) })

const Market = Schema.Struct({
  name: Schema.String,
  identifier: Schema.String.annotate({ description: "CoinGecko's id of the exchange" }),
  has_trading_incentive: unknown
})

export const Ticker = Schema.Struct({
  base: Schema.String,
  target: Schema.String,
  market: Market,
  last: figure("The last trade, in the target"),
  volume: figure("Units of the base traded in 24 hours"),
  converted_last: inThree("1 unit of the base at `price` of `/v1/coins/{id}/tickers`"),
  converted_volume: inThree("`turnover_usd` of `/v1/coins/{id}/tickers`"),
  trust_score: unknown,
  bid_ask_spread_percentage: figure("Ask less bid, percent of the ask"),
  timestamp: Schema.String.annotate({ description: "When the ticker was observed, by the exchange's clock" }),
  last_traded_at: unknown,
  last_fetch_at: Schema.String.annotate({ description: "As `timestamp`" }),
  is_anomaly: unknown,
  is_stale: Schema.Boolean.annotate({ description: "Whether the ticker is older than two minutes" }),
  ...blank(unknown, "trade_url token_info_url"),
  coin_id: Schema.String,
  target_coin_id: Schema.NullOr(Schema.String).annotate({ description: "null if the target is a fiat" }),
  coin_mcap_usd: figure("Market cap, USD")
}).annotate({ identifier: "Ticker" })

/** `/coins/{id}/tickers`. */
export const CoinTickers = Schema.Struct({ name: Schema.String, tickers: Schema.Array(Ticker) }).annotate({
  identifier: "CoinTickers"
})

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
  ...blank(nothing, "exchanges icos categories nfts")
}).annotate({ identifier: "Found" })

export const GlobalData = Schema.Struct({
  active_cryptocurrencies: figure("Coins that the source counts"),
  total_market_cap: inEach("USD times the rate of `/v1/convert`"),
  total_volume: inEach("USD of 24 hours times the rate of `/v1/convert`"),
  market_cap_percentage: inEach("share of the market cap, of btc and eth"),
  market_cap_change_percentage_24h_usd: figure("Percent"),
  updated_at: JsonNumber,
  ...blank(unknown, "upcoming_icos ongoing_icos ended_icos markets volume_change_percentage_24h_usd")
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
