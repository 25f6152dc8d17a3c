import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { intervals } from "../../../src/history/model/Interval.ts"
import * as SeriesName from "../../../src/history/store/SeriesName.ts"
import { isWhole } from "../../isWhole.ts"
import { inEachDatabase } from "./Databases.ts"
import { buildAll, DAY, emptied, HOUR, MINUTE, observation, passTo, store } from "./EmptiedStore.ts"
import { observed, told } from "../records.ts"
import { rulesOf } from "../../rulesOf.ts"
import { START } from "./RunningRecord.ts"
import { bucketsOf } from "./simulatedYears.ts"

const published = (day: number, close: number, recordedAt = day) =>
  told(SeriesName.fiat("EUR"), "Frankfurter", day, close, { recordedAt })

const upTo = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 1, maximum }))

/** Milliseconds after the start, and how much later it was recorded. */
const Observed = Schema.Struct({
  after: upTo(3 * DAY),
  late: Schema.Union([Schema.Literal(0), upTo(30 * HOUR)]),
  value: upTo(1000)
})

inEachDatabase("the history", (database, name) =>
  layer(database)((it) => {
    const rule = rulesOf(it, emptied)

    it.effect.prop(
      "a bucket is made of what was observed in it and recorded before it was final, whenever it is built and read",
      { day: Schema.Array(Observed), steps: upTo(5) },
      ({ day, steps }) =>
        Effect.gen(function* () {
          const history = yield* emptied
          const unique = new Map(
            day.map(({ after, late, value }) => [
              after,
              observation("coin/x", START + after, value, START + after + late)
            ])
          )
          const all = [...unique.values()].toSorted((a, b) => a.recordedAt - b.recordedAt)
          for (let step = 1; step <= steps; step++) {
            // Time passes, and what was recorded by then is written, some of it twice.
            const now = START + (5 * DAY * step) / steps
            yield* TestClock.setTime(now)
            const due = all.filter(({ recordedAt }) => recordedAt <= now)
            if (due.length > 0) yield* history.addObservations(due)
            if (step % 2 === 0) yield* buildAll(history.build)
          }
          for (const interval of intervals) {
            const read = (yield* history.of("coin/x", interval, START + 4 * DAY)).map(
              ({ bucket, close, high, low, observedAt, open }) => [bucket, open, high, low, close, observedAt]
            )
            assert.deepStrictEqual<unknown>(read, bucketsOf(interval, all, START + 5 * DAY, 12 * MINUTE))
          }
          const hours = history.of("coin/x", "hour", START + 4 * DAY)
          const before = (yield* hours).length
          yield* buildAll(history.build)
          assert.strictEqual((yield* hours).length, before)
        }),
      // A run takes ten times as long over PostgreSQL, of which only the statements differ.
      { arbitrary: { runs: isWhole ? 100 : name === "SQLite" ? 40 : 8 } }
    )

    rule("has no first, highest and lowest value where the record has a gap, but a last one", function* (history) {
      // 00:10 to 23:59 is not recorded; the next day is; of the third one the process started at 23:50.
      const minutes = [
        ...Array.from({ length: 11 }, (_, n) => n),
        ...Array.from({ length: 1440 }, (_, n) => 1440 + n),
        ...Array.from({ length: 10 }, (_, n) => 2 * 1440 + 1430 + n)
      ]
      yield* history.addObservations(minutes.map((n) => observation("coin/x", START + n * MINUTE, n + 1)))
      yield* TestClock.setTime(START + 3 * DAY + 2 * HOUR)
      const read = history.figuresOf("coin/x", "day", START + 2 * DAY)
      const days = [
        [null, null, null, 11],
        [1441, 2880, 1441, 2880],
        [null, null, null, 4320]
      ]
      assert.deepStrictEqual(yield* read, days)
      yield* buildAll(history.build)
      assert.deepStrictEqual(yield* read, days)
    })

    rule("has no first, highest and lowest mid on a day of P2P mids and an order book's", function* (history) {
      const mids = Array.from({ length: 288 }, (_, n) =>
        observed("naira", START + n * 5 * MINUTE, n < 10 ? 900 : 1000 + n, { kind: n < 10 ? "order_book" : "p2p" })
      )
      yield* history.addObservations(mids)
      yield* TestClock.setTime(START + DAY + 2 * HOUR)
      assert.deepStrictEqual(yield* history.figuresOf("naira", "day"), [[null, null, null, 1287]])
      const hours = yield* history.of("naira", "hour", START + 2 * HOUR)
      assert.deepStrictEqual(
        hours.map(({ high, kind }) => [high, kind]),
        [
          [null, "p2p"],
          [1023, "p2p"],
          [1035, "p2p"]
        ]
      )
    })

    rule("a bucket that is built does not change when an observation of it comes late", function* (history) {
      yield* history.addObservations([observation("coin/x", START + 10 * MINUTE, 5)])
      yield* passTo(history, START + HOUR + 5 * MINUTE)
      yield* buildAll(history.build)
      // Accepted in time, but written by a replica whose database was away.
      yield* history.addObservations([observation("coin/x", START + 50 * MINUTE, 9)])
      assert.deepStrictEqual(yield* history.closesOf("coin/x", "hour"), [5])
      // The day is not built yet: it has both.
      assert.deepStrictEqual(yield* history.closesOf("coin/x", "day"), [9])
      // The hour is the same when it is made anew.
      const sql = yield* SqlClient.SqlClient
      for (const table of ["history_points", "history_progress"]) yield* sql`DELETE FROM ${sql(table)}`
      yield* buildAll(history.build)
      assert.deepStrictEqual(yield* history.closesOf("coin/x", "hour"), [5])
    })

    rule("a bucket that was built before a stop is read once", function* ({ addObservations, build, closesOf }) {
      const sql = yield* SqlClient.SqlClient
      yield* TestClock.setTime(START + 3 * DAY)
      yield* addObservations([observation("naira", START, 1), observation("naira", START + 2 * DAY, 2)])
      yield* buildAll(build)
      yield* sql`DELETE FROM history_progress WHERE name IN ('hour', 'day')`
      for (const interval of intervals) {
        assert.deepStrictEqual(yield* closesOf("naira", interval, START + 3 * DAY), [1, 2])
      }
    })

    rule("does not give rows whose figures are none, which another program may have changed", function* (history) {
      const sql = yield* SqlClient.SqlClient
      const coin = SeriesName.coin("a")
      yield* history.addObservations([observation(coin, START, 1), observation(coin, START + MINUTE, 2)])
      yield* history.addPoints("day", [published(START, 1.1), published(START + DAY, 1.2)])
      yield* sql`UPDATE history_observations SET value = -2 WHERE value = 2`
      yield* sql`UPDATE history_points SET close = 0 WHERE close = 1.2`
      const fiat = SeriesName.fiat("EUR")
      const { days, observations } = yield* history.newestAt(
        new Map([
          [coin, START + DAY],
          [fiat, START + 2 * DAY]
        ]),
        7 * DAY
      )
      assert.deepStrictEqual([observations.get(coin), days.get(fiat)], [undefined, undefined])
      assert.deepStrictEqual(yield* history.closesOf(fiat, "day", START + DAY), [1.1])
    })

    rule("two writers of the same observations record each once", function* (one) {
      const other = yield* store
      const rows = Array.from({ length: 700 }, (_, n) => observation(`coin/${n % 50}`, START + n * MINUTE, n))
      yield* Effect.all([one.addObservations(rows), other.addObservations(rows)], { concurrency: 2 })
      yield* TestClock.setTime(START + 2 * DAY)
      yield* Effect.all([buildAll(one.build), buildAll(other.build)], { concurrency: 2 })
      const sql = yield* SqlClient.SqlClient
      const [counted] = yield* sql<{ n: number }>`SELECT COUNT(*) AS n FROM history_observations`
      assert.strictEqual(Number(counted?.n), 700)
      assert.lengthOf(yield* one.of("coin/7", "day"), 1)
    })

    for (const series of ["NGN", "KES"].map(SeriesName.p2p)) {
      rule(
        `keeps the last observation of ${series} in five minutes; high and low are those of these`,
        function* (history) {
          const every = Array.from({ length: 60 }, (_, n) =>
            observation(series, START + n * MINUTE, 1000 + n * (60 - n))
          )
          yield* TestClock.setTime(START)
          yield* history.addObservations(every)
          yield* TestClock.setTime(START + HOUR)
          const sampled = every.filter((_, n) => n % 5 === 4).map(({ value }) => value)
          const hour = [sampled[0] ?? 0, Math.max(...sampled), Math.min(...sampled), 1059]
          assert.deepStrictEqual(yield* history.figuresOf(series, "hour"), [hour])
          yield* TestClock.setTime(START + HOUR + 5 * MINUTE)
          yield* buildAll(history.build)
          assert.deepStrictEqual(yield* history.figuresOf(series, "hour"), [hour])
        }
      )
    }

    rule("an observation that is recorded when its five minutes are final replaces none of them", function* (history) {
      const [naira, end] = [SeriesName.p2p("NGN"), START + 5 * MINUTE]
      const at = (after: number, value: number, recordedAt: number) =>
        history.addObservations([{ ...observation(naira, START + after, value), recordedAt }])
      yield* TestClock.setTime(START + 20 * MINUTE)
      yield* at(2 * MINUTE, 1, START + 2 * MINUTE)
      yield* at(MINUTE, 2, START + 3 * MINUTE)
      yield* at(3 * MINUTE, 3, end + 5 * MINUTE - 1)
      yield* at(4 * MINUTE, 4, end + 5 * MINUTE)
      assert.deepStrictEqual(yield* history.figuresOf(naira, "hour"), [[null, null, null, 3]])
    })

    rule("adds a correction as a revision, and nothing where nothing changed", function* (history) {
      yield* history.addPoints("day", [published(START, 0.9), published(START + DAY, 0.91)])
      yield* history.addPoints("day", [
        published(START, 0.9, START + DAY),
        published(START + DAY, 0.92, START + 9 * DAY)
      ])
      const found = yield* history.of("fx/EUR", "day", START + DAY)
      assert.deepStrictEqual(
        found.map(({ bucket, close, recordedAt, revision }) => [bucket, revision, close, recordedAt]),
        [
          [START, 0, 0.9, START],
          [START + DAY, 0, 0.91, START + DAY],
          [START + DAY, 1, 0.92, START + 9 * DAY]
        ]
      )
    })

    rule("takes nothing for a correction that was retrieved before the newest revision", function* (history) {
      yield* history.addPoints("day", [published(START, 0.9, START)])
      yield* history.addPoints("day", [published(START, 0.92, START + 2 * DAY)])
      yield* history.addPoints("day", [published(START, 0.9, START + DAY)])
      assert.deepStrictEqual(yield* history.closesOf("fx/EUR", "day"), [0.9, 0.92])
    })

    rule("finds what was newest at a time, and nothing older than asked", function* (history) {
      yield* history.addObservations([10, 70, 130].map((n) => observation("coin/x", START + n * MINUTE, n)))
      yield* TestClock.setTime(START + 4 * HOUR)
      yield* buildAll(history.build)
      const at = (time: number, oldest = 0) => history.newestAt(new Map([["coin/x", time]]), time - oldest)
      const { hours, observations } = yield* at(START + 100 * MINUTE)
      assert.strictEqual(observations.get("coin/x")?.[0]?.value, 70)
      assert.deepStrictEqual(
        hours.get("coin/x")?.map(({ close }) => close),
        [70]
      )
      const nothing = yield* at(START + 100 * MINUTE, START + 71 * MINUTE)
      assert.strictEqual(nothing.observations.size + nothing.hours.size + nothing.days.size, 0)
      const first = yield* at(START + 10 * MINUTE)
      assert.strictEqual(first.observations.get("coin/x")?.[0]?.value, 10)
      assert.strictEqual(yield* history.lastBucket("hour", "coin/x", START + 2 * HOUR), START + HOUR)
      assert.isUndefined(yield* history.lastBucket("hour", "coin/x", START))
      const spans = yield* history.spans("hour", ["coin/x", "coin/none"])
      assert.deepStrictEqual([...spans], [["coin/x", { first: START, last: START + 2 * HOUR }]])
    })
  })
)
