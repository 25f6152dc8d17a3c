// The fixings of P2P markets, as they were published.
import { Clock, Effect } from "effect"
import { dayIn, type Fixing, fixingTimes, zoneOf } from "../../domain/Fixing.ts"
import { type Coverage, gaps } from "../../history/model/Coverage.ts"
import type { HistoryRange } from "../../history/model/HistoryRange.ts"
import { dayOf, lengthOf, startOfDay } from "../../history/model/Interval.ts"
import * as SeriesName from "../../history/store/SeriesName.ts"
import type { Access } from "./HistoryAccess.ts"

const DAY = lengthOf("day")

/** A day's fixing; `fixing` is absent if there is none. */
export interface DayFixing {
  /** The start of the day's date in UTC. */
  readonly day: number
  /** Why there is none: the market was not followed then, or the fixing is not published yet. */
  readonly missing: "not_followed" | "not_published" | undefined
  readonly fixing: Fixing | undefined
}

/** The newest day of a market whose fixing is due. */
const lastDue = (zone: string, now: number): number => {
  const today = startOfDay(dayIn(zone, now))
  return now < fixingTimes(zone, dayOf(today)).due ? today - DAY : today
}

export const make = ({ noted, recorded }: Pick<Access, "noted" | "recorded">) => ({
  /** The fixing of a market, by its fiat in upper case, on a day; on the newest published one without it. */
  fixing: Effect.fn("Histories.fixing")(function* (fiat: string, on: number | undefined) {
    const [zone, series] = [zoneOf(fiat), SeriesName.p2p(fiat)]
    const now = yield* Clock.currentTimeMillis
    // A fixing that is due may be published at any time.
    yield* noted("day", now)
    const due = lastDue(zone, now)
    const { last } = yield* recorded(({ fixingSpan }) => fixingSpan(series))
    const day = on ?? Math.min(last ?? due, due)
    const [fixing] = yield* recorded(({ fixings }) => fixings(series, day, day))
    // It is published within a minute after it is due, or once something is observed after its window.
    const until = yield* recorded(({ observedUntil }) => observedUntil)
    const isUnknown = until > 0 && until < fixingTimes(zone, dayOf(day)).to
    const isLate = isUnknown || day > due || (day === due && (last ?? 0) < due)
    return {
      day,
      fixing,
      missing: fixing !== undefined ? undefined : isLate ? "not_published" : "not_followed"
    } satisfies DayFixing
  }),

  /** The fixings of a range of days, oldest first. A gap is a day of the range that is due and has none. */
  fixings: Effect.fn("Histories.fixings")(function* (fiat: string, range: HistoryRange) {
    const series = SeriesName.p2p(fiat)
    const now = yield* Clock.currentTimeMillis
    yield* noted("day", range.last)
    const span = yield* recorded(({ fixingSpan }) => fixingSpan(series))
    const fixings = yield* recorded(({ fixings }) => fixings(series, range.first, range.last))
    const last = Math.min(range.last, lastDue(zoneOf(fiat), now))
    const missing = gaps(
      { ...range, last },
      fixings.map(({ day }) => ({ bucket: day }))
    )
    return { fixings, coverage: { ...span, missing } satisfies Coverage }
  })
})
