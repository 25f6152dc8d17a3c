import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Exit, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"
import * as OnDemand from "../../../src/services/refresh/OnDemand.ts"

/** Answers `key` followed by the number of the fetch, for a minute; a string with "no" in it for five. */
const setup = (fetch?: (key: string, n: number) => Effect.Effect<string, string>) => {
  const fetched: Array<string> = []
  return Effect.map(
    OnDemand.make<string, string, string>({
      name: "test",
      fetch: (key) =>
        Effect.suspend(() => {
          fetched.push(key)
          return fetch === undefined ? Effect.succeed(`${key}${fetched.length}`) : fetch(key, fetched.length)
        }).pipe(
          Effect.result,
          Effect.map((result) => ({
            result,
            goodFor: Result.match(result, {
              onSuccess: (answer) => Duration.minutes(answer.includes("no") ? 5 : 1),
              onFailure: (failure) => Duration.seconds(failure === "off" ? 30 : 0)
            })
          }))
        ),
      capacity: 2
    }),
    (onDemand) => ({ ...onDemand, fetched })
  )
}

describe("answers on demand", () => {
  it.effect("callers who come together share one fetch", () =>
    Effect.gen(function* () {
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
  )

  it.effect("one caller leaving does not take the fetch away from the others", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const { fetched, get } = yield* setup((key) => Effect.as(Deferred.await(gate), key))
      const first = yield* Effect.forkChild(get("a"), { startImmediately: true })
      const second = yield* Effect.forkChild(get("a"), { startImmediately: true })
      yield* Fiber.interrupt(first)
      yield* Deferred.succeed(gate, undefined)
      assert.strictEqual(yield* Fiber.join(second), "a")
      assert.strictEqual(fetched.length, 1)
    })
  )

  it.effect("an answer is good for as long as it says, and then fetched anew", () =>
    Effect.gen(function* () {
      const { get } = yield* setup()
      assert.strictEqual(yield* get("a"), "a1")
      yield* TestClock.adjust("59 seconds")
      assert.strictEqual(yield* get("a"), "a1")
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* get("a"), "a2")
    })
  )

  it.effect("that there is nothing is an answer too, with a time of its own", () =>
    Effect.gen(function* () {
      const { fetched, get } = yield* setup(() => Effect.succeed("no"))
      yield* get("a")
      yield* TestClock.adjust("4 minutes")
      yield* get("a")
      assert.strictEqual(fetched.length, 1)
      yield* TestClock.adjust("1 minute")
      yield* get("a")
      assert.strictEqual(fetched.length, 2)
    })
  )

  it.effect("when a later fetch fails the last good answer is given, and the source asked again after 5 s", () =>
    Effect.gen(function* () {
      const { fetched, get } = yield* setup((key, n) => (n === 2 ? Effect.fail("down") : Effect.succeed(`${key}${n}`)))
      yield* get("a")
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* get("a"), "a1")
      assert.strictEqual(yield* get("a"), "a1")
      assert.strictEqual(fetched.length, 2)
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(yield* get("a"), "a3")
    })
  )

  it.effect("a failure without anything held fails, is shared for 5 s and then forgotten", () =>
    Effect.gen(function* () {
      const { fetched, get, held } = yield* setup((key, n) =>
        n === 1 ? Effect.fail("down") : Effect.succeed(`${key}${n}`)
      )
      assert.strictEqual(yield* Effect.flip(get("a")), "down")
      assert.strictEqual(yield* Effect.flip(get("a")), "down")
      assert.strictEqual(fetched.length, 1)
      assert.isUndefined(yield* held("a"))
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(yield* get("a"), "a2")
    })
  )

  it.effect("a failure that holds for longer, because another process has asked, is not asked about before", () =>
    Effect.gen(function* () {
      const { fetched, get } = yield* setup((key, n) => (n === 1 ? Effect.fail("off") : Effect.succeed(`${key}${n}`)))
      yield* Effect.flip(get("a"))
      yield* TestClock.adjust("29 seconds")
      assert.strictEqual(yield* Effect.flip(get("a")), "off")
      assert.strictEqual(fetched.length, 1)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* get("a"), "a2")
    })
  )

  it.effect("a bug in a fetch is not kept for good", () =>
    Effect.gen(function* () {
      const { get } = yield* setup((key, n) => (n === 1 ? Effect.die("bug") : Effect.succeed(`${key}${n}`)))
      assert.isTrue(Exit.hasDies(yield* Effect.exit(get("a"))))
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(yield* get("a"), "a2")
    })
  )

  it.effect("no more keys are held than there is room for; the one longest without a new answer goes", () =>
    Effect.gen(function* () {
      const { get, held } = yield* setup()
      yield* get("a")
      yield* get("b")
      yield* get("c")
      assert.deepStrictEqual(yield* Effect.forEach(["a", "b", "c"], held), [undefined, "b2", "c3"])
    })
  )

  it.effect("looking at what is held asks nobody", () =>
    Effect.gen(function* () {
      const { fetched, get, held } = yield* setup()
      assert.isUndefined(yield* held("a"))
      yield* get("a")
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(yield* held("a"), "a1")
      assert.strictEqual(fetched.length, 1)
    })
  )
})
