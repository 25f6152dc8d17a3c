// Weeks and months, which are made from the points of their days. A week is an ISO week: it begins on Monday. All days are UTC.
import { dayOf, finalAt, lengthOf, startOfDay } from "./Interval.ts"
import { type ChosenPoint, stampOf } from "./Point.ts"

export type Period = "week" | "month"

const DAY = lengthOf("day")

/** 1 January 1970 was a Thursday, so weeks are counted from the Monday before it. */
const FIRST_MONDAY = -3 * DAY

/** The number of the week or month of a time; the next one has the next number. */
const numberOf = (period: Period, time: number): number => {
  if (period === "week") return Math.floor((time - FIRST_MONDAY) / (7 * DAY))
  const [year = 0, month = 0] = dayOf(time).split("-").map(Number)
  return 12 * year + month - 1
}

const startOfNumber = (period: Period, number: number): number =>
  period === "week"
    ? FIRST_MONDAY + 7 * DAY * number
    : startOfDay(`${Math.floor(number / 12)}-${String((number % 12) + 1).padStart(2, "0")}-01`)

/** The start of the week or month of a time, or of one that is `later` (negative: earlier). */
export const startOfPeriod = (period: Period, time: number, later: number = 0): number =>
  startOfNumber(period, numberOf(period, time) + later)

export const lastDayOf = (period: Period, time: number): number => startOfPeriod(period, time, 1) - DAY

/** The weeks or months from that of `first` to that of `last`. */
export const periodsBetween = (period: Period, first: number, last: number): ReadonlyArray<number> => {
  const [from, to] = [numberOf(period, first), numberOf(period, last)]
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, n) => startOfNumber(period, from + n))
}

/** What a week or month has and a day has not. */
export interface Totals<Average = number> {
  /** The mean of the closes of its days. */
  readonly average?: Average
  /** How many days it was made from. */
  readonly days?: number
}

/** Makes a point from its days, oldest first. `isWhole`: no day is missing up to now. */
export type Fold<P> = (days: ReadonlyArray<P>, last: P, isWhole: boolean) => P

/** The point of each week or month, from the points of its days up to `last`, oldest first. */
export const inPeriods = <P extends Pick<ChosenPoint, "bucket" | "source" | "observedAt" | "revisedAt">>(
  period: Period,
  last: number,
  points: ReadonlyArray<P>,
  fold: Fold<P>
): ReadonlyArray<P> =>
  [...Map.groupBy(points, ({ bucket }) => startOfPeriod(period, bucket))].flatMap(([bucket, days]) => {
    const newest = days.at(-1)
    if (newest === undefined) return []
    const end = lastDayOf(period, bucket)
    const isWhole = days.length === (Math.min(end, last) - bucket) / DAY + 1
    const { revisedAt, source } = stampOf(...days)
    const isRevised = revisedAt !== null && revisedAt >= finalAt("day", end)
    return [{ ...fold(days, newest, isWhole), bucket, source, revisedAt: isRevised ? revisedAt : null }]
  })

/** A figure of all days, such as the highest; null if one of them lacks it. */
export const ofAll = (
  figures: ReadonlyArray<number | null>,
  fold: (figures: ReadonlyArray<number>) => number
): number | null => {
  const known = figures.filter((figure) => figure !== null)
  return known.length < figures.length ? null : fold(known)
}

type Extremes = Pick<ChosenPoint, "open" | "high" | "low">

/** The open, high and low of some days; null if a day is missing or lacks them. */
export const extremesOf = (days: ReadonlyArray<Extremes>, isWhole: boolean): Extremes => ({
  open: isWhole ? (days[0]?.open ?? null) : null,
  high: isWhole
    ? ofAll(
        days.map(({ high }) => high),
        (all) => Math.max(...all)
      )
    : null,
  low: isWhole
    ? ofAll(
        days.map(({ low }) => low),
        (all) => Math.min(...all)
      )
    : null
})
