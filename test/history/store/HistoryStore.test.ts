import { assert, it, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SqlClient, Statement } from "effect/sql"
import { TestClock } from "effect/testing"
import { bucketOf, finalAt, type Interval, intervals, lengthOf } from "../../../src/history/model/Interval.ts"
import { type Observation } from "../../../src/history/model/Point.ts"
import * as HistoryReader from "../../../src/history/store/HistoryReader.ts"
import * as HistoryWriter from "../../../src/history/store/HistoryWriter.ts"
import * as Migrations from "../../../src/history/store/Migrations.ts"
import * as SeriesName from "../../../src/history/store/SeriesName.ts"
import { isWhole } from "../../isWhole.ts"
import { inEachDatabase } from "./Databases.ts"
import { observed, told } from "../records.ts"
import { rulesOf } from "../../rulesOf.ts"

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const START = Date.UTC(2026, 0, 1)

const observation = (series: string, at: number, value: number, recordedAt = at) =>
  observed(series, at, value, { recordedAt })

const published = (day: number, close: number, recordedAt = day) =>
  told(SeriesName.fiat("EUR"), "Frankfurter", day, close, { recordedAt })

const tables = ["history_points", "history_observations", "history_progress", "history_series"]

/** The store over a database that is emptied first. */
const opened = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* Migrations.run()
  for (const table of tables) yield* sql`DELETE FROM ${sql(table)}`
  return yield* store
})

const store = Effect.gen(function* () {
  const reader = yield* HistoryReader.make
  /** The points of a series, in the bucket that begins all unless told. */
  const of = (series: string, interval: Interval, last = START) =>
    Effect.map(reader.points({ interval, first: START, last }, [series]), (found) => found.get(series) ?? [])
  const closesOf = (...asked: Parameters<typeof of>) =>
    Effect.map(of(...asked), (found) => found.map(({ close }) => close))
  return { ...(yield* HistoryWriter.make), ...reader, of, closesOf }
})

const buildAll = <E>(build: (interval: Interval) => Effect.Effect<boolean, E>) =>
  Effect.forEach(intervals, (interval) => Effect.repeat(build(interval), { while: (isMore) => isMore }))

const purgeAll = <E>(purge: () => Effect.Effect<boolean, E>) => Effect.repeat(purge(), { while: (isMore) => isMore })

/** Runs an effect and counts the statements that it takes. */
const counted = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    let statements = 0
    yield* Effect.provideService(effect, Statement.CurrentTransformer, (statement) =>
      Effect.sync(() => (statements++, statement))
    )
    return statements
  })

/**
 * The buckets that observations make, by the rules of the contract: the last value, and the first, highest and lowest one where
 * no two observations, nor the bucket's ends, are further apart than 12 minutes.
 */
const expected = (interval: Interval, observations: ReadonlyArray<Observation>, now: number) => {
  const buckets = new Map<number, { open: number; high: number; low: number; close: number; observedAt: number }>()
  const gappy = new Set<number>()
  const inTime = observations.filter((one) => one.recordedAt < finalAt(interval, bucketOf(interval, one.observedAt)))
  for (const { observedAt, value } of inTime.toSorted((a, b) => a.observedAt - b.observedAt)) {
    const bucket = bucketOf(interval, observedAt)
    const before = buckets.get(bucket) ?? { open: value, high: value, low: value, close: value, observedAt }
    const { high, low, open } = before
    if (observedAt - (buckets.has(bucket) ? before.observedAt : bucket) > 12 * MINUTE) gappy.add(bucket)
    buckets.set(bucket, { open, high: Math.max(high, value), low: Math.min(low, value), close: value, observedAt })
  }
  for (const [bucket, { observedAt }] of buckets) {
    if (Math.min(now, bucket + lengthOf(interval)) - observedAt > 12 * MINUTE) gappy.add(bucket)
  }
  return [...buckets]
    .toSorted(([a], [b]) => a - b)
    .map(([bucket, figures]) => ({
      bucket,
      ...figures,
      ...(gappy.has(bucket) ? { open: null, high: null, low: null } : {})
    }))
}

const upTo = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 1, maximum }))

