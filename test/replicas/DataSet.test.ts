// Data sets of several processes that share their entries, in simulated time: who asks, and what each holds.
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Deferred, Effect, Fiber, Option, Random, Result, Schema, type Scope } from "effect"
import { TestClock } from "effect/testing"
import * as Snapshot from "../../src/domain/Snapshot.ts"
import { SourceError, TimedOut, Unreachable } from "../../src/sources/client/SourceError.ts"
import * as DataSet from "../../src/sources/dataset/DataSet.ts"
import { Replicas } from "../../src/sources/dataset/Replicas.ts"
import { sharedEntries } from "../sources/dataset/sharedEntries.ts"

const NOW = Date.UTC(2026, 8, 13, 17)

const away = new SourceError({ source: "Test", reason: new Unreachable({ detail: "ENETUNREACH" }) })
const silent = new SourceError({ source: "Test", reason: new TimedOut({ seconds: 5 }) })

/** Processes with a data set that is due each minute, with no jitter; their calls count 1, 2, 3… together. */
const setup = Effect.gen(function* () {
  yield* TestClock.setTime(NOW)
  const shared = sharedEntries()
  /** Who asked, and when, in seconds. */
  const calls: Array<string> = []
  const process = Effect.fnUntraced(function* (name: string, origin = "https://upstream.example", key = "test-figure") {
    let asking: Effect.Effect<unknown, SourceError> = Effect.void
    const polls: Array<number | string> = []
    let observed = 0
    const feed = yield* DataSet.make({
      key,
      source: "Test",
      every: "1 minute",
      keeping: { origin, schema: Schema.Finite, most: 1000 },
      fetch: Effect.gen(function* () {
        const value = calls.push(`${name} ${Math.round(((yield* DateTime.now).epochMilliseconds - NOW) / 1000)}`)
        yield* asking
        const now = yield* DateTime.now
        return Snapshot.make({
          value,
          source: "Test",
          observedAt: DateTime.subtract(now, { milliseconds: observed }),
          retrievedAt: now
        })
      })
    }).pipe(Effect.provideService(Replicas, shared.replica()))
    const polling = yield* feed
      .poll({
        question: "test",
        judge: (said) =>
          Effect.sync(() => {
            polls.push(Result.isSuccess(said) ? said.success.value : said.failure.reason._tag)
            return { failure: Option.getOrUndefined(Result.getFailure(said)), isServed: true }
          }),
        plan: () => {}
      })
      .pipe(Effect.forkScoped({ startImmediately: true }))
    return {
      feed,
      polls,
      held: () => feed.state().snapshot?.value,
      does: (next: typeof asking) => void (asking = next),
      /** The age of what it is told from now on, in milliseconds. */
      saysAsOf: (age: number) => void (observed = age),
      stop: Fiber.interrupt(polling)
    }
  })
  return { calls, process, shared, by: (name: string) => calls.filter((call) => call.startsWith(name)).length }
})

/** Time for every process to do what is due. */
const pass = (seconds: number) =>
  Effect.forEach(Array.from({ length: seconds * 4 }), () => TestClock.adjust("250 millis"), { discard: true })

const rule = (
  name: string,
  test: (given: Effect.Success<typeof setup>) => Effect.fn.Return<void, unknown, Scope.Scope>
) =>
  it.effect(name, () =>
    Effect.flatMap(setup, (given) => Effect.gen(() => test(given))).pipe(
      Effect.scoped,
      Effect.provideService(Random.Random, { nextIntUnsafe: () => 0, nextDoubleUnsafe: () => 0 })
    )
  )

