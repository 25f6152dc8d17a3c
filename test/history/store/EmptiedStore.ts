// A history's writer and reader over a database that is emptied first.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { type Interval, intervals } from "../../../src/history/model/Interval.ts"
import * as HistoryReader from "../../../src/history/store/HistoryReader.ts"
import * as HistoryWriter from "../../../src/history/store/HistoryWriter.ts"
import * as Migrations from "../../../src/history/store/Migrations.ts"
import { observed } from "../records.ts"
import { START } from "./RunningRecord.ts"

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export const observation = (series: string, at: number, value: number, recordedAt = at) =>
  observed(series, at, value, { recordedAt })

export const store = Effect.gen(function* () {
  const reader = yield* HistoryReader.make
  /** The points of a series by bucket, in the bucket that begins all unless told. */
  const of = (series: string, interval: Interval, last = START) =>
    Effect.map(reader.points({ interval, first: START, last }, [series]), (found) =>
      (found.get(series) ?? []).toSorted((a, b) => a.bucket - b.bucket || a.revision - b.revision)
    )
  const closesOf = (...asked: Parameters<typeof of>) =>
    Effect.map(of(...asked), (found) => found.map(({ close }) => close))
  /** The first, the highest, the lowest and the last value of each. */
  const figuresOf = (...asked: Parameters<typeof of>) =>
    Effect.map(of(...asked), (found) => found.map(({ close, high, low, open }) => [open, high, low, close]))
  return { ...(yield* HistoryWriter.make), ...reader, of, closesOf, figuresOf }
})

export const emptied = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* Migrations.run()
  for (const table of ["fixings", "points", "observations", "progress", "series"]) {
    yield* sql`DELETE FROM ${sql(`history_${table}`)}`
  }
  return yield* store
})

/** Lets time pass until something else is observed: nothing is built, published or deleted beyond the newest observation. */
export const passTo = ({ addObservations }: Pick<Effect.Success<typeof store>, "addObservations">, time: number) =>
  Effect.andThen(TestClock.setTime(time), addObservations([observation("other", time, 1)]))

export const buildAll = <E>(build: (interval: Interval) => Effect.Effect<boolean, E>) =>
  Effect.forEach(intervals, (interval) => Effect.repeat(build(interval), { while: (isMore) => isMore }))
