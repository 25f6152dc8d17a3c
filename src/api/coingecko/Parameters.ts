// The parameters of the endpoints for programs made for CoinGecko. Each has one rule in words, which the schema enforces,
// the OpenAPI document shows and a 400 repeats. What CoinGecko has and this service cannot serve is refused by name.
import { Schema, SchemaGetter } from "effect"
import { coinIdOf } from "../../domain/CoinId.ts"
import { isoCurrencies } from "../../domain/Fiat.ts"
import { usualMarket } from "../../domain/P2pMarket.ts"
import { isVsCurrency } from "../../domain/VsCurrency.ts"
import { type ParameterTable, parametersOf } from "../Dialect.ts"
import { listOf, wholeNumber } from "../Parameters.ts"
import { asciiLower } from "../../domain/asciiCase.ts"

export { Id, Platform, Query } from "../Parameters.ts"

const MOST_IDS = 500
const MOST_ROWS = 250
const PERIODS = ["1h", "24h", "7d", "14d", "30d", "200d", "1y"] as const
const ORDERS = ["market_cap_desc", "market_cap_asc", "volume_desc", "volume_asc", "id_asc", "id_desc"] as const
const PRECISION = /^(full|\d|1[0-8])$/
const DAYS = /^([1-9]\d{0,5}|max)$/
const DATE = /^(\d{2}-\d{2}-\d{4}|\d{4}-\d{2}-\d{2})$/
const RANGE_EDGE = /^(\d{1,12}(\.\d+)?|\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?)$/

const absent = (why: string) => `left out: ${why}`

const parameters: ParameterTable = {
  vs_currency: [
    "a currency of /simple/supported_vs_currencies, such as usd",
    { type: "string", minLength: 3, examples: ["usd"] }
  ],
  vs_currencies: [
    "currencies of /simple/supported_vs_currencies separated by commas, at least one; others are left out",
    { type: "string", minLength: 3, examples: [`usd,${usualMarket.fiat.toLowerCase()}`] }
  ],
  contract_addresses: [
    `1 to ${MOST_IDS} contract addresses, separated by commas`,
    { type: "string", minLength: 1, examples: ["0xdac17f958d2ee523a2206206994597c13d831ec7"] }
  ],
  ids: [
    `1 to ${MOST_IDS} coins' ids, separated by commas, such as bitcoin,tether`,
    { type: "string", minLength: 1, examples: ["bitcoin,tether"] }
  ],
  platform: [
    "a platform of coins' contracts, such as ethereum",
    { type: "string", minLength: 1, examples: ["ethereum"] }
  ],
  id: ["a coin's id, such as bitcoin", { type: "string", minLength: 1, examples: ["bitcoin"] }],
  precision: [
    "full, or a whole number of decimals from 0 to 18",
    { type: "string", pattern: PRECISION.source, default: "full" }
  ],
  order: [`one of ${ORDERS.join(", ")}`, { type: "string", enum: ORDERS, default: ORDERS[0] }],
  per_page: [
    `a whole number from 1 to ${MOST_ROWS}`,
    { type: "integer", minimum: 1, maximum: MOST_ROWS, default: 100 }
  ],
  page: ["a whole number from 1", { type: "integer", minimum: 1, default: 1 }],
  price_change_percentage: [
    `some of ${PERIODS.join(", ")}, separated by commas`,
    { type: "string", examples: ["1h,24h,7d"] }
  ],
  date: [
    "a day that is not in the future, as dd-mm-yyyy or yyyy-mm-dd",
    { type: "string", pattern: DATE.source, examples: ["20-11-2026"] }
  ],
  days: ["a whole number of days from 1, or max", { type: "string", pattern: DAYS.source, examples: ["30"] }],
  from: [
    "a time in seconds since 1970 or in ISO 8601",
    { type: "string", pattern: RANGE_EDGE.source, examples: ["1763596800"] }
  ],
  to: [
    "a time in seconds since 1970 or in ISO 8601, not before from",
    { type: "string", pattern: RANGE_EDGE.source, examples: ["1763683200"] }
  ],
  interval: ["daily or hourly; finer ones are not recorded", { type: "string", enum: ["daily", "hourly"] }],
  query: ["1 to 100 characters", { type: "string", minLength: 1, maxLength: 100, examples: ["usdt"] }],
  status: ["active: coins that are gone are not listed", { type: "string", enum: ["active"], default: "active" }],
  category: [absent("there are no categories here"), { type: "string", maxLength: 0 }],
  names: [absent("coins go by their ids; /search finds them"), { type: "string", maxLength: 0 }],
  symbols: [
    absent("several coins may share a symbol, so coins go by their ids; /search finds them"),
    { type: "string", maxLength: 0 }
  ],
  include_rehypothecated: ["false: ranks are those of the sources", { type: "string", enum: ["false"] }]
}

