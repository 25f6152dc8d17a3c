// What callers may pass. Each parameter's rule is written once, in words: the schema enforces it, the OpenAPI document shows
// it, and a 400 repeats it.
import { BigDecimal, Option, Schema, SchemaGetter } from "effect"
import { isQuotedFiat, quotedFiats, type QuotedFiat } from "../domain/Fiat.ts"

/** The rules, as they stand behind "must be …" in an error. */
export const rules: Readonly<Record<string, string>> = {
  limit: "a whole number from 1 to 250",
  page: "a whole number from 1",
  id: "a coin's identifier in CoinGecko's registry, such as bitcoin",
  fiat: `one of ${quotedFiats.join(", ").toLowerCase()}`,
  from: "a coin's identifier (bitcoin) or a fiat's code (NGN), with coin: or fiat: before it where both are spelled alike",
  to: "a coin's identifier (bitcoin) or a fiat's code (NGN), with coin: or fiat: before it where both are spelled alike",
  amount: "a plain decimal above 0 and up to 1000000000000000 with at most 18 decimals, such as 0.25"
}

const described = (parameter: keyof typeof rules) => ({ description: `Must be ${rules[parameter]}.` })

const MOST_ROWS = 250
const AMOUNT = /^\d{1,16}(\.\d{1,18})?$/
const ASSET = /^\s*\S.{0,120}$/

/**
 * What each parameter is, as JSON Schema: in an address all is text, and that is what the document would say otherwise. Ids and
 * fiats are shown in the case they are answered in, though they are read in any.
 */
export const schemas: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  limit: { type: "integer", minimum: 1, maximum: MOST_ROWS, default: 100 },
  page: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 1 },
  id: { type: "string", minLength: 1, examples: ["bitcoin"] },
  fiat: { type: "string", enum: quotedFiats.map((fiat) => fiat.toLowerCase()), examples: ["ngn"] },
  from: { type: "string", pattern: ASSET.source, examples: ["bitcoin"] },
  to: { type: "string", pattern: ASSET.source, examples: ["NGN"] },
  amount: { type: "string", pattern: AMOUNT.source, default: "1", examples: ["0.25"] }
}

const wholeNumber = (most: number) =>
  Schema.String.check(Schema.isPattern(/^\d{1,16}$/)).pipe(
    Schema.decodeTo(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: most })), {
      decode: SchemaGetter.transform(Number),
      encode: SchemaGetter.transform(String)
    })
  )

/** Rows per page. */
export const Limit = wholeNumber(MOST_ROWS).annotate(described("limit"))

/** Page, from 1. */
export const Page = wholeNumber(Number.MAX_SAFE_INTEGER).annotate(described("page"))

/** A coin's id, read in any case. */
export const CoinId = Schema.NonEmptyString.pipe(
  Schema.decodeTo(Schema.String, {
    decode: SchemaGetter.transform((text: string) => text.toLowerCase()),
    encode: SchemaGetter.transform((id: string) => id)
  })
).annotate(described("id"))

/** One of the nine fiats, read in any case. */
export const Fiat = Schema.String.check(Schema.makeFilter(isQuotedFiat))
  .pipe(
    Schema.decodeTo(Schema.Literals(quotedFiats), {
      decode: SchemaGetter.transform(
        (text: string) => quotedFiats.find((fiat) => fiat === text.toUpperCase()) ?? "USD"
      ),
      encode: SchemaGetter.transform((fiat: QuotedFiat) => fiat.toLowerCase())
    })
  )
  .annotate(described("fiat"))

/** A coin or a fiat, as the caller wrote it. */
export const Asset = Schema.String.check(Schema.isPattern(ASSET)).annotate(described("from"))

const most = BigDecimal.fromBigInt(10n ** 15n)

/** An amount to convert. */
export const Amount = Schema.String.check(Schema.isPattern(AMOUNT))
  .pipe(
    Schema.decodeTo(
      Schema.BigDecimal.check(
        Schema.makeFilter(
          (amount: BigDecimal.BigDecimal) =>
            BigDecimal.isPositive(amount) && BigDecimal.isLessThanOrEqualTo(amount, most)
        )
      ),
      {
        decode: SchemaGetter.transform(BigDecimal.fromStringUnsafe),
        encode: SchemaGetter.transform((amount: BigDecimal.BigDecimal) => BigDecimal.format(amount))
      }
    )
  )
  .annotate(described("amount"))

const allowedBy = (schema: Schema.ConstraintDecoder<unknown>) => {
  const decode = Schema.decodeUnknownOption(schema)
  return (text: string): boolean => Option.isSome(decode(text))
}

/** Whether a text is allowed for a parameter of a query, by the parameter's schema. */
export const allowed: Readonly<Record<string, (text: string) => boolean>> = {
  limit: allowedBy(Limit),
  page: allowedBy(Page),
  from: allowedBy(Asset),
  to: allowedBy(Asset),
  amount: allowedBy(Amount)
}
