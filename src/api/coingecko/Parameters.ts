// The parameters of the endpoints for programs made for CoinGecko. Each has one rule in words, which the schema enforces, the OpenAPI
// document shows and a 400 repeats. Parameters that this service cannot serve are refused by name.
import { Schema } from "effect"
import { LONGEST_ID } from "../../domain/CoinId.ts"
import { isoCurrencies } from "../../domain/Fiat.ts"
import { usualMarket } from "../../domain/P2pMarket.ts"
import { isVsCurrency, unitOf } from "../../domain/VsCurrency.ts"
import {
  defaulted,
  listed,
  matching,
  named,
  parameter,
  readAs,
  rowCount,
  shapedAs,
  unsupported,
  wholeNumber
} from "../Parameter.ts"
import { Id as AnyId, idIn, itemsIn, listOf, Query as AnyQuery, UnitText } from "../Parameters.ts"
import { asciiLower } from "../../domain/asciiCase.ts"

const MOST_IDS = 500
const MOST_ROWS = 250
const MOST_EXCHANGES = 100
const PERIODS = ["1h", "24h", "7d", "14d", "30d", "200d", "1y"] as const
const ORDERS = ["market_cap_desc", "market_cap_asc", "volume_desc", "volume_asc", "id_asc", "id_desc"] as const
const PRECISION = /^(full|\d|1[0-8])$/i
const DAYS = /^(0*[1-9]\d{0,5}(\.\d{1,9})?|max)$/i
const DATE = /^(\d{1,2}[-/.]\d{1,2}[-/.]\d{4}|\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{8})([T ]\S*)?$/
const RANGE_EDGE = /^(\d{1,12}(\.\d+)?|\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?)$/

export const Category = unsupported("there are no categories here")
export const Names = unsupported("coins go by their ids; /search finds them")
export const Symbols = unsupported("several coins may share a symbol, so coins go by their ids; /search finds them")

const RULES = {
  vs_currency: "a currency of /simple/supported_vs_currencies, such as usd",
  vs_currencies: "currencies of /simple/supported_vs_currencies separated by commas, at least one; others are left out"
}

/** What is wrong with a parameter that names no currency which is quoted now. */
export const unknownCurrency = (parameter: keyof typeof RULES) => ({
  parameter,
  detail: `must be ${RULES[parameter]}`
})

export const Id = named(AnyId, "a coin's id, such as bitcoin", "bitcoin")

export const Platform = named(AnyId, "a platform of coins' contracts, such as ethereum", "ethereum")

export const Address = named(AnyId, "a contract address on that platform", "0xdac17f958d2ee523a2206206994597c13d831ec7")

export const PlatformFilter = unsupported("there are no NFTs here")

export const Query = parameter(AnyQuery, "1 to 100 characters", {
  minLength: 1,
  maxLength: 100,
  examples: ["usdt"]
})

/** Items as CoinGecko reads them; one that `itemOf` does not know makes the list wrong. */
const looseList = (most: number, itemOf: (text: string) => string | undefined) =>
  listOf(Schema.String, most, (text) => itemsIn(text).map(itemOf))

/** Reads one of some texts in any case. */
const oneOf = (known: ReadonlyArray<string>) => (text: string) => known.find((word) => word === asciiLower(text))

/** One of some words, in any case. */
const inAnyCase = <const W extends ReadonlyArray<string>>(words: W) =>
  shapedAs(
    readAs(Schema.String, (text) => oneOf(words)(text) ?? text, Schema.Literals(words)),
    { type: "string", enum: words }
  )

const isQuotable = (vs: string): boolean => isVsCurrency(unitOf(vs).of)

/** A currency, in lower case. */
export const VsCurrency = parameter(
  readAs(UnitText, (text) => asciiLower(text.trim()), Schema.String.check(Schema.makeFilter(isQuotable))),
  RULES.vs_currency,
  { minLength: 3, examples: ["usd"] }
)

/** Currencies in lower case. What is none is left out, as CoinGecko does. */
export const VsCurrencies = parameter(
  listOf(Schema.String, isoCurrencies.size + 4, (text) => itemsIn(text).map(asciiLower).filter(isQuotable)),
  RULES.vs_currencies,
  { minLength: 3, examples: [`usd,${usualMarket.fiat.toLowerCase()}`] }
)

