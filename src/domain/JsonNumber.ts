// Numbers in the contract's form: plain decimals without exponents. `JSON.stringify` would write `1e-7` and round to a double;
// raw JSON (https://tc39.es/proposal-json-parse-with-source) sets the digits of a value.
import { BigDecimal, Schema, SchemaGetter } from "effect"
import { plain, plainDecimal } from "./Decimal.ts"

/** `JSON` with members that TypeScript's library lacks. A global declaration would also apply to users of the package. */
export const RawJson = JSON as JSON & {
  rawJSON(text: string): object
  isRawJSON(value: unknown): boolean
}

/** A number in a body, or its raw JSON. */
export type Written = number | object

const isWritten = (value: unknown): value is Written => Number.isFinite(value) || RawJson.isRawJSON(value)

/** The `format` that marks such a number for the OpenAPI document. */
export const NUMBER_FORMAT = "json-number"

/** The encoded side. The OpenAPI document takes its description from here. */
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

/** A number for a body that is written without a schema. */
export const jsonFigure = (value: number): Written => (needsPlain(value) ? RawJson.rawJSON(plain(value)) : value)

/** A finite number with a description. Encoding a number that is not finite fails. */
export const jsonNumber = (description?: string) =>
  written(description).pipe(
    Schema.decodeTo(Schema.Finite, {
      decode: SchemaGetter.transform(read),
      encode: SchemaGetter.transform((value: number): Written => jsonFigure(value))
    })
  )

/** A finite number, written without an exponent. */
export const JsonNumber = jsonNumber()

/** A number with a description, or `null` if unknown. */
export const figure = (description: string) => Schema.NullOr(JsonNumber).annotate({ description })

/** An exact decimal with a description, written with all its digits. Clients that parse doubles read the nearest one. */
export const jsonDecimal = (description?: string) =>
  written(description).pipe(
    Schema.decodeTo(Schema.BigDecimal, {
      decode: SchemaGetter.transform((written: Written) => BigDecimal.fromNumberUnsafe(read(written))),
      encode: SchemaGetter.transform((value: BigDecimal.BigDecimal): Written => RawJson.rawJSON(plainDecimal(value)))
    })
  )

/** An exact decimal, written with all its digits. */
export const JsonDecimal = jsonDecimal()
