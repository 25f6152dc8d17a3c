import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Schedule } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, Statement } from "effect/sql"
import { TestClock } from "effect/testing"
import { mkdirSync, rmSync } from "node:fs"
import * as History from "../../../src/history/store/History.ts"
import { QUEUE_BOUND } from "../../../src/history/store/Recorder.ts"
import * as SqliteClient from "../../../src/history/store/SqliteClient.ts"
import { inEachDatabase, newFile } from "./Databases.ts"
import { isThere, observations, running, SERIES, START } from "./RunningRecord.ts"
import { liveRule, rule } from "../../rulesOf.ts"

/** Waits until a read finds so many values. */
const until = <E>(find: Effect.Effect<boolean, E>) =>
  Effect.repeat(find.pipe(Effect.catch(() => Effect.succeed(false))), {
    until: (isFound) => isFound,
    schedule: Schedule.spaced("5 millis")
  })

/** How many rows a file holds, and how many of them have the value they were offered with. */
const kept = (filename: string) =>
  Effect.gen(function* () {
    const client = yield* SqlClient.SqlClient
    const rows = yield* client<{ slot: number; value: number }>`
      SELECT slot, value FROM history_observations ORDER BY slot`
    return rows.map(({ slot, value }) => (value === slot - START + 1 ? slot - START : -1))
  }).pipe(Effect.provide(SqliteClient.layer({ filename })))

/** Whether a bucket was built in a file. */
const hasBuilt = (filename: string) =>
  Effect.flatMap(SqlClient.SqlClient, (client) => client`SELECT 1 FROM history_points LIMIT 1`).pipe(
    Effect.map(({ length }) => length === 1),
    Effect.provide(SqliteClient.layer({ filename }))
  )

inEachDatabase("recording", (database) => {
  liveRule("what was offered can be read once it is committed", function* () {
    const { history } = yield* running(History.layerNoDeps.pipe(Layer.provide(database)))
    assert.strictEqual(history.version(), 0)
    yield* history.offer(observations(0, 500))
    yield* until(isThere(history, 499))
    const found = yield* history.ask(({ points }) => points({ interval: "hour", first: START, last: START }, [SERIES]))
    assert.deepStrictEqual(
      found.get(SERIES)?.map(({ close }) => close),
      [500]
    )
    assert.isAbove(history.version(), 0)
    assert.strictEqual(history.pendingSince(), undefined)
  })
})