/** Addresses as the caller wrote them. */
export const Addresses = listed(
  looseList(MOST_IDS, (text) => (text.length > LONGEST_ID ? undefined : text)),
  `1 to ${MOST_IDS} contract addresses, separated by commas`,
  "0xdac17f958d2ee523a2206206994597c13d831ec7"
)

export const Ids = listed(
  looseList(MOST_IDS, idIn),
  `1 to ${MOST_IDS} coins' ids, separated by commas, such as bitcoin,tether`,
  "bitcoin,tether"
)

/** Decimals of a price; `null` for all of them. */
export const Precision = defaulted(
  readAs(
    Schema.String.check(Schema.isPattern(PRECISION)),
    (text) => (asciiLower(text) === "full" ? null : Number(text)),
    Schema.NullOr(Schema.Int),
    (decimals) => (decimals === null ? "full" : String(decimals))
  ),
  "full, or a whole number of decimals from 0 to 18",
  { pattern: PRECISION.source, default: "full" }
)

const YES = /^(true|t|yes|y|on|1)$/i
const NO = /^(false|f|no|n|off|0)$/i

/** A switch, in any case, as the libraries of several languages write it, and as Ruby reads it. */
export const Flag = parameter(
  shapedAs(
    readAs(
      Schema.String.check(Schema.makeFilter((text: string) => YES.test(text) || NO.test(text))),
      (text) => YES.test(text),
      Schema.Boolean
    ),
    { type: "boolean" }
  ),
  "true or false, or 1 or 0"
)

export const Order = defaulted(inAnyCase(ORDERS), `one of ${ORDERS.join(", ")}`, { default: ORDERS[0] })

const TICKER_ORDERS = ["trust_score_desc", "trust_score_asc", "volume_desc", "volume_asc"] as const

/** Trust scores are not known; the weight in the price of the coin replaces them. */
export const TickerOrder = defaulted(
  inAnyCase(TICKER_ORDERS),
  `one of ${TICKER_ORDERS.join(", ")}; by trust score means by weight in the coin's price`,
  { default: TICKER_ORDERS[0] }
)

/** CoinGecko's ids of exchanges. Those without pairs here leave no rows. */
export const ExchangeIds = listed(
  looseList(MOST_EXCHANGES, (text) => (text.length > LONGEST_ID ? undefined : asciiLower(text))),
  `1 to ${MOST_EXCHANGES} ids of exchanges, separated by commas, such as binance,kraken`,
  "binance,kraken"
)

export const PerPage = rowCount(MOST_ROWS, 100, "The number of coins on a page.")

export const Page = defaulted(wholeNumber(), "a whole number from 1", { maximum: undefined, default: 1 })

export const Periods = parameter(
  looseList(PERIODS.length, oneOf(PERIODS)),
  `some of ${PERIODS.join(", ")}, separated by commas`,
  { examples: ["1h,24h,7d"] }
)

/** A day, as the caller wrote it. */
export const Date = matching(DATE, "a day that is not in the future, as dd-mm-yyyy or yyyy-mm-dd", "20-11-2026")

/** How many days back from now, or `max`. */
export const Days = matching(DAYS, "a number of days from 1, such as 30 or 1.5, or max", "30")

/** The ends of a range of time, as the caller wrote them. */
export const From = matching(RANGE_EDGE, "a time in seconds since 1970 or in ISO 8601", "1763596800")
export const To = matching(RANGE_EDGE, "a time in seconds since 1970 or in ISO 8601, not before from", "1763683200")

const INTERVALS = ["daily", "hourly"] as const

export const Interval = parameter(inAnyCase(INTERVALS), "daily or hourly; finer ones are not recorded")

export const Rehypothecated = parameter(
  readAs(Schema.String.check(Schema.isPattern(NO)), () => false, Schema.Boolean),
  "false: ranks are those of the sources",
  { enum: ["false"] }
)

export const Status = defaulted(inAnyCase(["active"]), "active: coins that are gone are not listed", {
  default: "active"
})
