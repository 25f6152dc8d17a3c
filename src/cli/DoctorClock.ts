// Whether this machine's clock is right, by the median of the times that the sources send.
import { Clock, Duration, Effect } from "effect"
import { FetchHttpClient } from "effect/http"
import { median } from "../domain/P2pBook.ts"
import { aheadOf, TOLERANCE } from "../sources/client/SourceClocks.ts"
import { type Finding, findingIn, span } from "./DoctorFindings.ts"

/** A `fetch` that notes what time the sources say it is, and the finding on that. */
export const make = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const fetch = yield* FetchHttpClient.Fetch
  const ahead: Array<number> = []
  const noting: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    const { headers } = response
    const now = clock.currentTimeMillisUnsafe()
    const seconds = aheadOf(now, headers.get("date") ?? undefined, headers.get("age") ?? undefined)
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
