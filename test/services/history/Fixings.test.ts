// Fixings from what a service offers to its record, to what is answered.
import { assert, describe } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { TestClock } from "effect/testing"
import { rangeOf } from "../../../src/history/model/HistoryRange.ts"
import { dayOf, startOfDay } from "../../../src/history/model/Interval.ts"
import * as History from "../../../src/history/store/History.ts"
import * as SeriesName from "../../../src/history/store/SeriesName.ts"
import { Coins } from "../../../src/services/Coins.ts"
import { Backfill } from "../../../src/services/history/Backfill.ts"
import { Histories } from "../../../src/services/history/Histories.ts"
import { observed } from "../../history/records.ts"
import { rulesOver } from "../../rulesOf.ts"

const MINUTE = 60_000
const DAY = 86_400_000
const TODAY = startOfDay("2026-11-20")
/** 16:00 in Lagos. */
const END = TODAY + 15 * 60 * MINUTE

const services = Histories.layerNoDeps.pipe(
  Layer.provide([Coins.layerTest({}), Backfill.layerTest({})]),
  Layer.provideMerge(Layer.fresh(History.layerSqlite(":memory:")))
)

const rule = rulesOver(Layer.unwrap(Effect.as(TestClock.setTime(END - 30 * MINUTE), services)))

/** Twelve observations of the hour before an end. */
const hour = (end: number, value: number) =>
  Array.from({ length: 12 }, (_, n) =>
    observed(SeriesName.p2p("NGN"), end - (12 - n) * 5 * MINUTE + MINUTE, value + n / 10, {
      buy: value,
      sell: value,
      confidence: n === 3 ? "medium" : "high",
      kind: "p2p",
      method: "p2p/1",
      source: "Bybit P2P"
    })
  )

const offer = (rows: ReturnType<typeof hour>) =>
  Effect.flatMap(History.History, (history) => history?.offer(rows) ?? Effect.die("no history"))

/** Waits until something is true. The database is in real time, what writes to it in the test's. */
const until = <E, R>(isTrue: Effect.Effect<boolean, E, R>) =>
  Effect.repeat(
    Effect.andThen(Effect.andThen(TestClock.adjust("1 second"), TestClock.withLive(Effect.sleep("5 millis"))), isTrue),
    { until: (found) => found, times: 500 }
  )

describe("fixings", () => {
  rule(
    "are answered from 16:05 on: the newest, that of a day, those of a range, and beside the day's point",
    function* () {
      const { fixing, fixings, p2p } = yield* Histories
      yield* offer([...hour(END - DAY, 1400), ...hour(END, 1500)])
      const yesterday = TODAY - DAY
      yield* until(Effect.map(fixing("NGN", yesterday), ({ fixing }) => fixing !== undefined))
      const early = yield* fixing("NGN", TODAY)
      assert.deepStrictEqual([early.fixing, early.missing], [undefined, "not_published"])
      assert.strictEqual((yield* fixing("NGN", undefined)).day, yesterday, "the newest one there is")
      yield* TestClock.setTime(END + 5 * MINUTE)
      // The window is over once something is observed after it.
      yield* offer([observed(SeriesName.coin("bitcoin"), END + MINUTE, 90_000)])
      yield* until(Effect.map(fixing("NGN", TODAY), ({ fixing }) => fixing !== undefined))
      const newest = yield* fixing("NGN", undefined)
      assert.strictEqual(newest.day, TODAY)
      assert.deepInclude(newest.fixing, {
        reason: null,
        confidence: "medium",
        kind: "p2p",
        method: "fixing/1",
        revisedAt: null
      })
      assert.closeTo(newest.fixing?.rate ?? 0, 1500.55, 1e-9)
      assert.lengthOf(newest.fixing?.parts ?? [], 12)
      const before = yield* fixing("NGN", TODAY - 9 * DAY)
      assert.deepStrictEqual([before.fixing, before.missing], [undefined, "not_followed"])

      const query = { interval: "day", from: "2026-11-17" } as const
      const range = Result.getOrThrow(rangeOf(query, END))
      const { coverage, fixings: found } = yield* fixings("NGN", range)
      assert.deepStrictEqual(
        found.map(({ day }) => dayOf(day)),
        ["2026-11-19", "2026-11-20"]
      )
      assert.deepStrictEqual(coverage, {
        first: yesterday,
        last: TODAY,
        missing: [{ from: startOfDay("2026-11-17"), to: startOfDay("2026-11-18") }]
      })
      const { points } = yield* p2p("NGN", { range, isFilled: false })
      assert.deepStrictEqual(
        points.map(({ fixing }) => fixing),
        found.map(({ rate }) => rate)
      )
      for (const interval of ["hour", "week"] as const) {
        const longer = Result.getOrThrow(rangeOf({ ...query, interval }, END))
        const { points } = yield* p2p("NGN", { range: longer, isFilled: false })
        assert.isNotEmpty(points)
        assert.isTrue(
          points.every(({ fixing }) => fixing === null),
          interval
        )
      }
    }
  )
})
