// The parameters of the contract. Each has one rule in words, which the schema enforces, the OpenAPI document shows and
// a 400 repeats.
import { BigDecimal, DateTime, Option, Schema, SchemaGetter } from "effect"
import { coinIdOf } from "../domain/CoinId.ts"
import { BASES } from "../domain/Conversion.ts"
import { plainDecimal } from "../domain/Decimal.ts"
import { isoCurrencies } from "../domain/Fiat.ts"
import { usualMarket } from "../domain/P2pMarket.ts"
import { isQuotedFiat, quotedFiats, type QuotedFiat } from "../domain/QuotedFiat.ts"
import { momentOf } from "../history/model/Moment.ts"
import { asciiUpper } from "../domain/asciiCase.ts"

/** The fiat of the examples: that of the market that most callers come for. */
const LOCAL = usualMarket.fiat

const ASSET_RULE = `a coin's id (bitcoin) or a fiat's code (${LOCAL}), with coin: or fiat: before it where both are spelled alike`

/**
 * What a parameter "must be", in the words of the error. `path?name` is the rule of that path alone, `history?name` that of every
 * history; both go before `name`.
 */
const rules: Readonly<Record<string, string>> = {
  "history?from": "a day of UTC that is not in the future, as YYYY-MM-DD; included",
  "history?to": "a day of UTC that is not in the future, as YYYY-MM-DD; included",
  "/v1/search?limit": "a whole number from 1 to 25",
  ids: "1 to 250 coins' ids in CoinGecko's registry, separated by commas, such as bitcoin,tether",
  fiats: `1 to ${quotedFiats.length} of ${quotedFiats.join(", ").toLowerCase()}, separated by commas`,
  basis:
    "mid (the naira by its P2P mid, every other fiat by its official rate), p2p (every fiat with a P2P market by its mid), " +
    "customer (by the side that a person gets: sell into the fiat, buy out of it) or official (every fiat by its official rate)",
  max_age: "a whole number of seconds from 1",
  expect: "a plain decimal above 0, such as 1589.5",
  tolerance: "a plain decimal above 0 and up to 100, in percent",
  q: "1 to 100 characters: an id, ticker, name or contract address, or the beginning of one",
  platform: "a platform as `platforms` of a coin names it, such as ethereum",
  address: "the address of a contract",
  limit: "a whole number from 1 to 250",
  page: "a whole number from 1",
  id: "a coin's id in CoinGecko's registry, such as bitcoin",
  fiat: `one of ${quotedFiats.join(", ").toLowerCase()}`,
  "/v1/p2p/{fiat}?fiat": "the code of a fiat whose P2P market is followed here, such as kes; `/v1/p2p` lists them",
  "/v1/p2p/{fiat}/history?fiat":
    "the code of a fiat whose P2P market is followed here, such as kes; `/v1/p2p` lists them",
  from: ASSET_RULE,
  to: ASSET_RULE,
  amount: "a plain decimal above 0 and up to 1000000000000000 with at most 18 decimals, such as 0.25",
  interval: "day or hour",
  format: "json or csv",
  "/v1/price/{id}/{fiat}/history?format": "json, csv, hledger or beancount",
  "/v1/prices?format": "json, csv, hledger or beancount",
  fill: "none, or previous to repeat the last point where there is none",
  quotes: `1 to 10 different fiat codes separated by commas, such as EUR,${LOCAL}`,
  at: "a day (YYYY-MM-DD, its close) or a time (2026-11-20T10:30:00Z) that is not in the future"
}

/** Looks up a parameter at a path of the OpenAPI document. */
const lookUp =
  <A>(table: Readonly<Record<string, A>>) =>
  (path: string, name: string): A | undefined =>
    table[`${path}?${name}`] ?? (path.endsWith("/history") ? table[`history?${name}`] : undefined) ?? table[name]

export const ruleOf = lookUp(rules)

const described = (parameter: keyof typeof rules) => ({ description: `Must be ${rules[parameter]}.` })

const PRICE_FORMATS = ["json", "csv", "hledger", "beancount"] as const
const MOST_ROWS = 250
const MOST_FOUND = 25
const LONGEST_QUERY = 100
const AMOUNT = /^\d{1,16}(\.\d{1,18})?$/
const ASSET = /\S/
/** Wide enough for the price of any coin in any other. */
const DECIMAL = /^\d{1,30}(\.\d{1,40})?$/
const QUOTES = /^[A-Za-z]{3}(,[A-Za-z]{3}){0,9}$/
const AT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/

/**
 * The parameters as JSON Schema, for the OpenAPI document, which would otherwise call each a string as in the URL. Ids and
 * fiats are read in any case and shown here in the case of responses.
 */