describe("recording", () => {
  liveRule("writes what is offered while it writes, and builds its buckets", function* () {
    const filename = yield* newFile
    const { history, stop } = yield* running(History.layerSqlite(filename))
    yield* history.ask(({ names }) => names(""))
    const offers = Array.from({ length: 100 }, (_, n) =>
      Effect.delay(history.offer(observations(20 * n, 20 * n + 20)), "1 millis")
    )
    yield* Effect.all(offers)
    // The hour is over once something is observed after it.
    const later = 2 * 3_600_000
    yield* history.offer(observations(later, later + 1))
    yield* until(hasBuilt(filename))
    yield* stop
    assert.deepStrictEqual(yield* kept(filename), [...Array.from({ length: 2_000 }, (_, n) => n), later])
  })

  liveRule("writes what waits when it is stopped", function* () {
    const filename = yield* newFile
    const { history, stop } = yield* running(History.layerSqlite(filename))
    yield* history.ask(({ names }) => names(""))
    yield* history.offer(observations(0, 2_000))
    yield* stop
    assert.strictEqual((yield* kept(filename)).length, 2_000)
  })

  it.effect("waits two seconds at most for a database that does not answer when it is stopped", () =>
    Effect.gen(function* () {
      let isSilent = false
      const real = yield* SqliteClient.make({ filename: yield* newFile })
      const { execute, ...connection } = yield* real.reserve
      const client = yield* SqlClient.make({
        acquirer: Effect.succeed({
          ...connection,
          execute: (...query) => (isSilent ? Effect.never : execute(...query))
        }),
        compiler: Statement.makeCompilerSqlite(),
        driver: "sqlite-node",
        spanAttributes: []
      })
      const { history, stop } = yield* running(
        History.layerNoDeps.pipe(Layer.provide(Layer.succeed(SqlClient.SqlClient, client)))
      )
      yield* history.ask(({ names }) => names(""))
      isSilent = true
      yield* history.offer(observations(0, 10))
      const stopping = yield* Effect.forkChild(stop, { startImmediately: true })
      yield* TestClock.adjust("1999 millis")
      assert.isUndefined(stopping.pollUnsafe())
      yield* TestClock.adjust("1 milli")
      yield* Fiber.join(stopping)
    }).pipe(Effect.provide(Reactivity.layer))
  )

  liveRule("goes on while upkeep fails, which is tried again after what waits is written", function* () {
    const filename = yield* newFile
    const { history, stop } = yield* running(History.layerSqlite(filename))
    yield* history.ask(({ names }) => names(""))
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TRIGGER no_upkeep BEFORE INSERT ON history_points BEGIN SELECT RAISE(ABORT, 'full'); END`
    }).pipe(Effect.provide(SqliteClient.layer({ filename })))
    for (let n = 0; n < 5; n++) {
      yield* history.offer(observations(n, n + 1))
      yield* until(isThere(history, n))
    }
    const [point] =
      (yield* history.ask(({ points }) => points({ interval: "day", first: START, last: START }, [SERIES]))).get(
        SERIES
      ) ?? []
    assert.strictEqual(point?.close, 5, "what is not built is read as it will be")
    yield* stop
  })

  liveRule(
    "holds what is offered while the database is away, to a bound; refuses the rest; writes later",
    function* () {
      const filename = yield* newFile
      mkdirSync(filename)
      const { history, stop } = yield* running(History.layerSqlite(filename))
      assert.isTrue(yield* history.offer(observations(0, QUEUE_BOUND - 10)))
      assert.strictEqual(history.pendingSince(), START)
      assert.isFalse(yield* history.offer(observations(QUEUE_BOUND, QUEUE_BOUND + 11)))
      assert.isTrue(yield* history.offer(observations(QUEUE_BOUND - 10, QUEUE_BOUND)))
      rmSync(filename, { recursive: true })
      yield* until(Effect.sync(() => history.pendingSince() === undefined))
      yield* stop
      assert.deepStrictEqual(
        yield* kept(filename),
        Array.from({ length: QUEUE_BOUND }, (_, n) => n)
      )
    }
  )
})

describe("reading", () => {
  rule("fails while the database is away, and works once it is there", function* () {
    const filename = yield* newFile
    mkdirSync(filename)
    const { history } = yield* running(History.layerSqlite(filename))
    const asking = yield* Effect.forkChild(Effect.flip(history.ask(({ names }) => names(""))), {
      startImmediately: true
    })
    yield* TestClock.adjust("5 seconds")
    assert.strictEqual((yield* Fiber.join(asking))._tag, "HistoryUnavailable")
    rmSync(filename, { recursive: true })
    // Attempts are in real time, and the pauses between them by the clock.
    const isRead = Effect.match(
      history.ask(({ names }) => names("")),
      { onFailure: () => false, onSuccess: () => true }
    )
    yield* Effect.repeat(
      Effect.andThen(TestClock.adjust("4 seconds"), TestClock.withLive(Effect.timeoutOption(isRead, "50 millis"))),
      { until: (read) => read._tag === "Some" && read.value }
    )
  })
})

rule("a question ends in time, also where its database does not even take note that it is interrupted", function* () {
  const { history } = yield* running(History.layerSqlite(":memory:"))
  yield* TestClock.withLive(history.ask(({ names }) => names("")))
  const frozen = Effect.uninterruptible(Effect.sleep("1 minute"))
  const asking = yield* Effect.forkChild(Effect.flip(history.ask(() => frozen)), { startImmediately: true })
  yield* TestClock.adjust("5 seconds")
  assert.strictEqual(asking.pollUnsafe()?._tag, "Success")
})
