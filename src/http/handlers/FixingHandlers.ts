// `/v1/p2p/{fiat}/fixing` and `/v1/p2p/{fiat}/fixings`. Figures are rounded only here.
import { Clock, DateTime, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { FixingRow } from "../../api/FixingApi.ts"
import { dayIn, type Fixing, fixingTimes, zoneOf } from "../../domain/Fixing.ts"
import { joinSources } from "../../domain/Snapshot.ts"
import { pairOf } from "../../domain/P2pMarket.ts"
import { rangeOf } from "../../history/model/HistoryRange.ts"
import { dayOf, startOfDay, timeOf } from "../../history/model/Interval.ts"
import { Histories } from "../../services/history/Histories.ts"
import { P2pMarkets } from "../../services/P2pMarkets.ts"
import { csv } from "../response/Csv.ts"
import { Signing } from "../response/Signature.ts"
import { computed } from "./figure.ts"
import { signedBy } from "./Format.ts"
import { coverageOf } from "./HistoryHandlers.ts"
import { marketIn } from "./P2pHandlers.ts"
import { InvalidQuery, orInvalid, refusing } from "./refusing.ts"
import { ownRecordAt } from "./Stamp.ts"

export const FixingHandlers = HttpApiBuilder.group(
  Api,
  "fixing",
  Effect.fn(function* (handlers) {
    const histories = yield* Histories
    const { followed } = yield* P2pMarkets
    const answered = signedBy(yield* Signing)
    return handlers.handleAll({
      fixing: Effect.fnUntraced(function* ({ params: { fiat }, query: { on } }) {
        yield* marketIn(followed, fiat)
        const today = dayIn(zoneOf(fiat), yield* Clock.currentTimeMillis)
        if (on !== undefined && on > today) {
          return yield* new InvalidQuery({
            parameter: "on",
            detail: `must not be after today, ${today} (${zoneOf(fiat)})`
          })
        }
        const { day, fixing, missing } = yield* histories.fixing(fiat, on === undefined ? undefined : startOfDay(on))
        const row = fixing === undefined ? noFixing(fiat, day, missing ?? null) : rowOf(fiat, fixing)
        const observations = (fixing?.parts ?? []).map(({ confidence, method, mid, observedAt, source }) => {
          return { time: timeOf(observedAt), mid: computed(mid), confidence, source, method }
        })
        return yield* answered(
          "json",
          stampOf(fiat, day, fixing === undefined ? [] : [fixing]),
          () => {
            return { pair: pairOf(fiat), ...row, observations }
          },
          String
        )
      }, refusing),
      fixings: Effect.fnUntraced(function* ({ params: { fiat }, query: { format, from, to } }) {
        yield* marketIn(followed, fiat)
        const now = yield* Clock.currentTimeMillis
        const range = yield* orInvalid(rangeOf({ from, to, interval: "day" }, now))
        const { coverage, fixings } = yield* histories.fixings(fiat, range)
        const rows = fixings.map((fixing) => rowOf(fiat, fixing))
        return yield* answered(
          format,
          stampOf(fiat, range.first, fixings),
          () => ({ pair: pairOf(fiat), fixings: rows, coverage: coverageOf("day", coverage) }),
          () =>
            csv(
              [...Object.keys(FixingRow.fields), "pair"],
              rows.map((row) => ({ ...row, pair: pairOf(fiat) }))
            )
        )
      }, refusing)
    })
  })
)

/** The venues of all observations, and the time of the newest one; of the first window if there is none. */
const stampOf = (fiat: string, day: number, fixings: ReadonlyArray<Fixing>) => {
  const parts = fixings.flatMap(({ parts }) => parts)
  if (parts.length === 0) return ownRecordAt(fixingTimes(zoneOf(fiat), dayOf(day)).from)
  const newest = parts.reduce((time, { observedAt }) => Math.max(time, observedAt), -Infinity)
  return { source: joinSources(new Set(parts.map(({ source }) => source))), updated: DateTime.makeUnsafe(newest) }
}

const timesOf = (fiat: string, day: number) => {
  const zone = zoneOf(fiat)
  const { from, to } = fixingTimes(zone, dayOf(day))
  return { from: timeOf(from), to: timeOf(to), zone }
}

const rowOf = (
  fiat: string,
  { confidence, day, kind, method, parts, publishedAt, rate, reason, revisedAt }: Fixing
) => ({
  on: dayOf(day),
  rate: computed(rate),
  reason,
  confidence,
  kind,
  parts: parts.length,
  ...timesOf(fiat, day),
  published: timeOf(publishedAt),
  revised: revisedAt === null ? null : timeOf(revisedAt),
  method
})

const noFixing = (fiat: string, day: number, reason: string | null) => ({
  on: dayOf(day),
  rate: null,
  reason,
  confidence: null,
  kind: null,
  parts: 0,
  ...timesOf(fiat, day),
  published: null,
  revised: null,
  method: null
})
