// Schemas that wire formats share: lists decoded row by row, numbers as text, blanks.
import { Option, Predicate, Schema, SchemaGetter } from "effect"

export type Wire = Schema.Constraint & { readonly DecodingServices: never }

/** A number, sent as a JSON number or as decimal text (`"1386.0"`, `"3.54E-8"`). Never blank. */
export const Decimal = Schema.Union([
  Schema.Finite,
  Schema.String.check(Schema.isPattern(/^[+-]?\d+(\.\d*)?([eE][+-]?\d+)?$/)).pipe(
    Schema.decodeTo(Schema.Finite, { decode: SchemaGetter.transform(Number), encode: SchemaGetter.transform(String) })
  )
])

/** A {@link Decimal}, or `null` or `""`, which both decode to `null`. */
export const BlankableDecimal = Schema.Union([
  Decimal,
  Schema.NullOr(Schema.Literal("")).pipe(
    Schema.decodeTo(Schema.Null, {
      decode: SchemaGetter.transform(() => null),
      encode: SchemaGetter.transform(() => null)
    })
  )
])

/** A number that may be `null` or absent. */
export const Nullish = Schema.optionalKey(Schema.NullOr(Schema.Finite))

/** The longest name, id or code of a source, in UTF-16 units. A row with a longer one is malformed. */
const MOST_UNITS = 256

/** A name, an id or a code; may be empty. */
export const Text = Schema.String.check(Schema.isMaxLength(MOST_UNITS))

/** A name, an id or a code. */
export const Id = Schema.NonEmptyString.check(Schema.isMaxLength(MOST_UNITS))

/** A few names. */
export const Texts = Schema.Array(Text).check(Schema.isMaxLength(100))

/** Text that may be `null` or absent. */
export const NullishText = Schema.optionalKey(Schema.NullOr(Schema.String))

/** Epoch seconds before the year 5138, so that a time in milliseconds is malformed. */
export const EpochSeconds = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1e11 }))

/** A day, `YYYY-MM-DD`. */
export const Day = Schema.String.check(Schema.isPattern(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/))

/** An ISO 8601 instant with an offset. */
export const Instant = Schema.DateTimeUtcFromString

/**
 * A list of at most `most` rows. {@link rows} decodes them one by one, so that one bad row does not lose the page. A longer list is
 * malformed, and none of its rows is decoded.
 */
export const Rows = (most: number) =>
  Schema.declare((value): value is ReadonlyArray<unknown> => Array.isArray(value) && value.length <= most)

/** An object with at most `most` members, which are decoded one by one. */
export const Members = (most: number) =>
  Schema.declare(
    (value): value is Readonly<Record<string, unknown>> =>
      Predicate.isObject(value) && !Array.isArray(value) && Object.keys(value).length <= most
  )

export const rows = <S extends Wire>(
  schema: S,
  list: ReadonlyArray<unknown>
): { readonly good: ReadonlyArray<S["Type"]>; readonly bad: number } => {
  const decode = Schema.decodeUnknownOption(schema)
  const good = list.flatMap((row) => Option.toArray(decode(row)))
  return { good, bad: list.length - good.length }
}

/** The value if it is above 0, else `null`. */
export const positive = (value: number | null | undefined): number | null =>
  value !== null && value !== undefined && value > 0 ? value : null
