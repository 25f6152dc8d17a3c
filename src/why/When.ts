// When something was reported, in words and as members have it: beside the start of the move, and by the clock. A source that knows
// only the day has a day (WHY.md §3.12).
import { DateTime } from "effect"
import { timeText } from "./Citations.ts"
import type { Onset } from "./Onset.ts"
import type { PoolItem } from "./Pool.ts"

const MINUTE = 60_000

const MONTHS = "January February March April May June July August September October November December".split(" ")

const dayOf = (at: number): string => {
  const { day, month } = DateTime.toPartsUtc(DateTime.makeUnsafe(at))
  return `${day} ${MONTHS[month - 1] ?? ""}`
}

/** A count of minutes, or of hours from ninety minutes on. */
const spanOf = (millis: number): string => {
  const minutes = Math.round(Math.abs(millis) / MINUTE)
  const [count, unit] = minutes < 90 ? [minutes, "minute"] : [Math.round(minutes / 60), "hour"]
  return `${count} ${unit}${count === 1 ? "" : "s"}`
}

/** "20 minutes after the rise began", "on 24 November"; empty where the start is unknown. `sign`: which way the coin went. */
export const besideOnset = ({ at, item }: PoolItem, onset: Onset, sign: number): string => {
  if (item.precision === "day") return `on ${dayOf(at)}`
  if (!onset.known) return ""
  const move = sign > 0 ? "rise" : "fall"
  const after = at - onset.at
  if (Math.abs(after) < MINUTE) return `as the ${move} began`
  return `${spanOf(after)} ${after < 0 ? "before" : "after"} the ${move} began`
}

/** "14:05 UTC", with the day if it is another than that of `asOf`; `null` where only the day is known. */
export const clockOf = ({ at, item }: PoolItem, asOf: DateTime.Utc): string | null => {
  if (item.precision === "day") return null
  const clock = `${timeText(at).slice(11, 16)} UTC`
  return timeText(at).slice(0, 10) === DateTime.formatIsoDateUtc(asOf) ? clock : `${dayOf(at)}, ${clock}`
}
