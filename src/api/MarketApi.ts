// Coins, their prices and the market as a whole.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { cacheable } from "./Described.ts"
import { REASONS, reasonTexts } from "../domain/CoinTickers.ts"
import { quotedFiats } from "../domain/QuotedFiat.ts"
import { envelope, Instant, when } from "./Envelope.ts"
import { CONFIDENCES } from "../domain/P2pRate.ts"
import { figure, jsonNumber } from "../domain/JsonNumber.ts"
import { At } from "./HistoryParameters.ts"
import {
  CoinId,
  CoinIds,
  confidenceGuard,
  Fiat,
  Limit,
  FiatBasis,
  Page,
  rateGuards,
  TableFormat
} from "./Parameters.ts"
import {
  NoData,
  NoPrice,
  RateMoved,
  SourceUnavailable,
  Suggestion,
  TooOld,
  TooUncertain,
  UnknownCoin
} from "./Problems.ts"

export const Id = Schema.String.annotate({ description: "The coin's id in CoinGecko's registry" })
export const Symbol = Schema.String.annotate({ description: "Ticker in upper case; several coins may share one" })

const row = {
  id: Id,
  symbol: Symbol,
  name: Schema.String,
  rank: figure("Place by market cap, from 1"),
  price: figure("USD for 1 coin"),
  market_cap: figure("USD"),
  volume_24h: figure("USD traded in 24 hours"),
  circulating_supply: figure("Coins in circulation"),
  total_supply: figure("Coins that exist"),
  max_supply: figure("Coins that can ever exist; null also where there is no limit"),
  change_1h: figure("Change of the price in 1 hour, percent"),
  change_24h: figure("Change of the price in 24 hours, percent"),
  change_7d: figure("Change of the price in 7 days, percent"),
  updated: when("When the price was observed, by the source's clock; of several exchanges the oldest time")
}

/** Whose the price of a coin is; the last member, as it is the last column of a table. */
const source = Schema.String.annotate({
  description: "Who the price is from: the exchanges that agree on it, the heaviest first, or an aggregator"
})

/** A coin in a list. Money in USD, changes in percent, unknown figures are null. */
export const Coin = Schema.Struct({ ...row, source }).annotate({
  identifier: "Coin",
  description: "Unknown figures are null, never 0"
})

export const Platforms = Schema.NullOr(Schema.Record(Schema.String, Schema.String)).annotate({
  description: "Contract addresses by platform; empty where the coin has none, null where no source said"
})

/** A coin by itself. */
export const CoinDetail = Schema.Struct({
  ...row,
  high_24h: figure("Highest price of 24 hours, USD"),
  low_24h: figure("Lowest price of 24 hours, USD"),
  ath: figure("All-time high, USD"),
  ath_date: Schema.NullOr(Instant).annotate({ description: "When the all-time high was" }),
  image: Schema.NullOr(Schema.String).annotate({ description: "URL of the coin's logo at the source" }),
  platforms: Platforms,
  venues: Schema.NullOr(Schema.Array(Schema.String)).annotate({
    description: "The exchanges in the consensus on the price, the heaviest first; null where there is none"
  }),
  dispersion: figure(
    "Mean distance of their pairs from the price, weighted by turnover, percent; null without a consensus"
  ),
  low: figure("90 % of the weight of their pairs is at or above it, USD; null without a consensus"),
  high: figure("90 % of the weight of their pairs is at or below it, USD; null without a consensus"),
  confidence: Schema.NullOr(Schema.Literals(CONFIDENCES)).annotate({
    description:
      "`high`: at least three exchanges, and `high` is at most 0.5 % above `low`. `medium`: another consensus, or two aggregators that " +
      "agree within 1 %. `low`: one aggregator. null without a price"
  }),
  quotes: Schema.Array(
    Schema.Struct({
      source: Schema.String,
      kind: Schema.Literals(["exchange", "aggregator"]).annotate({
        description: "Of an exchange it is the median of its pairs, weighted by turnover"
      }),
      price: figure("USD for 1 coin"),
      updated: when("When this source observed it, by its clock")
    })
  ).annotate({
    description:
      "What each source that holds the coin says of it: exchanges, the heaviest first, then aggregators in the order of fallback"
  }),
  source
}).annotate({ identifier: "CoinDetail", description: "Unknown figures are null, never 0" })

