// Simulated years are recorded by processes that are killed (`kill -9`) again and again; then the record is compared with what
// was observed. With two replicas over one database both record everything at once, and one of them is killed at a time.
import { assert } from "@effect/vitest"
import * as PgClient from "@effect/sql-pg/PgClient"
import { Effect, type Layer, Random, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { type ChildProcess, spawn } from "node:child_process"
import { execPath, stderr } from "node:process"
import { type Interval, intervals } from "../../../src/history/model/Interval.ts"
import { OWN_RECORD } from "../../../src/history/model/Point.ts"
import * as HistoryReader from "../../../src/history/store/HistoryReader.ts"
import * as SeriesName from "../../../src/history/store/SeriesName.ts"
import * as SqliteClient from "../../../src/history/store/SqliteClient.ts"
import {
  type Bucket,
  bucketsOf,
  COINS,
  DAY,
  FIAT,
  HOUR,
  MINUTE,
  KEPT,
  type Made,
  observationsOf,
  ratesOf,
  START,
  timeOf
} from "./simulatedYears.ts"

/** What the rounds came to. */
export interface Tally {
  readonly kills: number
  readonly steps: number
  readonly observations: number
  readonly buckets: number
  readonly rates: number
}

/** A process that records from a step on. `done`: the last step that it said has committed. */
const recording = (place: string, first: number, end: number, onStep: (step: number) => void) => {
  const file = new URL("./recordYears.ts", import.meta.url).pathname
  const child = spawn(execPath, [file, place, String(first), String(end)], { stdio: ["ignore", "pipe", "inherit"] })
  let text = ""
  child.stdout.on("data", (chunk: Buffer) => {
    const lines = (text + chunk.toString()).split("\n")
    text = lines.pop() ?? ""
    for (const line of lines) {
      // What is no number is logged.
      if (/^\d+$/.test(line)) onStep(Number(line))
      else stderr.write(`${line}\n`)
    }
  })
  return child
}

const ended = (child: ChildProcess) =>
  Effect.callback<void>((resume) => {
    if (child.exitCode !== null || child.signalCode !== null) resume(Effect.void)
    else child.once("exit", () => resume(Effect.void))
  })

/**
 * Records `steps` steps into a file or a PostgreSQL database by so many processes at once; kills one of them `rounds` times, at any
 * moment, also between a commit and its report, and starts it again where the farthest of them is.
 */
const recordedAndKilled = Effect.fnUntraced(function* (
  place: string,
  { replicas, rounds, steps }: { readonly replicas: number; readonly rounds: number; readonly steps: number }
) {
  let farthest = -1
  const start = () => recording(place, farthest + 1, steps, (step) => (farthest = Math.max(farthest, step)))
  const children = Array.from({ length: replicas }, start)
  yield* Effect.addFinalizer(() => Effect.sync(() => children.forEach((child) => child.kill("SIGKILL"))))
  let kills = 0
  for (let round = 0; round < rounds; round++) {
    const until = Math.floor(((round + 1) * steps) / (rounds + 1))
    yield* Effect.repeat(Effect.sleep("2 millis"), {
      while: () => Effect.sync(() => farthest < until && children.some(({ exitCode }) => exitCode === null))
    })
    yield* Effect.sleep(yield* Random.nextIntBetween(0, 30))
    const victim = children[round % replicas]
    if (victim === undefined) break
    if (victim.kill("SIGKILL")) kills++
    yield* ended(victim)
    children[round % replicas] = start()
  }
  yield* Effect.forEach(children, ended, { concurrency: "unbounded" })
  assert.strictEqual(farthest, steps - 1, "each step is recorded")
  return kills
})

/** All observations that are kept of a series. */
const kept = Effect.fnUntraced(function* (series: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Made>`
    SELECT CAST(observed_at AS DOUBLE PRECISION) AS "observedAt", CAST(recorded_at AS DOUBLE PRECISION) AS "recordedAt", value
    FROM history_observations WHERE series = (SELECT id FROM history_series WHERE name = ${series}) ORDER BY slot`
})

/** The points of a series as they are read, of our own record or of sources, oldest first. */
const pointsOf = Effect.fnUntraced(function* (interval: Interval, series: string) {
  const { points } = yield* HistoryReader.make
  const found = yield* points({ interval, first: START - 3 * DAY, last: START + 800 * DAY }, [series])
  return (found.get(series) ?? []).toSorted((a, b) => a.bucket - b.bucket)
})

/** The buckets of a series as they are read, one row each. */
const read = (interval: Interval, series: string) =>
  Effect.map(pointsOf(interval, series), (found) =>
    found
      .filter(({ origin }) => origin === OWN_RECORD)
      .map(({ bucket, close, high, low, observedAt, open }): Bucket => [bucket, open, high, low, close, observedAt])
  )

const byTime = (a: Made, b: Made) => a.observedAt - b.observedAt

/** Compares the record with what was observed. With several writers a series' buckets are those of what came in time. */
const verified = Effect.fnUntraced(function* (steps: number, replicas: number) {
  const now = timeOf(steps - 1)
  let observations = 0
  let buckets = 0
  const names = [...KEPT, ...COINS]
  const all = Array.from({ length: steps }, (_, step) => step)
  const observed = Map.groupBy(
    all.flatMap((step) => observationsOf(step, names)),
    ({ series }) => series
  )
  for (const series of names) {
    const offered = (observed.get(series) ?? []).toSorted(byTime)
    const isKept = KEPT.includes(series)
    const rows = isKept ? yield* kept(series) : []
    if (isKept) {
      const [found, expected] = [rows, offered].map((all) => all.map(({ observedAt, value }) => [observedAt, value]))
      assert.deepStrictEqual(found, expected, `${series}: none lost, none doubled, none changed`)
      observations += rows.length
    }
    for (const interval of intervals) {
      const found = yield* read(interval, series)
      buckets += found.length
      assert.strictEqual(new Set(found.map(([bucket]) => bucket)).size, found.length, `${series}: no bucket twice`)
      const longest = (series === SeriesName.p2p("NGN") ? 10 : 12) * MINUTE
      const made = bucketsOf(interval, isKept ? rows : offered, Infinity, longest)
      const isPurged = interval === "hour" && !isKept
      const since = isPurged ? now - SeriesName.HOURS_KEPT + 2 * HOUR : 0
      const expected = made.filter(([bucket]) => bucket >= since)
      const recent = found.filter(([bucket]) => bucket >= since)
      if (replicas === 1 || isKept) {
        assert.deepStrictEqual(recent, expected, `${series} by ${interval}`)
      } else {
        // What a replica recorded late is not in the bucket, and no longer kept to compare with.
        assert.deepStrictEqual(
          recent.map(([bucket]) => bucket),
          expected.map(([bucket]) => bucket)
        )
        const madeOf = new Map(expected.map((one) => [one[0], one]))
        for (const [bucket, , high, low] of recent) {
          const [, , highest, lowest] = madeOf.get(bucket) ?? assert.fail(`${series} has ${bucket}`)
          if (high === null || low === null || highest === null || lowest === null) continue
          assert.isTrue(high <= highest && low >= lowest, `${series}: ${bucket} is of what was observed in it`)
        }
      }
    }
  }
  const rates = yield* pointsOf("day", FIAT)
  assert.deepStrictEqual(
    rates.map(({ bucket, close, revision }) => [bucket, revision, close]),
    all.flatMap(ratesOf).map(({ bucket, close }) => [bucket, 0, close]),
    "each rate once"
  )
  return { observations, buckets, rates: rates.length }
})

/** Records, kills and compares. Fails with the first difference. */
export const soak = (
  place: string,
  options: { readonly replicas: number; readonly rounds: number; readonly steps: number }
) =>
  Effect.gen(function* () {
    const kills = yield* recordedAndKilled(place, options)
    const database: Layer.Layer<SqlClient.SqlClient, unknown> = place.includes("://")
      ? PgClient.layer({ url: Redacted.make(place), maxConnections: 1 })
      : SqliteClient.layer({ filename: place })
    const found = yield* Effect.provide(verified(options.steps, options.replicas), database)
    return { kills, steps: options.steps, ...found } satisfies Tally
  }).pipe(Effect.scoped)
