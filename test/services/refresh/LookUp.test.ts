import { assert, describe } from "@effect/vitest"
import { Deferred, Duration, Effect, Exit, Fiber, Option, Schema } from "effect"
import { TestClock } from "effect/testing"
import { CurrentDependencies, Dependencies } from "../../../src/services/refresh/Dependencies.ts"
import * as LookUp from "../../../src/services/refresh/LookUp.ts"
import type { SourceError } from "../../../src/sources/client/SourceError.ts"
import { Replicas } from "../../../src/sources/dataset/Replicas.ts"
import { sharedEntries } from "../../sources/dataset/sharedEntries.ts"
import { unreachable, unusable } from "../scripted.ts"
import { rule } from "../../rulesOf.ts"

/** An hour, in milliseconds: how long an answer may be served after it was retrieved. */
const HOUR = 3_600_000

/** Answers `key` followed by the number of the fetch, kept for a minute; a string with "no" in it for five. */
const setup = (
  fetch?: (key: string, n: number) => Effect.Effect<string, SourceError>,
  servableUntil = (_answer: string, retrievedAt: number) => retrievedAt + HOUR
) => {
  const fetched: Array<string> = []
  return Effect.map(
    LookUp.make<string>({
      topic: "test",
      source: "Test",
      origin: "https://upstream.example",
      answer: Schema.String,
      batch: 1,
      ask: ([key = ""]) =>
        Effect.suspend(() => {
          fetched.push(key)
          return fetch === undefined ? Effect.succeed(`${key}${fetched.length}`) : fetch(key, fetched.length)
        }).pipe(Effect.map((answer) => () => answer)),
      goodFor: (answer) => Duration.minutes(answer.includes("no") ? 5 : 1),
      check: Option.some,
      believed: () => Effect.succeed(Option.some),
      servableUntil,
      capacity: 2
    }),
    (lookUp) => ({ ...lookUp, fetched })
  )
}

