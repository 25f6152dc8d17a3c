// Fixings over simulated weeks: each is right, or null with its reason, and never changes.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { dayOf, intervals, startOfDay } from "../../../src/history/model/Interval.ts"
import type { Observation } from "../../../src/history/model/Point.ts"
import * as Fixings from "../../../src/history/store/Fixings.ts"
import * as HistoryReader from "../../../src/history/store/HistoryReader.ts"
import * as HistoryWriter from "../../../src/history/store/HistoryWriter.ts"
import * as Migrations from "../../../src/history/store/Migrations.ts"
import { restore } from "../../../src/history/store/Restore.ts"
import * as SqliteClient from "../../../src/history/store/SqliteClient.ts"
import * as SeriesName from "../../../src/history/store/SeriesName.ts"
import { observed } from "../records.ts"
import { rulesOf } from "../../rulesOf.ts"
import { inEachDatabase, newFile } from "./Databases.ts"
import { buildAll, DAY, emptied, HOUR, MINUTE, passTo } from "./EmptiedStore.ts"

type Replica = Effect.Success<typeof replica>

/** A process that records: its own writer and publisher over the database that all share. */
const replica = Effect.gen(function* () {
  const writer = yield* HistoryWriter.make
  const publish = yield* Fixings.make(writer)
  return { writer, publish, ...(yield* Fixings.makeReader) }
})

const opened = Effect.andThen(emptied, replica)

/** Every row of every fixing as text. */
const rows = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const all = yield* sql<{ name: string; day: number | bigint; revision: number; row: string }>`
    SELECT name, day, revision, COALESCE(CAST(rate AS TEXT), '') || COALESCE(reason, '') || parts || published_at AS row
    FROM history_fixings f JOIN history_series s ON s.id = f.series`
  return new Map(all.map(({ day, name, revision, row }) => [`${name} ${dayOf(Number(day))} ${revision}`, row]))
})

/** Publishes all that is due at a time. */
const publishAt = Effect.fnUntraced(function* ({ publish, writer }: Replica, now: number) {
  yield* TestClock.setTime(now)
  yield* buildAll(writer.build)
  yield* Effect.repeat(publish(), { while: (isMore) => isMore })
})

/** The same at a time at which something is observed. */
const tend = (process: Replica, now: number) => Effect.andThen(passTo(process.writer, now), publishAt(process, now))

const part = (fiat: string, at: number, value: number, fields: Partial<Observation> = {}) =>
  observed(SeriesName.p2p(fiat), at, value, { confidence: "high", kind: "p2p", method: "p2p/1", ...fields })

/** Twelve observations of the hour before `end`, a minute after the start of each part. */
const hourOf = (fiat: string, end: number, fields: (n: number) => Partial<Observation> = () => ({})) =>
  Array.from({ length: 12 }, (_, n) => part(fiat, end - HOUR + n * 5 * MINUTE + MINUTE, 1000 + n, fields(n)))

/** 16:00 on a day in UTC, for a market so many hours ahead of it. */
const endOf = (day: string, ahead: number): number => startOfDay(day) + (16 - ahead) * HOUR

/** The mean of 1000 to 1011. */
const WHOLE = 1005.5

