// The past moment that a rate is requested for: a time, or a day, which means its close.
import { DateTime, Option } from "effect"
import { lengthOf } from "./Interval.ts"

/** Epoch milliseconds. A day is named by its start. */
export type Moment = { readonly _tag: "Time"; readonly time: number } | { readonly _tag: "Day"; readonly day: number }

/** How old an observation may be at a moment, ms. */
export const MOMENT_REACH = 7 * lengthOf("day")

/** The last millisecond that a moment includes. */
export const endOf = (moment: Moment): number =>
  moment._tag === "Time" ? moment.time : moment.day + lengthOf("day") - 1

/** The first millisecond that a moment includes. */
export const startOf = (moment: Moment): number => (moment._tag === "Time" ? moment.time : moment.day)

/** Parses a day (`2026-11-20`) or a time (RFC 3339); none if the text is neither. */
export const momentOf = (text: string): Option.Option<Moment> => {
  const isDay = !text.includes("T")
  return Option.map(DateTime.make(isDay ? `${text}T00:00:00Z` : text), ({ epochMilliseconds }) =>
    isDay ? { _tag: "Day", day: epochMilliseconds } : { _tag: "Time", time: epochMilliseconds }
  )
}