describe("answers on demand", () => {
  rule("concurrent callers share one fetch", function* () {
    const gate = yield* Deferred.make<void>()
    const { fetched, get } = yield* setup((key) => Effect.as(Deferred.await(gate), key))
    const all = yield* Effect.forkChild(
      Effect.forEach(Array.from({ length: 50 }), () => get("a"), { concurrency: "unbounded" }),
      { startImmediately: true }
    )
    yield* Deferred.succeed(gate, undefined)
    assert.deepStrictEqual([...new Set(yield* Fiber.join(all))], ["a"])
    assert.deepStrictEqual(fetched, ["a"])
  })

  rule("one caller leaving does not take the fetch away from the others", function* () {
    const gate = yield* Deferred.make<void>()
    const { fetched, get } = yield* setup((key) => Effect.as(Deferred.await(gate), key))
    const first = yield* Effect.forkChild(get("a"), { startImmediately: true })
    const second = yield* Effect.forkChild(get("a"), { startImmediately: true })
    yield* Fiber.interrupt(first)
    yield* Deferred.succeed(gate, undefined)
    assert.strictEqual(yield* Fiber.join(second), "a")
    assert.strictEqual(fetched.length, 1)
  })

  rule("an answer is kept for as long as it says, and then fetched again", function* () {
    const { get } = yield* setup()
    const reads = new Dependencies()
    assert.strictEqual(yield* Effect.provideService(get("a"), CurrentDependencies, reads), "a1")
    assert.strictEqual(reads.goodUntil, 60_000)
    yield* TestClock.adjust("59 seconds")
    assert.strictEqual(yield* get("a"), "a1")
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* get("a"), "a2")
  })

  rule("an empty answer is kept too, for a time of its own", function* () {
    const { fetched, get } = yield* setup(() => Effect.succeed("no"))
    yield* get("a")
    yield* TestClock.adjust("4 minutes")
    yield* get("a")
    assert.strictEqual(fetched.length, 1)
    yield* TestClock.adjust("1 minute")
    yield* get("a")
    assert.strictEqual(fetched.length, 2)
  })

  rule("when a later fetch fails the last good answer is given, and the source asked again after 5 s", function* () {
    const { fetched, get } = yield* setup((key, n) =>
      n === 2 ? Effect.fail(unreachable("Test")) : Effect.succeed(`${key}${n}`)
    )
    yield* get("a")
    yield* TestClock.adjust("1 minute")
    assert.strictEqual(yield* get("a"), "a1")
    assert.strictEqual(yield* get("a"), "a1")
    assert.strictEqual(fetched.length, 2)
    yield* TestClock.adjust("5 seconds")
    assert.strictEqual(yield* get("a"), "a3")
  })

  rule("the last good answer stands in only as long as it may be served", function* () {
    const { get } = yield* setup((key, n) => (n === 1 ? Effect.succeed(key) : Effect.fail(unreachable("Test"))))
    yield* get("a")
    yield* TestClock.adjust("1 hour")
    assert.strictEqual(yield* get("a"), "a")
    yield* TestClock.adjust("1 milli")
    assert.strictEqual((yield* Effect.flip(get("a"))).reason._tag, "Unreachable")
  })

  rule("an answer that is too old when it comes is a failure", function* () {
    const { get } = yield* setup(undefined, (_answer, retrievedAt) => retrievedAt - 1)
    assert.strictEqual((yield* Effect.flip(get("a"))).reason._tag, "Unusable")
  })

  rule("a caller waits 5 s, and the fetch is finished for the next one", function* () {
    const { fetched, get } = yield* setup((key) => Effect.delay(Effect.succeed(key), "6 seconds"))
    const waiting = yield* Effect.forkChild(Effect.flip(get("a")), { startImmediately: true })
    yield* TestClock.adjust("4900 millis")
    assert.isUndefined(waiting.pollUnsafe())
    yield* TestClock.adjust("100 millis")
    assert.strictEqual((yield* Fiber.join(waiting)).reason._tag, "TimedOut")
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* get("a"), "a")
    assert.strictEqual(fetched.length, 1)
  })

  rule("a caller waits 1 s for a new answer where the last good one may still be served", function* () {
    const { get } = yield* setup((key, n) =>
      n === 1 ? Effect.succeed("first") : Effect.delay(Effect.succeed("second"), "3 seconds")
    )
    yield* get("a")
    yield* TestClock.adjust("1 minute")
    const reads = new Dependencies()
    const asked = Effect.provideService(get("a"), CurrentDependencies, reads)
    const waiting = yield* Effect.forkChild(asked, { startImmediately: true })
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* Fiber.join(waiting), "first")
    assert.strictEqual(reads.goodUntil, 66_000, "what is made of it is made again soon, also where the fetch fails")
    yield* TestClock.adjust("2 seconds")
    assert.strictEqual(yield* get("a"), "second")
  })

  rule("a failure without a good answer before it fails, is shared for 5 s and then forgotten", function* () {
    const { fetched, get, lastGood } = yield* setup((key, n) =>
      n === 1 ? Effect.fail(unreachable("Test")) : Effect.succeed(`${key}${n}`)
    )
    assert.strictEqual((yield* Effect.flip(get("a"))).reason._tag, "Unreachable")
    assert.strictEqual((yield* Effect.flip(get("a"))).reason._tag, "Unreachable")
    assert.strictEqual(fetched.length, 1)
    assert.isUndefined(yield* lastGood("a"))
    yield* TestClock.adjust("5 seconds")
    assert.strictEqual(yield* get("a"), "a2")
  })

  rule("a failure that is kept for longer, because another replica has asked, is not retried before", function* () {
    const shared = sharedEntries()
    const process = (fetch?: () => Effect.Effect<string, SourceError>) =>
      Effect.provideService(setup(fetch), Replicas, shared.replica())
    const other = yield* process(() => Effect.fail(unusable("Test")))
    yield* Effect.flip(other.get("a"))
    for (const [name, entry] of shared.entries) shared.entries.set(name, { ...entry, due: 30_000, expires: 30_000 })
    const { fetched, get } = yield* process()
    assert.strictEqual((yield* Effect.flip(get("a"))).reason._tag, "Unusable")
    yield* TestClock.adjust("29 seconds")
    assert.strictEqual((yield* Effect.flip(get("a"))).reason._tag, "Unusable")
    assert.strictEqual(fetched.length, 0)
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* get("a"), "a1")
  })

  rule("a failure of a clock that was ahead is forgotten when it is set back", function* () {
    const { get } = yield* setup((key, n) => (n === 1 ? Effect.fail(unreachable("Test")) : Effect.succeed(key)))
    yield* TestClock.setTime(HOUR)
    yield* Effect.flip(get("a"))
    yield* TestClock.setTime(0)
    assert.strictEqual(yield* get("a"), "a")
  })

  rule("a bug in a fetch is retried after 5 s", function* () {
    const { get } = yield* setup((key, n) => (n === 1 ? Effect.die("bug") : Effect.succeed(`${key}${n}`)))
    assert.isTrue(Exit.hasDies(yield* Effect.exit(get("a"))))
    yield* TestClock.adjust("5 seconds")
    assert.strictEqual(yield* get("a"), "a2")
  })

  rule("the number of keys is bounded; the one longest without a new answer is dropped", function* () {
    const { get, lastGood } = yield* setup()
    yield* get("a")
    yield* get("b")
    yield* get("c")
    assert.deepStrictEqual(yield* Effect.forEach(["a", "b", "c"], lastGood), [undefined, "b2", "c3"])
    for (let n = 0; n < 1000; n++) yield* lastGood(`unknown ${n}`)
    assert.deepStrictEqual(yield* Effect.forEach(["b", "c"], lastGood), ["b2", "c3"])
  })

  rule("asking for the last good answer asks no source", function* () {
    const { fetched, get, lastGood } = yield* setup()
    assert.isUndefined(yield* lastGood("a"))
    yield* get("a")
    yield* TestClock.adjust("1 hour")
    assert.strictEqual(yield* lastGood("a"), "a1")
    assert.strictEqual(fetched.length, 1)
  })
})
