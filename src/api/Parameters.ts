// The parameters of the contract; those of the past are in `HistoryParameters.ts`. Each is one value: how it is read,
// its rule in words (in the OpenAPI document and in a 400), its JSON Schema and its default.
import { BigDecimal, Schema } from "effect"
import { asciiLower, asciiUpper } from "../domain/asciiCase.ts"
import { parseAsset, textOf } from "../domain/Asset.ts"
import { coinIdOf, LONGEST_ID } from "../domain/CoinId.ts"
import { BASES } from "../domain/Conversion.ts"
import { plainDecimal } from "../domain/Decimal.ts"
import { usualMarket } from "../domain/P2pMarket.ts"
import { isOtherUnit } from "../domain/otherUnits.ts"
import { isQuotedFiat, quotedFiats } from "../domain/QuotedFiat.ts"
import {
  choice,
  defaulted,
  listed,
  named,
  parameter,
  readAs,
  rowCount,
  type Sendable,
  shapedAs,
  wholeNumber,
  word
} from "./Parameter.ts"
import { basis } from "./Terms.ts"

/** The fiat of the examples. */
const LOCAL = usualMarket.fiat

const ASSET_RULE = `a coin's id (bitcoin) or a fiat's code (${LOCAL}), with the prefix coin: or fiat: if both have the same name`

/** The most rows of an answer. */
export const MOST_ROWS = 250
const MOST_FOUND = 25
const LONGEST_QUERY = 100
const AMOUNT = /^\d{1,16}(\.\d{1,18})?$/
const ASSET = /\S/
/** An id with its prefix. */
const LONGEST_ASSET = LONGEST_ID + "coin:".length
/** Wide enough for the price of any coin in any other. */
const DECIMAL = /^\d{1,30}(\.\d{1,40})?$/

/** Rows per page. */
export const Limit = rowCount(MOST_ROWS, 100, "The number of coins on a page.")

/** How many coins a search may find, 1 to 25. */
export const FoundLimit = rowCount(MOST_FOUND, 10, "The most coins to return.")

/** What is searched for, in code points. */
export const Query = parameter(
  Schema.NonEmptyString.check(
    Schema.makeFilter((text: string) => text.length <= 2 * LONGEST_QUERY && [...text].length <= LONGEST_QUERY)
  ),
  [
    "The text to search for.",
    `1 to ${LONGEST_QUERY} characters: an id, ticker, name or contract address, or the beginning of one`
  ],
  { minLength: 1, maxLength: LONGEST_QUERY, examples: ["usdt"] }
)

/** A name that is looked up: no name that a source knows is longer. */
const Name = Schema.NonEmptyString.check(Schema.isMaxLength(LONGEST_ID))

/** A name that is not one of another unit, such as `GBp`, which would be GBP once it is in upper case. */
export const UnitText = Name.check(Schema.makeFilter((text: string) => !isOtherUnit(text.trim())))

/** An id, read in any case and normalization form. */
export const Id = readAs(UnitText, coinIdOf, Schema.String)

/** The id in an item of a list; `undefined` for an empty or too long item, and for several ids: no id has a semicolon. */
export const idIn = (text: string): string | undefined =>
  text === "" || text.includes(";") || text.length > LONGEST_ID ? undefined : coinIdOf(text)

/** A coin's id, read in any case and normalization form. */
export const CoinId = named(Id, ["The coin.", "a coin's id in CoinGecko's registry, such as bitcoin"], "bitcoin")

/** A platform with contracts, read in any case. */
export const Platform = named(
  Id,
  ["The blockchain of the contract.", "a name from `platforms` of a coin, such as ethereum"],
  "ethereum"
)

/** A contract's address: `0x…` in any case, others exactly as they are. */
export const Address = named(
  Name,
  ["The contract.", "the address of a contract"],
  "0xdac17f958d2ee523a2206206994597c13d831ec7"
)

/** Items separated by commas, without the blanks around them. */
export const trimmed = (text: string): ReadonlyArray<string> => text.split(",").map((item) => item.trim())

/** The same without empty ones, as other services read them. */
export const itemsIn = (text: string): ReadonlyArray<string> => trimmed(text).filter((item) => item !== "")

/**
 * A list in a parameter: its items in the order given, without duplicates. `read` returns `undefined` for an invalid
 * item. An item that names another unit is refused in every list, also where unknown items are left out.
 */
