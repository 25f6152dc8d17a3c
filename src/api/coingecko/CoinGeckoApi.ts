// The contract for programs made for CoinGecko: its paths, parameters and shapes, answered with this service's figures.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { described, cacheable } from "../Described.ts"
import { UnknownCoin } from "../Problems.ts"
import * as Answers from "./Answers.ts"
import { compatContract } from "../compat/CompatDocument.ts"
import { coinGecko, documentedErrors } from "./CoinGeckoDialect.ts"
import * as P from "./Parameters.ts"

const optional = Schema.optionalKey
const refusedNames = { names: optional(P.Names), symbols: optional(P.Symbols) }

/** What `/simple/price` and `/simple/token_price` have in common. */
const pricing = {
  vs_currencies: P.VsCurrencies,
  include_market_cap: optional(P.Flag),
  include_24hr_vol: optional(P.Flag),
  include_24hr_change: optional(P.Flag),
  include_last_updated_at: optional(P.Flag),
  precision: P.Precision
}

const coinQuery = {
  localization: optional(P.Flag),
  tickers: optional(P.Flag),
  market_data: optional(P.Flag),
  community_data: optional(P.Flag),
  developer_data: optional(P.Flag),
  sparkline: optional(P.Flag)
}

/** The platform is called `id`, as CoinGecko calls it. */
const byContract = { id: P.Platform, contract_address: P.Address }

export class CoinGeckoNow extends HttpApiGroup.make("coingecko", { topLevel: true })
  .add(
    HttpApiEndpoint.get("ping", "/ping", { success: Schema.Struct({ gecko_says: Schema.String }) }).annotateMerge(
      described("Whether the service answers", "Costs a request, as every endpoint.")
    ),
    HttpApiEndpoint.get("simplePrice", "/simple/price", {
      query: { ids: P.Ids, ...pricing, ...refusedNames },
      success: Answers.SimplePrices,
      error: [UnknownCoin]
    }).annotateMerge(
      cacheable(
        "Prices of coins",
        "Ids that no source knows, or that cannot be looked up now, are left out, as are currencies that are not known; a coin " +
          "without a price is `{}`. At most 5,000 prices at once."
      )
    ),
    HttpApiEndpoint.get("tokenPrice", "/simple/token_price/:platform", {
      params: { platform: P.Platform },
      query: { contract_addresses: P.Addresses, ...pricing },
      success: Answers.SimplePrices,
      error: [UnknownCoin]
    }).annotateMerge(
      cacheable(
        "Prices of tokens by their contracts",
        "By address, those that start with `0x` in lower case. Contracts that no coin has are left out. At most 5,000 prices at once."
      )
    ),
    HttpApiEndpoint.get("vsCurrencies", "/simple/supported_vs_currencies", {
      success: Schema.Array(Schema.String)
    }).annotateMerge(
      cacheable(
        "The currencies that figures can be asked in",
        "Every fiat of `/v1/fx`, ten of the largest coins (btc, eth, ltc, bch, bnb, xrp, xlm, link, dot, sol), and the parts of a bitcoin, bits and sats."
      )
    ),
    HttpApiEndpoint.get("list", "/coins/list", {
      query: { include_platform: optional(P.Flag), status: P.Status },
      success: Schema.Array(Answers.ListedCoin)
    }).annotateMerge(cacheable("Every coin", "Ids, symbols and names, with contract addresses where asked.")),
    HttpApiEndpoint.get("markets", "/coins/markets", {
      query: {
        vs_currency: P.VsCurrency,
        ids: optional(P.Ids),
        order: P.Order,
        per_page: P.PerPage,
        page: P.Page,
        sparkline: optional(P.Flag),
        price_change_percentage: optional(P.Periods),
        precision: P.Precision,
        category: optional(P.Category),
        include_rehypothecated: optional(P.Rehypothecated),
        ...refusedNames
      },
      success: Schema.Array(Answers.MarketCoin),
      error: [UnknownCoin]
    }).annotateMerge(
      cacheable(
        "Coins by market cap",
        "A page of coins, or those of `ids`. Past the end the list is empty. Orders other than `market_cap_desc` need `ids`: no " +
          "source lists all coins in them."
      )
    ),
    HttpApiEndpoint.get("coin", "/coins/:id", {
      params: { id: P.Id },
      query: coinQuery,
      success: Answers.CoinById,
      error: [UnknownCoin]
    }).annotateMerge(
      cacheable(
        "One coin",
        "Figures in every currency; texts and links are empty, and so are tickers, which have a path of their own."
      )
    ),
    HttpApiEndpoint.get("contract", "/coins/:id/contract/:contract_address", {
      params: byContract,
      query: coinQuery,
      success: Answers.CoinById,
      error: [UnknownCoin]
    }).annotateMerge(cacheable("The coin of a contract", "As `/coins/{id}`; `id` is the platform.")),
    HttpApiEndpoint.get("tickers", "/coins/:id/tickers", {
      params: { id: P.Id },
      query: { exchange_ids: optional(P.ExchangeIds), order: P.TickerOrder, page: P.Page },
      success: Answers.CoinTickers,
      error: [UnknownCoin]
    }).annotateMerge(
      cacheable(
        "A coin's pairs on exchanges",
        "The pairs of `/v1/coins/{id}/tickers`, used or not for the price, 100 on a page. Past the end the list is empty."
      )
    ),
    HttpApiEndpoint.get("platforms", "/asset_platforms", {
      query: { filter: optional(P.PlatformFilter) },
      success: Schema.Array(Answers.AssetPlatform)
    }).annotateMerge(
      cacheable("The platforms of contracts", "Their ids, in alphabetical order. Nothing else is known of them.")
    ),
    HttpApiEndpoint.get("search", "/search", { query: { query: P.Query }, success: Answers.Found }).annotateMerge(
      described("Coins by name, symbol, id or contract address", "At most 25, the best match first.")
    ),
    HttpApiEndpoint.get("global", "/global", { success: Answers.Global }).annotateMerge(
      cacheable("The market as a whole", "All figures are of one source.")
    ),
    HttpApiEndpoint.get("exchangeRates", "/exchange_rates", {
      success: Answers.ExchangeRates,
      error: [UnknownCoin]
    }).annotateMerge(cacheable("Bitcoin in other currencies", "`ngn` uses the P2P mid."))
  )
  .annotate(OpenApi.Description, "Coins and prices now.") {}

