// What a history does besides: old rows are deleted, earlier versions brought to the newest, and half a write given up.
import { assert, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient, Statement } from "effect/sql"
import { TestClock } from "effect/testing"
import type { Interval } from "../../../src/history/model/Interval.ts"
import * as HistoryWriter from "../../../src/history/store/HistoryWriter.ts"
import * as Migrations from "../../../src/history/store/Migrations.ts"
import * as SeriesName from "../../../src/history/store/SeriesName.ts"
import { isWhole } from "../../isWhole.ts"
import { rulesOf } from "../../rulesOf.ts"
import { told } from "../records.ts"
import { inEachDatabase } from "./Databases.ts"
import { buildAll, DAY, emptied, HOUR, MINUTE, observation, passTo, store } from "./EmptiedStore.ts"
import { START } from "./RunningRecord.ts"

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

inEachDatabase("upkeep", (database, name) => {
  layer(database)((it) => {
    const rule = rulesOf(it, emptied)

    rule("purges observations and hours of coins once their days are built, none of the naira", function* (history) {
      const naira = SeriesName.p2p("NGN")
      // Hours are kept for 90 days.
      const days = [0, 10, 11, 50, 98, 99].map((n) => START + n * DAY + HOUR)
      yield* history.addObservations(
        days.flatMap((time) => [observation("coin/x", time, 1), observation(naira, time, 1)])
      )
      const newest = (series: string, day: number) =>
        Effect.map(
          history.newestAt(new Map([[series, START + day * DAY + HOUR]]), 99 * DAY),
          ({ observations }) => observations.size
        )
      const count = (interval: Interval, series: string) =>
        Effect.map(history.of(series, interval, START + 101 * DAY), ({ length }) => length)
      yield* passTo(history, START + 100 * DAY + 2 * HOUR)
      yield* purgeAll(history.purge)
      assert.strictEqual(yield* newest("coin/x", 0), 1, "nothing is built yet, so nothing is purged")
      yield* buildAll(history.build)
      yield* purgeAll(history.purge)
      assert.deepStrictEqual([yield* newest("coin/x", 97), yield* newest(naira, 0)], [0, 1])
      assert.deepStrictEqual([yield* count("day", "coin/x"), yield* count("hour", "coin/x")], [6, 4])
      assert.strictEqual(yield* count("hour", naira), 6)
    })

    it.effect("takes as many statements whether there are 10 series or many", () =>
      Effect.gen(function* () {
        const found = []
        for (const series of [10, isWhole ? 17_000 : 300]) {
          const history = yield* emptied
          yield* TestClock.setTime(START)
          // A few are observed, of all of them days and hours were fetched for callers or the list.
          yield* history.addObservations(
            Array.from({ length: 20 }, (_, n) => observation(`coin/${n % 10}`, START + (n < 10 ? 0 : 5 * MINUTE), 1))
          )
          const points = Array.from({ length: series }, (_, n) => told(`coin/${n}`, "CoinGecko", START, 1))
          yield* history.addPoints("day", points)
          yield* history.addPoints("hour", points)
          yield* passTo(history, START + 91 * DAY)
          const building = yield* counted(Effect.all([history.build("hour"), history.build("day")]))
          yield* passTo(history, START + 92 * DAY)
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
      })
    )

    it.effect.runIf(name === "PostgreSQL")("gives the lock of a write that stops half-way up after half a minute", () =>
      Effect.gen(function* () {
        yield* emptied
        const sql = yield* SqlClient.SqlClient
        const { writing } = yield* HistoryWriter.make
        const limit = Effect.map(
          sql<{ value: string }>`SELECT current_setting('idle_in_transaction_session_timeout') AS value`,
          ([row]) => row?.value
        )
        assert.deepStrictEqual([yield* writing(limit), yield* limit], ["30s", "0"])
      })
    )
  })
})

inEachDatabase("migrations", (database) => {
  it.effect("bring every earlier version to the newest, with its data", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const steps = Object.entries(Migrations.steps)
      const names = steps.map(([name]) => `coin/${name}`)
      for (const [n, name] of names.entries()) {
        yield* Migrations.run(Object.fromEntries(steps.slice(0, n + 1)))
        yield* sql`INSERT INTO history_series (name) VALUES (${name})`
      }
      assert.deepStrictEqual(yield* Migrations.run(), [], "a second run has nothing to do")
      assert.sameMembers([...(yield* (yield* store).names("coin/"))], names)
    }).pipe(Effect.provide(database))
  )

  it.live("run by two replicas at once are run once", () =>
    Effect.gen(function* () {
      yield* Effect.all([Migrations.run(), Migrations.run()], { concurrency: 2 })
      assert.deepStrictEqual(yield* (yield* store).names(""), [])
    }).pipe(Effect.provide(database))
  )
})