const schemas: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "history?from": { type: "string", format: "date", examples: ["2026-11-01"] },
  "history?to": { type: "string", format: "date", examples: ["2026-11-20"] },
  "/v1/search?limit": { type: "integer", minimum: 1, maximum: MOST_FOUND, default: 10 },
  ids: { type: "string", minLength: 1, examples: ["bitcoin,tether"] },
  fiats: { type: "string", minLength: 3, default: "usd", examples: [`usd,${LOCAL.toLowerCase()}`] },
  basis: { type: "string", enum: BASES, default: "mid" },
  max_age: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [120] },
  expect: { type: "string", pattern: DECIMAL.source, examples: ["1589.5"] },
  tolerance: { type: "string", pattern: DECIMAL.source, default: "1", examples: ["0.5"] },
  q: { type: "string", minLength: 1, maxLength: LONGEST_QUERY, examples: ["usdt"] },
  platform: { type: "string", minLength: 1, examples: ["ethereum"] },
  address: { type: "string", minLength: 1, examples: ["0xdac17f958d2ee523a2206206994597c13d831ec7"] },
  limit: { type: "integer", minimum: 1, maximum: MOST_ROWS, default: 100 },
  page: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 1 },
  id: { type: "string", minLength: 1, examples: ["bitcoin"] },
  fiat: { type: "string", enum: quotedFiats.map((fiat) => fiat.toLowerCase()), examples: [LOCAL.toLowerCase()] },
  "/v1/p2p/{fiat}?fiat": { type: "string", minLength: 1, examples: ["kes"] },
  "/v1/p2p/{fiat}/history?fiat": { type: "string", minLength: 1, examples: ["kes"] },
  from: { type: "string", pattern: ASSET.source, examples: ["bitcoin"] },
  to: { type: "string", pattern: ASSET.source, examples: [LOCAL] },
  amount: { type: "string", pattern: AMOUNT.source, default: "1", examples: ["0.25"] },
  interval: { type: "string", enum: ["day", "hour"], default: "day" },
  format: { type: "string", enum: ["json", "csv"], default: "json" },
  "/v1/price/{id}/{fiat}/history?format": { type: "string", enum: PRICE_FORMATS, default: "json" },
  "/v1/prices?format": { type: "string", enum: PRICE_FORMATS, default: "json" },
  fill: { type: "string", enum: ["none", "previous"], default: "none" },
  quotes: { type: "string", pattern: QUOTES.source, examples: [`EUR,${LOCAL}`] },
  at: { type: "string", pattern: AT.source, examples: ["2026-11-20", "2026-11-20T10:30:00Z"] }
}

export const schemaOf = lookUp(schemas)

/** A whole number from 1. */
export const wholeNumber = (most: number) =>
  Schema.String.check(Schema.isPattern(/^\d{1,16}$/)).pipe(
    Schema.decodeTo(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: most })), {
      decode: SchemaGetter.transform(Number),
      encode: SchemaGetter.transform(String)
    })
  )

/** Rows per page. */
export const Limit = wholeNumber(MOST_ROWS).annotate(described("limit"))

/** How many coins a search may find, 1 to 25. */
export const FoundLimit = wholeNumber(MOST_FOUND).annotate(described("/v1/search?limit"))

/** What is searched for, in code points. */
export const Query = Schema.NonEmptyString.check(
  Schema.makeFilter((text: string) => text.length <= 2 * LONGEST_QUERY && [...text].length <= LONGEST_QUERY)
).annotate(described("q"))

/** An id, read in any case and normalization form. */
export const Id = Schema.NonEmptyString.pipe(
  Schema.decodeTo(Schema.String, {
    decode: SchemaGetter.transform(coinIdOf),
    encode: SchemaGetter.passthrough()
  })
)

/** A coin's id, read in any case and normalization form. */
export const CoinId = Id.annotate(described("id"))

/** A platform with contracts, read in any case. */
export const Platform = Id.annotate(described("platform"))

/** A contract's address: `0x…` in any case, others exactly as they are. */
export const Address = Schema.NonEmptyString.annotate(described("address"))

/** A list in a parameter: its items in the order given, each once. `read` gives `undefined` for what is no item. */
export const listOf = <A>(item: Schema.Codec<A>, most: number, read: (text: string) => ReadonlyArray<A | undefined>) =>
  Schema.String.check(
    Schema.makeFilter((text: string) => {
      const items = new Set(read(text))
      return items.size > 0 && items.size <= most && !items.has(undefined)
    })
  ).pipe(
    Schema.decodeTo(Schema.Array(item), {
      decode: SchemaGetter.transform((text: string) => [...new Set(read(text))].filter((one) => one !== undefined)),
      encode: SchemaGetter.transform((items: ReadonlyArray<A>) => items.join(","))
    })
  )

/** Coins' ids, each once, read in any case and normalization form. */
export const CoinIds = listOf(Schema.String, MOST_ROWS, (text) =>
  text.split(",").map((id) => (id === "" ? undefined : coinIdOf(id)))
).annotate(described("ids"))

/** A page's number, from 1. */
export const Page = wholeNumber(Number.MAX_SAFE_INTEGER).annotate(described("page"))

