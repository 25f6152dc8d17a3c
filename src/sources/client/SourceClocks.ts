// Whether this machine's clock is right, by the times that the sources send. Ages of data are judged by our clock: if it is wrong, fresh
// data counts as stale, or stale data as fresh.
import { Context, Effect } from "effect"
import { median } from "../../domain/P2pBook.ts"
import * as Warnings from "../../domain/Warnings.ts"

/** The tolerated difference in seconds. */
export const TOLERANCE = 60

/** Fewer sources may all be wrong. */
const LEAST_SOURCES = 3

/** How many seconds our clock is ahead of a source's `Date`. A cache adds the `Age` of its copy. */
export const aheadOf = (now: number, date: string | undefined, age: string | undefined): number | undefined => {
  const at = Date.parse(date ?? "")
  return Number.isNaN(at) ? undefined : (now - at) / 1000 - (/^\d+$/.test(age ?? "") ? Number(age) : 0)
}

export interface Clocks {
  /** Notes by how many seconds our clock is ahead of a source's. */
  readonly note: (source: string, seconds: number | undefined) => void
  /** By how many seconds our clock is ahead of most sources' clocks, if that is more than {@link TOLERANCE}; negative: behind. */
  readonly wrongBy: () => number | undefined
}

export const make = (): Clocks => {
  const newest = new Map<string, number>()
  return {
    note: (source, seconds) => void (seconds !== undefined && newest.set(source, seconds)),
    wrongBy: () => {
      if (newest.size < LEAST_SOURCES) return undefined
      const seconds = Math.round(median([...newest.values()]))
      return Math.abs(seconds) > TOLERANCE ? seconds : undefined
    }
  }
}

/** Set by the process that serves. Elsewhere nothing is noted, such as in tests with a clock of their own. */
export const SourceClocks = Context.Reference<Clocks>("crypto-data-api/sources/client/SourceClocks", {
  defaultValue: () => ({ note: () => {}, wrongBy: () => undefined })
})

/** What is wrong with a clock that is ahead by so many seconds, for operators. */
export const textOf = (seconds: number): string =>
  seconds > 0
    ? `this machine's clock is ${seconds} s ahead of the sources' clocks: fresh data counts as stale. Set it by NTP`
    : `this machine's clock is ${-seconds} s behind the sources' clocks: stale data counts as fresh. Set it by NTP`

/** Makes the effect that logs once when the clock becomes wrong. */
export const reporting = Effect.map(SourceClocks, (clocks) => {
  const report = Warnings.make()
  return Effect.suspend(() => {
    const seconds = clocks.wrongBy()
    return report("clock", seconds === undefined ? undefined : textOf(seconds))
  })
})
