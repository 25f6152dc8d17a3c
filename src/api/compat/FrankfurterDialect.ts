// Problems in Frankfurter's shape, `{ "status", "message" }` (version 1 reads the message), and its parameters.
import { Schema } from "effect"
import { jsonDialect, type Problem } from "../Dialect.ts"
import { parameter, readAs, unsupported } from "../Parameter.ts"
import { HistoryDay } from "../HistoryParameters.ts"
import { itemsIn, listOf, UnitText } from "../Parameters.ts"
import type { Texts } from "./CompatDocument.ts"
import { asciiUpper } from "../../domain/asciiCase.ts"
import { writtenDays } from "../../domain/writtenDays.ts"

export const FRANKFURTER_BASE = "/compat/frankfurter"

const MOST_CODES = 250

const write = ({ code, detail, errors = [], status: own }: Problem): readonly [number, object] => {
  if (code === "invalid_parameter") {
    const message = errors.map((error) => `invalid ${error.parameter}: ${error.detail}`).join("; ")
    return [422, { status: 422, message }]
  }
  const message = code === "unknown_asset" ? `not found: ${detail}` : own === 404 ? "not found" : detail
  return [own, { status: own, message }]
}

export const frankfurter = jsonDialect(FRANKFURTER_BASE, write)

const CODE = /^[a-z0-9]{1,10}$/i

/** A code in upper case. It may be that of no currency. */
export const Code = parameter(
  readAs(UnitText.check(Schema.isPattern(CODE)), asciiUpper, Schema.String),
  "a fiat's code",
  { minLength: 1, maxLength: 10, examples: ["USD"] }
)

export const Codes = parameter(
  listOf(Schema.String, MOST_CODES, (text) =>
    itemsIn(text).map((item) => (CODE.test(item) ? asciiUpper(item) : undefined))
  ),
  "fiats' codes separated by commas",
  { minLength: 1, examples: ["EUR,KES"] }
)

/** A day as Ruby reads it, with other signs and orders; a time after it is ignored. */
export const Date = parameter(
  readAs(Schema.String, (text) => writtenDays(text)[0]?.slice(0, 10) ?? text, HistoryDay),
  "a day of the calendar as YYYY-MM-DD",
  { examples: ["2026-11-20"] }
)

const PERIOD = /^(\d{4}-\d{2}-\d{2})(?:(\.\.)(\d{4}-\d{2}-\d{2})?)?$/

const isHistoryDay = Schema.is(HistoryDay)

/** A day, or the first and the last of several: version 1 has both in the path. */
export interface Period {
  readonly from: string
  /** `undefined`: until now. */
  readonly to: string | undefined
  readonly isRange: boolean
}

/** The period that a segment of a path names; none if it is no day, so that the path is another one. */
export const periodOf = (text: string): Period | undefined => {
  const [, from, dots, to] = PERIOD.exec(text) ?? []
  if (from === undefined || !isHistoryDay(from) || (to !== undefined && !isHistoryDay(to))) return undefined
  return { from, to, isRange: dots !== undefined }
}

/** The segment of version 1 that names a period. */
export const PeriodText = parameter(
  Schema.String.check(Schema.isMaxLength(100)),
  "a day of the calendar as YYYY-MM-DD, a range as YYYY-MM-DD..YYYY-MM-DD or YYYY-MM-DD.., or current for now",
  { pattern: `${PERIOD.source}|^current$`, examples: ["2026-11-20", "2026-11-01..2026-11-20"] }
)

export const Group = unsupported("days are not grouped here")
export const Unsupported = unsupported("rates are of the sources of /v1/fx")

export const documentedErrors: Pick<Texts, "errors" | "errorSchemas"> = {
  errors: {
    404: "No rate of this currency is known then",
    422: "A parameter is not allowed as it is, or not supported here; the text names it"
  },
  errorSchemas: {
    Error: {
      type: "object",
      properties: { status: { type: "integer" }, message: { type: "string" } },
      required: ["status", "message"]
    }
  }
}