const fiatOf = (text: string): QuotedFiat | undefined =>
  isQuotedFiat(text) ? quotedFiats.find((fiat) => fiat === asciiUpper(text)) : undefined

/** Several of the quoted fiats, each once, read in any case. */
export const Fiats = listOf(Schema.Literals(quotedFiats), quotedFiats.length, (text) =>
  text.split(",").map(fiatOf)
).annotate(described("fiats"))

/** One of the quoted fiats, read in any case. */
export const Fiat = Schema.String.check(Schema.makeFilter(isQuotedFiat))
  .pipe(
    Schema.decodeTo(Schema.Literals(quotedFiats), {
      decode: SchemaGetter.transform((text: string) => fiatOf(text) ?? "USD"),
      encode: SchemaGetter.transform((fiat: QuotedFiat) => fiat.toLowerCase())
    })
  )
  .annotate(described("fiat"))

/** The fiat of a P2P market, read in any case; one without a market is an unknown asset. */
export const MarketFiat = Schema.NonEmptyString.pipe(
  Schema.decodeTo(Schema.String, {
    decode: SchemaGetter.transform(asciiUpper),
    encode: SchemaGetter.transform((fiat: string) => fiat.toLowerCase())
  })
).annotate(described("/v1/p2p/{fiat}?fiat"))

/** Which rate of a fiat counts. */
export const FiatBasis = Schema.Literals(BASES).annotate(described("basis"))

/** A coin or a fiat, as the caller wrote it; `parseAsset` reads it. */
export const Asset = Schema.String.check(Schema.isPattern(ASSET)).annotate(described("from"))

/** A plain decimal above 0 and up to `most`. */
const decimal = (pattern: RegExp, most?: BigDecimal.BigDecimal) =>
  Schema.String.check(Schema.isPattern(pattern)).pipe(
    Schema.decodeTo(
      Schema.BigDecimal.check(
        Schema.makeFilter(
          (value: BigDecimal.BigDecimal) =>
            BigDecimal.isPositive(value) && (most === undefined || BigDecimal.isLessThanOrEqualTo(value, most))
        )
      ),
      {
        decode: SchemaGetter.transform(BigDecimal.fromStringUnsafe),
        encode: SchemaGetter.transform((value: BigDecimal.BigDecimal) => plainDecimal(value))
      }
    )
  )

/** A plain decimal above 0, at most 10^15, with at most 18 decimals. */
export const Amount = decimal(AMOUNT, BigDecimal.fromBigInt(10n ** 15n)).annotate(described("amount"))

/** The oldest data that the caller accepts, in seconds. */
export const MaxAge = wholeNumber(Number.MAX_SAFE_INTEGER).annotate(described("max_age"))

/** The price or rate that the caller counts on. */
export const Expected = decimal(DECIMAL).annotate(described("expect"))

/** How far a rate may be from the expected one, in percent. */
export const Tolerance = decimal(DECIMAL, BigDecimal.fromBigInt(100n)).annotate(described("tolerance"))

/** The guard of answers that grow old. */
export const ageGuard = { max_age: Schema.optionalKey(MaxAge) }

/** The guards of a single price or rate. */
export const rateGuards = {
  ...ageGuard,
  expect: Schema.optionalKey(Expected),
  tolerance: Schema.optionalKey(Tolerance)
}

const isDay = (text: string): boolean =>
  Option.exists(DateTime.make(`${text}T00:00:00Z`), (time) => DateTime.formatIsoDateUtc(time) === text)

/** A day that is in the calendar, `YYYY-MM-DD`. */
export const HistoryDay = Schema.String.check(
  Schema.isPattern(/^\d{4}-\d{2}-\d{2}$/),
  Schema.makeFilter((text: string) => isDay(text))
)

/** The length of a history's buckets. */
export const Interval = Schema.Literals(["day", "hour"]).annotate(described("interval"))

/** The format of an answer; errors are problem documents in every format. */
export const TableFormat = Schema.Literals(["json", "csv"]).annotate(described("format"))

export const PriceFormat = Schema.Literals(PRICE_FORMATS)

/** What stands in a bucket without an observation. */
export const Fill = Schema.Literals(["none", "previous"]).annotate(described("fill"))

/** Fiats, each once, in any case. */
export const Quotes = Schema.String.check(
  Schema.isPattern(QUOTES),
  Schema.makeFilter((text: string) => {
    const codes = asciiUpper(text).split(",")
    return new Set(codes).size === codes.length && codes.every((code) => isoCurrencies.has(code))
  })
).annotate(described("quotes"))

/** A day or a time in the past, as the caller wrote it; `momentOf` reads it. */
export const At = Schema.String.check(
  Schema.isPattern(AT),
  Schema.makeFilter((text: string) => isDay(text.slice(0, 10)) && Option.isSome(momentOf(text)))
).annotate(described("at"))