const flags = [
  "include_market_cap",
  "include_24hr_vol",
  "include_24hr_change",
  "include_last_updated_at",
  "include_platform",
  "sparkline",
  "localization",
  "tickers",
  "market_data",
  "community_data",
  "developer_data"
]

export const { ruleOf, schemaOf } = parametersOf({
  ...parameters,
  ...Object.fromEntries(flags.map((name) => [name, ["true or false", { type: "boolean" }]]))
})

/** What is wrong with a parameter that names no currency which is quoted now. */
export const unknownCurrency = (parameter: "vs_currency" | "vs_currencies") => ({
  parameter,
  detail: `must be ${ruleOf("", parameter)}`
})

/** Items without the blanks around them and without empty ones, as CoinGecko reads them. */
const looseList = (most: number, itemOf: (text: string) => string | undefined) =>
  listOf(Schema.String, most, (text) =>
    text.split(",").flatMap((item) => (item.trim() === "" ? [] : itemOf(item.trim())))
  )

/** Reads one of some texts in any case. */
const oneOf = (known: ReadonlyArray<string>) => (text: string) => known.find((one) => one === asciiLower(text))

const reading = <A>(check: (text: string) => boolean, value: Schema.Codec<A>, read: (text: string) => A) =>
  Schema.String.check(Schema.makeFilter(check)).pipe(
    Schema.decodeTo(value, { decode: SchemaGetter.transform(read), encode: SchemaGetter.transform(String) })
  )

/** A currency, in lower case. */
export const VsCurrency = reading((text) => isVsCurrency(asciiLower(text)), Schema.String, asciiLower)

/** Currencies in lower case. What is none is left out, as CoinGecko does. */
export const VsCurrencies = listOf(Schema.String, isoCurrencies.size + 2, (text) =>
  text
    .split(",")
    .map((item) => asciiLower(item.trim()))
    .filter(isVsCurrency)
)

/** Addresses as the caller wrote them. */
export const Addresses = looseList(MOST_IDS, (text) => text)

export const Ids = looseList(MOST_IDS, coinIdOf)

/** Decimals of a price; `null` for all of them. */
export const Precision = Schema.String.check(Schema.isPattern(PRECISION)).pipe(
  Schema.decodeTo(Schema.NullOr(Schema.Int), {
    decode: SchemaGetter.transform((text: string) => (text === "full" ? null : Number(text))),
    encode: SchemaGetter.transform((decimals: number | null) => (decimals === null ? "full" : String(decimals)))
  })
)

/** A switch, in any case, as the libraries of several languages write it. */
export const Flag = reading(
  (text) => /^(true|false)$/i.test(text),
  Schema.Boolean,
  (text) => asciiLower(text) === "true"
)

export const Order = Schema.Literals(ORDERS)

export const PerPage = wholeNumber(MOST_ROWS)

export const Page = wholeNumber(Number.MAX_SAFE_INTEGER)

export const Periods = looseList(PERIODS.length, oneOf(PERIODS))

/** A day, as the caller wrote it. */
export const Date = Schema.String.check(Schema.isPattern(DATE))

/** How many days back from now; `Infinity` for all. */
export const Days = Schema.String.check(Schema.isPattern(DAYS))

/** An end of a range of time, as the caller wrote it. */
export const RangeEdge = Schema.String.check(Schema.isPattern(RANGE_EDGE))

export const Interval = Schema.Literals(["daily", "hourly"])

/** A parameter that changes what is asked for in a way that this service does not know. Without a value it says nothing. */
export const Unsupported = Schema.Literal("")

/** `false` or nothing. */
export const Off = reading(
  (text) => /^(false)?$/i.test(text),
  Schema.Boolean,
  () => false
)

export const Active = Schema.Literals(["active", ""])
