// The parameters of the past: of histories, and the moment of an answer.
import { DateTime, Option, Schema } from "effect"
import { asciiUpper } from "../domain/asciiCase.ts"
import { isoCurrencies } from "../domain/Fiat.ts"
import { usualMarket } from "../domain/P2pMarket.ts"
import { momentOf } from "../history/model/Moment.ts"
import { choice, named, parameter, readAs } from "./Parameter.ts"
import { listOf, trimmed } from "./Parameters.ts"

const AT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/

const isDay = (text: string): boolean =>
  Option.exists(DateTime.make(`${text}T00:00:00Z`), (time) => DateTime.formatIsoDateUtc(time) === text)

/** A day that is in the calendar, `YYYY-MM-DD`. */
export const HistoryDay = Schema.String.check(
  Schema.isPattern(/^\d{4}-\d{2}-\d{2}$/),
  Schema.makeFilter((text: string) => isDay(text))
)

const edge = (does: string, example: string) =>
  parameter(HistoryDay, [does, "a day of UTC that is not in the future, as YYYY-MM-DD"], {
    format: "date",
    examples: [example]
  })

/** The first and the last day of a history. */
export const range = {
  from: Schema.optionalKey(edge("The first day, included.", "2026-11-01")),
  to: Schema.optionalKey(edge("The last day, included.", "2026-11-20"))
}

/** The length of a history's buckets. */
export const Interval = choice(
  ["day", "hour", "week", "month"],
  ["The time that a point covers. A week begins on Monday.", "day, hour, week or month"]
)

/** The same for rates that are published once a day. */
export const DailyInterval = choice(
  ["day", "week", "month"],
  ["The time that a point covers. A week begins on Monday.", "day, week or month"]
)

/** The content of a bucket without an observation. */
export const Fill = choice(
  ["none", "previous"],
  ["What to do without an observation. none leaves the point out, previous repeats the one before.", "none or previous"]
)

const MOST_QUOTES = 10

const codeOf = (text: string): string | undefined => {
  const code = asciiUpper(text)
  return isoCurrencies.has(code) ? code : undefined
}

/** Fiats, each once, read in any case. */
export const Quotes = named(
  listOf(Schema.String, MOST_QUOTES, (text) => trimmed(text).map(codeOf)),
  [
    "The currencies of the rates.",
    `1 to ${MOST_QUOTES} fiat codes separated by commas, such as EUR,${usualMarket.fiat}`
  ],
  `EUR,${usualMarket.fiat}`
)

/** A day or a time in the past; `momentOf` reads it. Times are in UTC, whatever zone they were sent in. */
export const At = parameter(
  readAs(
    Schema.String.check(
      Schema.isPattern(AT),
      Schema.makeFilter((text: string) => isDay(text.slice(0, 10)) && Option.isSome(momentOf(text)))
    ),
    (text) =>
      Option.match(momentOf(text), {
        onNone: () => text,
        onSome: (moment) => (moment._tag === "Day" ? text : DateTime.formatIso(DateTime.makeUnsafe(moment.time)))
      }),
    Schema.String
  ),
  [
    "Answers as of this day (its close) or time.",
    "a day (YYYY-MM-DD) or a time (2026-11-20T10:30:00Z) that is not in the future"
  ],
  { pattern: AT.source, examples: ["2026-11-20", "2026-11-20T10:30:00Z"] }
)