/** Milliseconds after the start, and how much later it was recorded. */
const Observed = Schema.Struct({
  after: upTo(3 * DAY),
  late: Schema.Union([Schema.Literal(0), upTo(30 * HOUR)]),
  value: upTo(1000)
})

inEachDatabase("the history", (database, name) =>
  layer(database)((it) => {
    const rule = rulesOf(it, opened)

    it.effect.prop(
      "a bucket is made of what was observed in it and recorded before it was final, whenever it is built and read",
      { day: Schema.Array(Observed), steps: upTo(5) },
      ({ day, steps }) =>
        Effect.gen(function* () {
          const history = yield* opened
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
            const read = (yield* history.of("coin/x", interval, START + 4 * DAY))
              .map(({ bucket, close, high, low, observedAt, open }) => ({ bucket, open, high, low, close, observedAt }))
              .toSorted((a, b) => a.bucket - b.bucket)
            assert.deepStrictEqual(read, expected(interval, all, START + 5 * DAY))
          }
          yield* buildAll(history.build)
          const hours = yield* history.of("coin/x", "hour", START + 4 * DAY)
          assert.strictEqual(hours.length, expected("hour", all, START + 5 * DAY).length)
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
      const read = Effect.map(history.of("coin/x", "day", START + 2 * DAY), (found) =>
        found.toSorted((a, b) => a.bucket - b.bucket).map(({ close, high, low, open }) => [open, high, low, close])
      )
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
      const [day] = yield* history.of("naira", "day")
      assert.deepStrictEqual([day?.open, day?.high, day?.low, day?.close], [null, null, null, 1287])
      const hours = yield* history.of("naira", "hour", START + 2 * HOUR)
      assert.deepStrictEqual(
        hours.toSorted((a, b) => a.bucket - b.bucket).map(({ high, kind }) => [high, kind]),
        [
          [null, "p2p"],
          [1023, "p2p"],
          [1035, "p2p"]
        ]
      )
    })

    rule("a bucket that is built does not change when an observation of it comes late", function* (history) {
      yield* history.addObservations([observation("coin/x", START + 10 * MINUTE, 5)])
      yield* TestClock.setTime(START + HOUR + 5 * MINUTE)
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

    it.effect(
      "keeps one observation of a P2P market in five minutes; high and low are those of the recorded minutes",
      () =>
        Effect.gen(function* () {
          for (const series of ["NGN", "KES"].map(SeriesName.p2p)) {
            const history = yield* opened
            const every = Array.from({ length: 60 }, (_, n) =>
              observation(series, START + n * MINUTE, 1000 + n * (60 - n))
            )
            yield* TestClock.setTime(START)
            yield* history.addObservations(every)
            yield* TestClock.setTime(START + HOUR)
            const sampled = every.filter((_, n) => n % 5 === 0).map(({ value }) => value)
            const read = Effect.map(history.of(series, "hour"), (found) =>
              found.map(({ close, high, low, open }) => [open, high, low, close])
            )
            const hour = [1000, Math.max(...sampled), Math.min(...sampled), sampled.at(-1) ?? 0]
            assert.deepStrictEqual(yield* read, [hour], series)
            yield* TestClock.setTime(START + HOUR + 5 * MINUTE)
            yield* buildAll(history.build)
            assert.deepStrictEqual(yield* read, [hour], series)
          }
        })
    )

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

    rule("purges observations and hours of coins once their days are built, none of the naira", function* (history) {
      const days = Array.from({ length: 100 }, (_, n) => START + n * DAY + HOUR)
      yield* history.addObservations(
        days.flatMap((time) => [observation("coin/x", time, 1), observation(SeriesName.p2p("NGN"), time, 1)])
      )
      yield* TestClock.setTime(START + 100 * DAY + 2 * HOUR)
      yield* purgeAll(history.purge)
      const kept = yield* history.newestAt(new Map([["coin/x", START + HOUR]]), DAY)
      assert.strictEqual(kept.observations.size, 1, "nothing is built yet, so nothing is purged")
      yield* buildAll(history.build)
      yield* purgeAll(history.purge)
      assert.strictEqual(
        (yield* history.newestAt(new Map([["coin/x", START + 98 * DAY]]), 99 * DAY)).observations.size,
        0
      )
      assert.strictEqual(
        (yield* history.newestAt(new Map([[SeriesName.p2p("NGN"), START + HOUR]]), DAY)).observations.size,
        1
      )
      const count = (interval: Interval, series: string) =>
        Effect.map(history.of(series, interval, START + 101 * DAY), ({ length }) => length)
      assert.strictEqual(yield* count("day", "coin/x"), 100)
      assert.strictEqual(yield* count("hour", "coin/x"), 89)
      assert.strictEqual(yield* count("hour", SeriesName.p2p("NGN")), 100)
      assert.strictEqual(lengthOf("day"), DAY)
    })
  })
)

inEachDatabase("upkeep", (layer) => {
  it.effect("takes as many statements whether there are 10 series or thousands", () =>
    Effect.gen(function* () {
      const found = []
      for (const series of [10, isWhole ? 17_000 : 3_000]) {
        const history = yield* opened
        yield* TestClock.setTime(START)
        // A few are observed, of all of them days and hours were fetched for callers or the list.
        yield* history.addObservations(
          Array.from({ length: 10 }, (_, n) =>
            [START, START + 5 * MINUTE].map((time) => observation(`coin/${n}`, time, 1))
          ).flat()
        )
        const point = (n: number) => ({ ...published(START, 1), series: `coin/${n}`, origin: "CoinGecko" })
        const points = Array.from({ length: series }, (_, n) => point(n))
        yield* history.addPoints("day", points)
        yield* history.addPoints("hour", points)
        yield* TestClock.setTime(START + 91 * DAY)
        const building = yield* counted(Effect.all([history.build("hour"), history.build("day")]))
        yield* TestClock.setTime(START + 92 * DAY)
        yield* buildAll(history.build)
        const purging = yield* counted(history.purge())
        found.push({ building, purging })
        yield* purgeAll(history.purge)
        assert.isEmpty(yield* history.of(`coin/${series - 1}`, "hour", START + DAY))
        assert.isNotEmpty(yield* history.of(`coin/${series - 1}`, "day"))
      }
      assert.deepStrictEqual(found[0], found[1])
      assert.isAtMost(found[0]?.purging ?? Infinity, 12)
      assert.isAtMost(found[0]?.building ?? Infinity, 30)
    }).pipe(Effect.provide(layer))
  )
})

inEachDatabase("migrations", (layer) => {
  it.effect("bring every earlier version to the newest, with its data", () =>
    Effect.gen(function* () {
      const names = Object.keys(Migrations.steps)
      for (const [n] of names.entries()) {
        yield* Effect.gen(function* () {
          const earlier = Object.fromEntries(Object.entries(Migrations.steps).slice(0, n + 1))
          yield* Migrations.run(earlier)
          const sql = yield* SqlClient.SqlClient
          yield* sql`INSERT INTO history_series (name) VALUES ('coin/x')`
          yield* Migrations.run()
          assert.deepStrictEqual(yield* Migrations.run(), [], "a second run has nothing to do")
          const history = yield* store
          assert.deepStrictEqual(yield* history.names("coin/"), ["coin/x"])
        }).pipe(Effect.provide(layer), Effect.scoped)
      }
    })
  )

  it.live("run by two replicas at once are run once", () =>
    Effect.gen(function* () {
      yield* Effect.all([Migrations.run(), Migrations.run()], { concurrency: 2 })
      const history = yield* store
      assert.deepStrictEqual(yield* history.names(""), [])
    }).pipe(Effect.provide(layer))
  )
})

inEachDatabase("a write", (layer, name) => {
  it.effect.runIf(name === "PostgreSQL")(
    "that stops half-way gives its lock up after half a minute, and no other",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { writing } = yield* HistoryWriter.make
        const limit = Effect.map(
          sql<{ value: string }>`SELECT current_setting('idle_in_transaction_session_timeout') AS value`,
          ([row]) => row?.value
        )
        assert.strictEqual(yield* writing(limit), "30s")
        assert.strictEqual(yield* limit, "0")
      }).pipe(Effect.provide(layer))
  )
})