export const listOf = <A>(item: Schema.Codec<A>, most: number, read: (text: string) => ReadonlyArray<A | undefined>) =>
  readAs(
    Schema.String.check(
      Schema.makeFilter((text: string) => {
        const items = new Set(read(text))
        return !trimmed(text).some(isOtherUnit) && items.size > 0 && items.size <= most && !items.has(undefined)
      })
    ),
    (text) => [...new Set(read(text))].filter((value) => value !== undefined),
    Schema.Array(item)
  )

/** Coins' ids, each once, read in any case and normalization form. */
export const CoinIds = listed(
  listOf(Schema.String, MOST_ROWS, (text) => trimmed(text).map(idIn)),
  ["The coins.", `1 to ${MOST_ROWS} coins' ids in CoinGecko's registry, separated by commas, such as bitcoin,tether`],
  "bitcoin,tether"
)

/** A page's number, from 1. */
export const Page = defaulted(wholeNumber(), ["The page, by market cap.", "a whole number from 1"], { default: 1 })

const fiatOf = (text: string) => quotedFiats.find((fiat) => fiat === asciiUpper(text))

/** Several of the quoted fiats, each once, read in any case. */
export const Fiats = defaulted(
  listOf(Schema.Literals(quotedFiats), quotedFiats.length, (text) => trimmed(text).map(fiatOf)),
  [
    "The currencies of the prices.",
    `1 to ${quotedFiats.length} of ${quotedFiats.join(", ").toLowerCase()}, separated by commas`
  ],
  { minLength: 3, default: "usd", examples: [`usd,${LOCAL.toLowerCase()}`] }
)

/** One of the quoted fiats, read in any case. */
export const Fiat = parameter(
  readAs(
    Schema.String.check(Schema.makeFilter(isQuotedFiat)),
    (text) => fiatOf(text) ?? "USD",
    Schema.Literals(quotedFiats),
    (fiat) => fiat.toLowerCase()
  ),
  ["The currency of the price.", `one of ${quotedFiats.join(", ").toLowerCase()}`],
  { enum: quotedFiats.map((fiat) => fiat.toLowerCase()), examples: [LOCAL.toLowerCase()] }
)

/** The fiat of a P2P market, read in any case; one without a market is an unknown asset. */
export const MarketFiat = named(
  readAs(UnitText, asciiUpper, Schema.String, asciiLower),
  [
    "The market's currency.",
    "the code of a fiat whose P2P market this service follows, such as kes; `/v1/p2p` lists them"
  ],
  "kes"
)

/** Which rate of a fiat counts. */
export const FiatBasis = choice(BASES, [basis, `one of ${BASES.join(", ")}`])

const asset = (does: string, example: string) =>
  parameter(
    readAs(
      Schema.String.check(
        Schema.isPattern(ASSET),
        Schema.isMaxLength(LONGEST_ASSET),
        Schema.makeFilter((text: string) => !isOtherUnit(text.trim().replace(/^fiat:/i, "")))
      ),
      (text) => textOf(parseAsset(text)),
      Schema.String
    ),
    [does, ASSET_RULE],
    { pattern: ASSET.source, maxLength: LONGEST_ASSET, examples: [example] }
  )

/** The coin or fiat to convert from, in its one text; `parseAsset` reads it. */
export const FromAsset = asset("The coin or fiat to convert from.", "bitcoin")

/** The coin or fiat to convert to. */
export const ToAsset = asset("The coin or fiat to convert to.", LOCAL)

/** A decimal as a client sends it. */
type Decimal = BigDecimal.BigDecimal | number

const exact = (value: Decimal) => (typeof value === "number" ? BigDecimal.fromNumberUnsafe(value) : value)

/** A plain decimal above 0 and up to `most`. */
const decimal = (pattern: RegExp, most?: BigDecimal.BigDecimal) => {
  const isAllowed = (value: BigDecimal.BigDecimal) =>
    BigDecimal.isPositive(value) && (most === undefined || BigDecimal.isLessThanOrEqualTo(value, most))
  const { ast } = readAs(
    Schema.String.check(Schema.isPattern(pattern)),
    BigDecimal.fromStringUnsafe,
    Schema.Union([Schema.BigDecimal, Schema.Finite]).check(Schema.makeFilter((value) => isAllowed(exact(value)))),
    (value) => plainDecimal(exact(value))
  )
  // The type is asserted, because a text is always read as a `BigDecimal`. Only clients have numbers.
  const schema = Schema.make<Sendable<BigDecimal.BigDecimal, Decimal>>(ast)
  return shapedAs(schema, { type: "string", pattern: pattern.source })
}

