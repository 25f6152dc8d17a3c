// Whether this machine's clock is right, by the median of the times that the sources send.
import { Clock, Duration, Effect } from "effect"
import { FetchHttpClient } from "effect/http"
import { median } from "../domain/P2pBook.ts"
import { type Finding, findingIn, span } from "./DoctorFindings.ts"

/** Ages of data are judged by our clock: this far off, in seconds, the judgement is wrong. */
const TOLERANCE = 60

/** How many seconds our clock is ahead of a source's `Date`; a cache adds the `Age` of what it gives. */
export const aheadOf = (now: number, headers: Headers): number | undefined => {
  const date = Date.parse(headers.get("date") ?? "")
  const age = /^\d+$/.test(headers.get("age") ?? "") ? Number(headers.get("age")) : 0
  return Number.isNaN(date) ? undefined : (now - date) / 1000 - age
}

/** A `fetch` that notes what time the sources say it is, and the finding on that. */
export const make = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const fetch = yield* FetchHttpClient.Fetch
  const ahead: Array<number> = []
  const noting: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    const seconds = aheadOf(clock.currentTimeMillisUnsafe(), response.headers)
    if (seconds !== undefined) ahead.push(seconds)
    return response
  }
  return { fetch: noting, judge: () => judge(ahead) }
})

/** The finding on the clock, from how many seconds it is ahead of each source. */
export const judge = (ahead: ReadonlyArray<number>): Finding => {
  const finding = findingIn("machine", "clock")
  if (ahead.length === 0) return finding("off", "unknown: no source sent its time")
  const seconds = median(ahead)
  const off = span(Duration.seconds(Math.abs(seconds)))
  if (Math.abs(seconds) <= TOLERANCE) return finding("ok", `within ${off} of the sources' clocks`)
  const text =
    seconds > 0
      ? `${off} ahead of the sources' clocks: data looks older than it is, and may count as stale. Set it by NTP`
      : `${off} behind the sources' clocks: stale data counts as fresh. Set it by NTP`
  return finding("degraded", text)
}
