// Numbers as the contract writes them: plain decimals, never an exponent. `JSON.stringify` writes 1e-7 and rounds to a double;
// raw JSON (https://tc39.es/proposal-json-parse-with-source) is how a value says itself in what digits it is to be written.
import { BigDecimal, Schema, SchemaGetter } from "effect"
import { plain, plainDecimal } from "../domain/Decimal.ts"

/** `JSON` with what TypeScript's library does not know of it yet. Not declared globally: that would be so for our users too. */
export const RawJson = JSON as JSON & {
  rawJSON(text: string): object
  isRawJSON(value: unknown): boolean
}

/** What may stand for a number in an encoded body: a number, or raw JSON of one. */
type Written = number | object

const isWritten = (value: unknown): value is Written => Number.isFinite(value) || RawJson.isRawJSON(value)

/** How a number that may be raw JSON is marked in schemas, for the document to call it a number. */
export const NUMBER_FORMAT = "json-number"

/** Words for the document belong to what is written: those of the decoded side are not in it. */
const written = (description?: string) =>
  Schema.declare<Written>(isWritten, {
    expected: "a number",
    toCodecJson: () => undefined,
    format: NUMBER_FORMAT,
    ...(description !== undefined && { description })
  })

const read = (written: Written): number => (typeof written === "number" ? written : Number(JSON.stringify(written)))

/** Whether `String(value)` would use an exponent. */
const needsPlain = (value: number): boolean => {
  const size = Math.abs(value)
  return size !== 0 && (size < 1e-6 || size >= 1e21)
}

/** A finite number, with words for the document. Not finite is an error, not a number. */
export const jsonNumber = (description?: string) =>
  written(description).pipe(
    Schema.decodeTo(Schema.Finite, {
      decode: SchemaGetter.transform(read),
      encode: SchemaGetter.transform((value: number): Written =>
        needsPlain(value) ? RawJson.rawJSON(plain(value)) : value
      )
    })
  )

/** A finite number. */
export const JsonNumber = jsonNumber()

/** A number with words for the document, or `null` for what is unknown. */
export const figure = (description: string) => Schema.NullOr(JsonNumber).annotate({ description })

/**
 * An exact decimal, written with every digit it has, with words for the document. Clients that parse JSON into doubles read the
 * nearest one.
 */
export const jsonDecimal = (description?: string) =>
  written(description).pipe(
    Schema.decodeTo(Schema.BigDecimal, {
      decode: SchemaGetter.transform((written: Written) => BigDecimal.fromNumberUnsafe(read(written))),
      encode: SchemaGetter.transform((value: BigDecimal.BigDecimal): Written => RawJson.rawJSON(plainDecimal(value)))
    })
  )

/** An exact decimal. */
export const JsonDecimal = jsonDecimal()