export const Ticker = Schema.Struct({
  exchange: Schema.String,
  pair: Schema.String.annotate({ description: "The exchange's name for the pair" }),
  base: Schema.String,
  quote: Schema.String.annotate({ description: "What `bid`, `ask` and `last` are in" }),
  bid: figure("Best bid"),
  ask: figure("Best ask"),
  last: figure("Last trade"),
  price: figure("USD for 1 coin: the middle of bid and ask if they are at most 1 % apart, else the last trade"),
  turnover_usd: figure("USD traded in 24 hours"),
  weight: figure(
    "Share of the weight in the coin's price, percent; null if the pair is not used, and of stablecoins, whose price other pairs make too"
  ),
  updated: when("When the ticker was observed, by the exchange's clock"),
  used: Schema.Boolean.annotate({ description: "Whether the pair is used for the coin's price" }),
  reason: Schema.NullOr(Schema.Literals(REASONS)).annotate({
    description: `Why it is not used: ${REASONS.map((reason) => `\`${reason}\`: ${reasonTexts[reason]}`).join("; ")}`
  })
}).annotate({ identifier: "Ticker", description: "A pair of a coin on an exchange" })

const CoinTickers = Schema.Struct({
  id: Id,
  tickers: Schema.Array(Ticker).annotate({
    description: "The heaviest first; empty if no exchange here lists the coin"
  })
}).annotate({ identifier: "CoinTickers" })

export const Global = Schema.Struct({
  market_cap: jsonNumber("USD, of all coins together"),
  volume_24h: figure("USD traded in 24 hours"),
  market_cap_change_24h: figure("Change of the market cap in 24 hours, percent"),
  btc_dominance: figure("Bitcoin's share of the market cap, percent"),
  eth_dominance: figure("Ethereum's share of the market cap, percent"),
  active_coins: figure("Coins that the source counts")
}).annotate({ identifier: "Global", description: "All figures are of one source" })

/** A coin that an answer about several lacks. */
export const MissingCoin = Schema.Struct({
  id: Schema.String.annotate({ description: "As it was asked for, in lower case" }),
  code: Schema.Literals(["unknown_coin", "no_price", "no_data", "source_unavailable"]).annotate({
    description: "The code of the problem that a request for this coin alone would get"
  }),
  suggestions: Schema.Array(Suggestion).annotate({ description: "Of an unknown coin: coins that may be meant" })
}).annotate({ identifier: "MissingCoin" })

export const Coins = Schema.Struct({
  coins: Schema.Array(Coin).annotate({
    description: "By market cap, the largest first; coins whose cap is unknown last. Empty past the last page"
  }),
  page: Schema.Int.annotate({ description: "The number of this page" }),
  limit: Schema.Int.annotate({ description: "Rows per page; with `ids` as many as were asked for" }),
  missing: Schema.optionalKey(Schema.Array(MissingCoin)).annotate({
    description: "With `ids`: those that are not in `coins`, in the order asked"
  })
}).annotate({ identifier: "Coins" })

export const CoinsAnswer = envelope("CoinsAnswer", Coins)

export const Price = Schema.Struct({
  id: Id,
  symbol: Symbol,
  fiat: Schema.Literals(quotedFiats),
  price: jsonNumber("Units of the fiat for 1 coin"),
  change_24h: figure("Change of the price in 24 hours, percent; of the USD price where none in the fiat is known")
}).annotate({ identifier: "Price" })

export const PriceAnswer = envelope("PriceAnswer", Price)

/** `/v1/global`, `/v1/coins`, `/v1/coins/{id}`, `/v1/price/{id}/{fiat}`. */
export class MarketApi extends HttpApiGroup.make("market")
  .add(
    HttpApiEndpoint.get("global", "/global", {
      query: { format: TableFormat },
      success: envelope("GlobalAnswer", Global),
      error: [SourceUnavailable]
    }).annotateMerge(
      cacheable(
        "The market as a whole",
        "Total market cap and volume in USD, and the shares of Bitcoin and Ethereum.",
        "getGlobal"
      )
    ),
    HttpApiEndpoint.get("coins", "/coins", {
      query: {
        limit: Limit,
        page: Page,
        ids: Schema.optionalKey(CoinIds),
        format: TableFormat
      },
      success: CoinsAnswer,
      error: [SourceUnavailable]
    }).annotateMerge(
      cacheable(
        "Coins by market cap",
        "A page of coins, the largest first. The header `Link` has the URLs of the first, previous and next page. Pages " +
          "of one refresh do not overlap. `ids` lists just those coins, in the same order, instead of a page.",
        "listCoins"
      )
    ),
    HttpApiEndpoint.get("coin", "/coins/:id", {
      params: { id: CoinId },
      query: { format: TableFormat, ...confidenceGuard },
      success: envelope("CoinAnswer", CoinDetail),
      error: [UnknownCoin, SourceUnavailable, TooUncertain]
    }).annotateMerge(
      cacheable(
        "One coin",
        "Price, market cap, volume, supply and changes of one coin, with its high, low and all-time high.",
        "getCoin"
      )
    ),
    HttpApiEndpoint.get("tickers", "/coins/:id/tickers", {
      params: { id: CoinId },
      success: envelope("CoinTickersAnswer", CoinTickers),
      error: [UnknownCoin, SourceUnavailable]
    }).annotateMerge(
      cacheable(
        "A coin's pairs on exchanges",
        "The pairs from which the price of the coin is made, each with its weight, and those that are not used, with the reason.",
        "getCoinTickers"
      )
    ),
    HttpApiEndpoint.get("price", "/price/:id/:fiat", {
      params: { id: CoinId, fiat: Fiat },
      query: { basis: FiatBasis, at: Schema.optionalKey(At), ...rateGuards, ...confidenceGuard },
      success: PriceAnswer,
      error: [UnknownCoin, NoPrice, NoData, RateMoved, SourceUnavailable, TooOld, TooUncertain]
    }).annotateMerge(
      cacheable(
        "A coin's price in a fiat",
        "The USD price times the fiat's rate on the exchanges, where their pairs in it agree, else times the official rate. A price in `ngn` uses " +
          "the P2P rate of USDT and the USD price of USDT, which is not assumed to be 1. `basis` chooses another rate of the fiat.",
        "getPrice"
      )
    )
  )
  .annotate(OpenApi.Description, "Coins, their prices and the market as a whole.") {}