inEachDatabase("the fixings", (database) =>
  layer(database)((it) => {
    const rule = rulesOf(it, opened)
    const series = SeriesName.p2p("NGN")
    const fixingsOf = ({ fixings }: Replica, name = series) =>
      Effect.map(fixings(name, 0, startOfDay("2100-01-01")), (all) =>
        all.map(({ day, parts, rate, reason, revisedAt }) => [
          dayOf(day),
          rate,
          reason,
          parts.length,
          ...(revisedAt === null ? [] : ["revised"])
        ])
      )

    rule(
      "of a week with outages, restarts, replicas and late venues are right, or null with a reason, and never change",
      function* (first) {
        let one = first
        const two = yield* replica
        let before = new Map<string, string>()
        /** Adds what each replica saw, in the order in which it commits, and publishes at 16:05, or `late` ms after it. */
        const day = Effect.fnUntraced(function* (date: string, seen: ReadonlyArray<Observation>, late = 0) {
          const due = endOf(date, 1) + 5 * MINUTE
          yield* TestClock.setTime(due - MINUTE)
          yield* one.writer.addObservations(seen.filter(({ recordedAt }) => recordedAt < due))
          yield* tend(one, due - MINUTE)
          assert.notInclude([...(yield* rows).keys()], `naira ${date} 0`, "not before 16:05")
          // The process that comes first publishes, and the other one changes nothing.
          for (const [n, process] of [one, two].entries()) yield* tend(process, due + late + n * MINUTE)
          yield* two.writer.addObservations(seen.filter(({ recordedAt }) => recordedAt >= due))
          for (const after of [20 * MINUTE, HOUR, 3 * HOUR]) yield* tend(one, due + late + after)
          const now = yield* rows
          for (const [key, row] of before) assert.strictEqual(now.get(key), row, key)
          before = now
        })
        const hour = (date: string, fields?: (n: number) => Partial<Observation>) =>
          hourOf("NGN", endOf(date, 1), fields)
        yield* day("2028-02-26", hour("2028-02-26"))
        yield* day("2028-02-28", hour("2028-02-28").slice(4))
        yield* day("2028-02-29", hour("2028-02-29"))
        // The process is away at 16:05, and begins anew hours later.
        one = yield* replica
        yield* day("2028-03-01", hour("2028-03-01"), 5 * HOUR)
        // Five observations of the hour arrive after 16:05.
        const due = endOf("2028-03-02", 1) + 5 * MINUTE
        yield* day(
          "2028-03-02",
          hour("2028-03-02", (n) => (n > 6 ? { recordedAt: due + n * MINUTE } : {}))
        )
        // The other replica saw other figures earlier in the same parts, and commits them later.
        yield* day("2028-03-03", [
          ...hour("2028-03-03"),
          ...hour("2028-03-03").map((seen) => ({ ...seen, observedAt: seen.observedAt - MINUTE, value: 5000 }))
        ])
        assert.deepStrictEqual(yield* fixingsOf(two), [
          ["2028-02-26", WHOLE, null, 12],
          ["2028-02-27", null, "too_few_parts", 0],
          ["2028-02-28", null, "too_few_parts", 8],
          ["2028-02-29", WHOLE, null, 12],
          ["2028-03-01", WHOLE, null, 12],
          ["2028-03-02", null, "too_few_parts", 7],
          ["2028-03-03", WHOLE, null, 12]
        ])
      }
    )

    rule("take the last observation of each part; an uncertain one before it counts for nothing", function* (process) {
      const end = endOf("2026-11-27", 1)
      const each = Array.from({ length: 60 }, (_, n) =>
        part("NGN", end - HOUR + n * MINUTE + 10_000, 1500 + n, { confidence: n % 5 === 4 ? "high" : "low" })
      )
      for (const one of each) yield* process.writer.addObservations([one])
      yield* tend(process, end + 5 * MINUTE)
      // The mean of 1504, 1509 and so on to 1559.
      assert.deepStrictEqual(yield* fixingsOf(process), [["2026-11-27", 1531.5, null, 12]])
    })

    rule(
      "are corrected by a row where an observation that was made in time is committed after 16:05",
      function* (process) {
        const end = endOf("2026-10-28", 5.5)
        const [seen, last] = [hourOf("INR", end).slice(0, 11), hourOf("INR", end).slice(11)]
        yield* process.writer.addObservations(seen)
        yield* tend(process, end + 5 * MINUTE)
        yield* process.writer.addObservations(last)
        yield* tend(process, end + 7 * MINUTE)
        yield* tend(process, end + 9 * MINUTE)
        assert.deepStrictEqual(yield* fixingsOf(process, SeriesName.p2p("INR")), [
          ["2026-10-28", WHOLE, null, 12, "revised"]
        ])
        assert.deepStrictEqual([...(yield* rows).keys()], ["p2p/INR 2026-10-28 0", "p2p/INR 2026-10-28 1"])
      }
    )

    rule("of a clock that runs three days ahead for a moment are the same, and so is the record", function* (process) {
      const reader = yield* HistoryReader.make
      const days = ["2026-11-10", "2026-11-11", "2026-11-12"]
      for (const day of days) {
        const end = endOf(day, 1)
        yield* process.writer.addObservations(hourOf("NGN", end).slice(0, 6))
        // Something is observed every half hour until now.
        yield* tend(process, end - HOUR / 2)
        yield* publishAt(process, end + 3 * DAY)
        yield* process.writer.addObservations(hourOf("NGN", end).slice(6))
        yield* tend(process, end + 5 * MINUTE)
        yield* tend(process, end + 9 * MINUTE)
      }
      yield* tend(process, endOf("2026-11-14", 1))
      assert.deepStrictEqual(
        yield* fixingsOf(process),
        [...days, "2026-11-13"].map((day) =>
          day === "2026-11-13" ? [day, null, "too_few_parts", 0] : [day, WHOLE, null, 12]
        )
      )
      for (const interval of intervals) {
        const last = startOfDay("2026-11-14")
        const points = yield* reader.points({ interval, first: startOfDay("2026-11-10"), last }, [series])
        assert.deepStrictEqual(
          points.get(series)?.map(({ close }) => close),
          [1011, 1011, 1011],
          interval
        )
      }
    })

    rule("wait for a record that has stopped, and are null with a reason once it goes on", function* (process) {
      const end = endOf("2026-11-10", 1)
      yield* process.writer.addObservations(hourOf("NGN", end).slice(0, 6))
      for (const after of [5 * MINUTE, HOUR, DAY]) yield* publishAt(process, end + after)
      assert.deepStrictEqual(yield* fixingsOf(process), [])
      yield* tend(process, end + DAY + HOUR)
      assert.deepStrictEqual(yield* fixingsOf(process), [
        ["2026-11-10", null, "too_few_parts", 6],
        ["2026-11-11", null, "too_few_parts", 0]
      ])
    })

    rule("are restored from a file as they were published", function* (process) {
      const file = yield* newFile
      const end = endOf("2026-11-10", 1)
      yield* Effect.gen(function* () {
        yield* Migrations.run()
        const before = yield* replica
        yield* before.writer.addObservations(hourOf("NGN", end))
        yield* tend(before, end + 5 * MINUTE)
      }).pipe(Effect.provide(SqliteClient.layer({ filename: file })))
      yield* restore(file)
      const [published] = yield* process.fixings(series, 0, end)
      assert.deepInclude(published, { rate: WHOLE, publishedAt: end + 5 * MINUTE, revisedAt: null })
    })

    rule(
      "of an old record are made from it, and days on which a market was not followed have none",
      function* (process) {
        yield* process.writer.addObservations(hourOf("NGN", endOf("2025-01-10", 1)))
        yield* process.writer.addObservations(hourOf("NGN", endOf("2026-03-01", 1)))
        yield* tend(process, startOfDay("2026-11-10"))
        const found = yield* fixingsOf(process)
        const missed = (from: string) => Array.from({ length: 6 }, (_, n) => [dayOf(startOfDay(from) + n * DAY), null])
        assert.deepStrictEqual(
          found.map(([day, rate]) => [day, rate]),
          [["2025-01-10", WHOLE], ...missed("2025-01-11"), ["2026-03-01", WHOLE], ...missed("2026-03-02")]
        )
      }
    )
  })
)