const chart = { precision: P.Precision, interval: optional(P.Interval) }

export class CoinGeckoPast extends HttpApiGroup.make("coingecko past", { topLevel: true })
  .add(
    HttpApiEndpoint.get("history", "/coins/:id/history", {
      params: { id: P.Id },
      query: { date: P.Date, localization: optional(P.Flag) },
      success: Answers.CoinOnDay,
      error: [UnknownCoin]
    }).annotateMerge(cacheable("A coin on a day", "Prices at 00:00 UTC of the day, the close of the day before.")),
    HttpApiEndpoint.get("marketChart", "/coins/:id/market_chart", {
      params: { id: P.Id },
      query: { vs_currency: P.VsCurrency, days: P.Days, ...chart },
      success: Answers.MarketChart,
      error: [UnknownCoin]
    }).annotateMerge(
      cacheable(
        "Prices up to now",
        "By the hour for up to 90 days, by the day above. A point is stamped with the end of its hour or day, the last one with " +
          "its own time. On days without recorded hours stands the day's close. `max` is 3,660 days."
      )
    ),
    HttpApiEndpoint.get("marketChartRange", "/coins/:id/market_chart/range", {
      params: { id: P.Id },
      query: { vs_currency: P.VsCurrency, from: P.From, to: P.To, ...chart },
      success: Answers.MarketChart,
      error: [UnknownCoin]
    }).annotateMerge(cacheable("Prices of a range", "As `market_chart`, for the points from `from` to `to`.")),
    HttpApiEndpoint.get("contractChart", "/coins/:id/contract/:contract_address/market_chart", {
      params: byContract,
      query: { vs_currency: P.VsCurrency, days: P.Days, ...chart },
      success: Answers.MarketChart,
      error: [UnknownCoin]
    }).annotateMerge(cacheable("Prices up to now, by contract", "As `/coins/{id}/market_chart`.")),
    HttpApiEndpoint.get("contractChartRange", "/coins/:id/contract/:contract_address/market_chart/range", {
      params: byContract,
      query: { vs_currency: P.VsCurrency, from: P.From, to: P.To, ...chart },
      success: Answers.MarketChart,
      error: [UnknownCoin]
    }).annotateMerge(cacheable("Prices of a range, by contract", "As `/coins/{id}/market_chart/range`.")),
    HttpApiEndpoint.get("ohlc", "/coins/:id/ohlc", {
      params: { id: P.Id },
      query: { vs_currency: P.VsCurrency, days: P.Days, ...chart },
      success: Answers.Candles,
      error: [UnknownCoin]
    }).annotateMerge(
      cacheable(
        "Candles up to now",
        "Of an hour for up to 2 days, 4 hours for up to 30, 4 days above; stamped with their end. Of an hour whose open, high and " +
          "low were not recorded, the close before it and its own count. A day without them makes no candle."
      )
    )
  )
  .annotate(OpenApi.Description, "Coins and prices of the past.") {}

/** The endpoints for programs made for CoinGecko. */
export class CoinGeckoApi extends compatContract(
  coinGecko,
  {
    service: "CoinGecko",
    version: "3",
    description:
      "Paths, parameters, shapes and errors of CoinGecko's API v3, with the figures of this service's `/v1`. Not operated or " +
      "endorsed by CoinGecko. Prices in `ngn` use the P2P mid; CoinGecko's own are near the official rate. Money in other " +
      "currencies than USD is USD at the rate of `/v1/convert`. Fields that this service does not " +
      "know are null, `[]`, `{}` or an empty text, as the schemas say. The finest points of histories are hours.",
    ...documentedErrors
  },
  CoinGeckoNow,
  CoinGeckoPast
) {}

type Endpoints = (typeof CoinGeckoApi)["groups"]["coingecko"]["endpoints"]

export type QueryOf<Name extends keyof Endpoints> = HttpApiEndpoint.Query<Endpoints[Name]>["Type"]

type PastEndpoints = (typeof CoinGeckoApi)["groups"]["coingecko past"]["endpoints"]

export type PastQueryOf<Name extends keyof PastEndpoints> = HttpApiEndpoint.Query<PastEndpoints[Name]>["Type"]
