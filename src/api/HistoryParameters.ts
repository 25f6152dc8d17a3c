// The parameters of the past: of histories, and the moment of an answer.
import { DateTime, Option, Schema } from "effect"
import { asciiUpper } from "../domain/asciiCase.ts"
import { isoCurrencies } from "../domain/Fiat.ts"
import { usualMarket } from "../domain/P2pMarket.ts"
import { momentOf } from "../history/model/Moment.ts"
import { isOtherUnit } from "../domain/otherUnits.ts"
import { choice, listed, named, parameter, readAs } from "./Parameter.ts"
import { idIn, listOf, MOST_ROWS, trimmed } from "./Parameters.ts"

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

const isMoment = (text: string): boolean => AT.test(text) && isDay(text.slice(0, 10)) && Option.isSome(momentOf(text))

/** The one text of a moment. */
const momentText = (text: string): string =>
  Option.match(momentOf(text), {
    onNone: () => text,
    onSome: (moment) => (moment._tag === "Day" ? text : DateTime.formatIso(DateTime.makeUnsafe(moment.time)))
  })

/** The id of an item `id@moment`, and its moment, if it has one. */
export const coinAt = (item: string): { readonly id: string; readonly at: string | undefined } => {
  const end = item.lastIndexOf("@")
  return end < 0 ? { id: item, at: undefined } : { id: item.slice(0, end), at: item.slice(end + 1) }
}

const itemOf = (text: string): string | undefined => {
  const { at, id } = coinAt(text)
  const coin = idIn(id.trim())
  if (at === undefined || coin === undefined) return coin
  return isOtherUnit(id) || !isMoment(at) ? undefined : `${coin}@${momentText(at)}`
}

/** Coins' ids as `CoinIds`, each with a moment of its own where it has one. `coinAt` reads an item. */
export const CoinsAt = listed(
  listOf(Schema.String, MOST_ROWS, (text) => trimmed(text).map(itemOf)),
  [
    "The coins; `bitcoin@2026-11-20` is the price at that day's close, `bitcoin@2026-11-20T10:30:00Z` the one at that time.",
    `1 to ${MOST_ROWS} coins' ids in CoinGecko's registry, separated by commas, such as bitcoin,tether or bitcoin@2026-11-20`
  ],
  "bitcoin,tether"
)

/** A day or a time in the past; `momentOf` reads it. Times are in UTC, whatever zone they were sent in. */
export const At = parameter(
  readAs(Schema.String.check(Schema.makeFilter(isMoment)), momentText, Schema.String),
  [
    "Answers as of this day (its close) or time.",
    "a day (YYYY-MM-DD) or a time (2026-11-20T10:30:00Z) that is not in the future"
  ],
  { pattern: AT.source, examples: ["2026-11-20", "2026-11-20T10:30:00Z"] }
)

const ZONE = /^[A-Za-z][A-Za-z0-9_+\-/]{1,59}$/

const zoneIn = (text: string): string =>
  Option.match(DateTime.zoneMakeNamed(text), { onNone: () => text, onSome: ({ id }) => id })

/** A time zone by its IANA name, read in any case. */
export const Zone = parameter(
  readAs(
    Schema.String.check(
      Schema.isPattern(ZONE),
      Schema.makeFilter((text: string) => Option.isSome(DateTime.zoneMakeNamed(text)))
    ),
    zoneIn,
    Schema.String
  ),
  ["The time zone of the day, by default the market's.", "the name of a time zone, such as Africa/Lagos"],
  { pattern: ZONE.source, examples: ["Africa/Lagos"] }
)