/** A plain decimal above 0, at most 10^15, with at most 18 decimals. */
const AnyAmount = decimal(AMOUNT, BigDecimal.fromBigInt(10n ** 15n))

const AMOUNT_RULE = "a plain decimal above 0 and up to 1000000000000000 with at most 18 decimals, such as 0.25"

const AMOUNT_EXAMPLES = ["0.25"]

const AMOUNT_SHAPE = { default: "1", examples: AMOUNT_EXAMPLES }

const LOOSE_AMOUNT = /^\+?(\d{1,16}(\.\d{0,18})?|\.\d{1,18})(e[+-]?\d{1,2})?$/i

/** The same as other services read it: also `1e3`, `.5`, `5.` and `+5`. */
const looseAmount = shapedAs(
  readAs(
    Schema.String.check(Schema.isPattern(LOOSE_AMOUNT)),
    (text) => plainDecimal(BigDecimal.fromStringUnsafe(text.replace("+", ""))),
    AnyAmount
  ),
  { type: "string", pattern: LOOSE_AMOUNT.source }
)

/** A segment of a path cannot be left out, so it has no default. */
export const PathAmount = parameter(looseAmount, AMOUNT_RULE, { examples: AMOUNT_EXAMPLES })

export const CompatAmount = defaulted(looseAmount, AMOUNT_RULE, AMOUNT_SHAPE)

/** What is converted, as a decimal; 1 where it is left out. */
export const Amount = defaulted(AnyAmount, ["How much to convert.", AMOUNT_RULE], AMOUNT_SHAPE)

/** An amount of a P2P market's fiat; no default. */
export const MarketAmount = parameter(AnyAmount, ["Adds `quote`, the rate for this amount of the fiat.", AMOUNT_RULE], {
  examples: ["500000"]
})

/** What a customer does with USDT. */
export const CustomerSide = defaulted(
  word(["buy", "sell"]),
  ["What the customer does with USDT in `quote`. A payout sells.", "buy or sell"],
  { default: "sell" }
)

/** The oldest data that the caller accepts, in seconds. */
export const MaxAge = parameter(wholeNumber(), ["Rejects older data with a 503.", "a whole number of seconds from 1"], {
  examples: [120]
})

/** The price or rate that the caller counts on. */
export const Expected = parameter(
  decimal(DECIMAL),
  [
    "Rejects a rate that differs from this one by more than `tolerance` with a 409.",
    "a plain decimal above 0, such as 1589.5"
  ],
  { examples: ["1589.5"] }
)

/** How far a rate may be from the expected one, in percent. */
export const Tolerance = defaulted(
  decimal(DECIMAL, BigDecimal.fromBigInt(100n)),
  ["How far the rate may be from `expect`, in percent.", "a plain decimal above 0 and up to 100"],
  { default: "1", examples: ["0.5"] }
)

/** The least confidence that the caller accepts. */
export const MinConfidence = parameter(
  word(["high", "medium"]),
  ["Rejects a price or a P2P rate with less confidence with a 503.", "high or medium"],
  { examples: ["medium"] }
)

/** The guard of prices of coins, and of rates that P2P markets make. */
export const confidenceGuard = { min_confidence: Schema.optionalKey(MinConfidence) }

/** The guard of answers that grow old. */
export const ageGuard = { max_age: Schema.optionalKey(MaxAge) }

/** The guards of a single price or rate. */
export const rateGuards = {
  ...ageGuard,
  expect: Schema.optionalKey(Expected),
  tolerance: Tolerance
}

/** All guards. They are checked on a finished answer, and are not part of the cache key. */
export const guards = { ...rateGuards, ...confidenceGuard }

/** The format of an answer; errors are problem documents in every format. */
export const TableFormat = choice(["json", "csv"], ["The format of the answer.", "json or csv"])

/** The format of an answer with prices, which ledgers read too. */
export const PriceFormat = choice(
  ["json", "csv", "hledger", "beancount"],
  ["The format of the answer.", "json, csv, hledger or beancount"]
)