describe("a data set among replicas", () => {
  rule("is asked by one process, once when due, and all hold what it said within 2 s", function* ({ calls, process }) {
    const all = [yield* process("a"), yield* process("b"), yield* process("c")]
    yield* pass(2)
    for (let round = 1; round <= 5; round++) {
      assert.deepStrictEqual([calls.length, ...all.map(({ held }) => held())], [round, round, round, round])
      yield* pass(60)
    }
    assert.isTrue(
      calls.every((call) => call.startsWith("a ")),
      calls.join()
    )
  })

  rule("one that begins later holds what the others have, and asks nobody", function* ({ calls, process }) {
    yield* process("a")
    yield* pass(30)
    const later = yield* process("b")
    yield* pass(1)
    assert.deepStrictEqual([later.held(), calls.length], [1, 1])
  })

  rule("when the one that asks stops, another goes on when it is due", function* ({ calls, process }) {
    const [a, b] = [yield* process("a"), yield* process("b")]
    yield* pass(10)
    yield* a.stop
    yield* pass(64)
    assert.deepStrictEqual([b.held(), calls.length], [2, 2])
    // Stopped in the middle of asking, it passes its turn.
    b.does(Effect.never)
    const c = yield* process("c")
    yield* pass(64)
    assert.strictEqual(calls.length, 3)
    yield* b.stop
    yield* pass(1)
    assert.strictEqual(c.held(), 4)
  })

  rule("a call that takes longer than a turn lasts is made once", function* ({ calls, process }) {
    const [a, b] = [yield* process("a"), yield* process("b")]
    yield* pass(10)
    a.does(Effect.sleep("20 seconds"))
    yield* pass(88)
    assert.deepStrictEqual([calls.length, a.held(), b.held()], [2, 2, 2])
  })

  rule("a process without a network passes its turn at once; no other follows it", function* ({ by, calls, process }) {
    const [a, b] = [yield* process("a"), yield* process("b")]
    yield* pass(10)
    a.does(Effect.fail(away))
    yield* pass(52)
    assert.deepStrictEqual([b.held(), a.held(), calls.length], [3, 3, 3])
    yield* pass(300)
    assert.strictEqual(by("a"), 2)
    assert.strictEqual(a.held(), b.held())
  })

  rule("where the source fails all back off together, count it and keep their rows", function* ({ calls, process }) {
    const all = [yield* process("a"), yield* process("b")]
    yield* pass(10)
    for (const one of all) one.does(Effect.fail(silent))
    yield* pass(600)
    assert.isAtMost(calls.length, 20)
    for (const { held, polls } of all) {
      assert.strictEqual(held(), 1)
      assert.match(String(polls.at(-1)), /TimedOut|NotShared/)
    }
  })

  rule(
    "frozen in the middle of asking, it takes what another brought meanwhile for the newer",
    function* ({ calls, process, shared }) {
      const [a, b] = [yield* process("a"), yield* process("b")]
      yield* pass(10)
      const gate = yield* Deferred.make<void>()
      a.does(Deferred.await(gate))
      yield* TestClock.adjust("62500 millis")
      assert.strictEqual(calls.length, 2)
      shared.holdersDie()
      b.does(Effect.void)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(b.held(), 3)
      yield* Deferred.succeed(gate, undefined)
      yield* pass(1)
      assert.deepStrictEqual([a.held(), b.held()], [3, 3])
    }
  )

  rule(
    "emptied, the entries are filled again with what is held, and nobody asks before it is due",
    function* ({ calls, process, shared }) {
      const [a, b] = [yield* process("a"), yield* process("b")]
      yield* pass(20)
      shared.entries.clear()
      yield* pass(12)
      const later = yield* process("c")
      yield* pass(1)
      assert.deepStrictEqual([a.held(), b.held(), later.held(), calls.length], [1, 1, 1, 1])
      yield* pass(45)
      assert.strictEqual(calls.length, 2)
    }
  )

  rule("while Redis is away the last asker goes on; others ask after 3 intervals", function* ({ by, process, shared }) {
    yield* process("a")
    const b = yield* process("b")
    yield* pass(10)
    shared.goAway()
    yield* pass(160)
    assert.deepStrictEqual([by("a"), by("b"), b.held()], [3, 0, 1])
    yield* pass(30)
    assert.strictEqual(by("b"), 1)
    shared.goAway(false)
    yield* pass(1)
    yield* pass(240)
    assert.isAtMost(by("a") + by("b"), 9)
  })

  rule("replicas of another address ask for themselves, every three intervals", function* ({ by, process }) {
    const a = yield* process("a")
    const b = yield* process("b", "https://elsewhere.example")
    yield* pass(10)
    yield* pass(600)
    assert.isAtLeast(by("a"), 9)
    assert.isTrue(by("b") >= 3 && by("b") <= 5, String(by("b")))
    assert.notStrictEqual(a.held(), b.held())
  })

  rule(
    "an entry that is due later than it can be, as of an older version, is asked for every three intervals",
    function* ({ by, process, shared }) {
      shared.entries.set("test-figure", { due: NOW + 86_400_000, by: Symbol(), expires: Infinity })
      const a = yield* process("a")
      yield* pass(1)
      assert.strictEqual(a.held(), 1)
      yield* pass(600)
      assert.isTrue(by("a") >= 3 && by("a") <= 5, String(by("a")))
    }
  )

  rule("processes that follow different markets ask for their own alone", function* ({ calls, process }) {
    yield* process("a")
    yield* process("b")
    yield* process("b", undefined, "test-other")
    yield* pass(130)
    assert.deepStrictEqual(calls.map((call) => call.split(" ")[0]).toSorted(), ["a", "a", "a", "b", "b", "b"])
  })

  rule("an older observation replaces no newer one in any of them", function* ({ process }) {
    const [a, b] = [yield* process("a"), yield* process("b")]
    yield* pass(10)
    a.saysAsOf(90_000)
    yield* pass(60)
    const [last, other] = [a.feed.state().snapshot, b.feed.state().snapshot]
    assert.deepStrictEqual([last?.value, other?.value], [1, 1])
    assert.isAtLeast(last?.retrievedAt.epochMilliseconds ?? 0, NOW + 60_000)
    assert.deepStrictEqual(other?.retrievedAt, last?.retrievedAt)
  })

  rule("a clock that is set back by an hour stops nobody", function* ({ calls, process }) {
    const a = yield* process("a")
    yield* a.stop
    yield* TestClock.setTime(NOW - 3_600_000)
    assert.strictEqual((yield* a.feed.get).value, 2)
    const b = yield* process("b")
    yield* pass(1)
    assert.deepStrictEqual([b.held(), calls.length], [2, 2])
  })
})
