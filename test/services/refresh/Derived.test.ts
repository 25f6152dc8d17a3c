import { assert, it } from "@effect/vitest"
import { Array as Arr, Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { read, VersionedRef } from "../../../src/services/refresh/Dependencies.ts"
import * as Derived from "../../../src/services/refresh/Derived.ts"
import { capturedLog } from "../../resources.ts"
import { rulesOf } from "../../rulesOf.ts"

const turns = (times: number) => Effect.repeat(Effect.yieldNow, { times })

/** The double of an input, computed 4 s after a change, with the number of computations. */
const setup = Effect.gen(function* () {
  const input = new VersionedRef(1)
  const listeners: Array<Effect.Effect<void>> = []
  let computed = 0
  const derived = yield* Derived.make({
    name: "doubles",
    initial: 0,
    inputs: [(react) => Effect.sync(() => void listeners.push(react))],
    gather: () => "4 seconds",
    // In several turns, as the prices of coins are.
    compute: () =>
      Effect.map(Effect.andThen(turns(9), read(input)), (value) => {
        computed++
        if (value < 0) throw new Error("a bug")
        return { value: 2 * value }
      })
  })
  const change = (value: number, goodUntil?: number) =>
    Effect.andThen(
      Effect.sync(() => input.replace(value, goodUntil)),
      Effect.all(listeners, { discard: true })
    )
  return { derived, change, computed: () => computed }
})

const rule = rulesOf(it, setup)

rule("a derived value is computed once for changes that come together", function* ({ change, computed, derived }) {
  yield* change(2)
  yield* TestClock.adjust("2 seconds")
  yield* change(3)
  assert.strictEqual(yield* derived.current, 0)
  yield* TestClock.adjust("2 seconds")
  assert.deepStrictEqual([yield* derived.current, computed()], [6, 1])
})

rule("a bug in one computation is logged, and the next change is computed", function* ({ change, derived }) {
  const { lines, layer } = capturedLog()
  yield* Effect.gen(function* () {
    yield* change(-1)
    yield* TestClock.adjust("4 seconds")
    yield* change(5)
    yield* TestClock.adjust("4 seconds")
  }).pipe(Effect.provide(layer))
  assert.strictEqual(yield* derived.current, 10)
  assert.isTrue(lines.every((line) => !line.includes("Error") || line.includes("bug while computing doubles")))
})

rule("a value that was computed from one that is too old is computed before it is used", function* (world) {
  const { change, computed, derived } = world
  yield* change(2, (yield* Clock.currentTimeMillis) + 60_000)
  yield* TestClock.adjust("4 seconds")
  assert.deepStrictEqual([yield* derived.fresh, computed()], [4, 1])
  yield* TestClock.adjust("1 minute")
  assert.deepStrictEqual([yield* derived.fresh, computed()], [4, 2])
})

rule(
  "callers that wait together share one computation, before the first value and after it is too old",
  function* (world) {
    const { change, computed, derived } = world
    const ask = Effect.all(
      Arr.makeBy(9, () => derived.fresh),
      { concurrency: "unbounded" }
    )
    yield* change(2, (yield* Clock.currentTimeMillis) + 60_000)
    assert.deepStrictEqual([yield* ask, computed()], [Arr.replicate(4, 9), 1])
    yield* TestClock.adjust("2 minutes")
    const before = computed()
    yield* ask
    assert.strictEqual(computed(), before + 1)
  }
)

rule("callers that leave do not take the value from one that waits with them", function* ({ change, derived }) {
  yield* change(2)
  const ask = Effect.forkChild(derived.fresh, { startImmediately: true })
  const [first, second, last] = [yield* ask, yield* ask, yield* ask]
  yield* Fiber.interrupt(first)
  // Lets the second one begin.
  yield* turns(4)
  yield* Fiber.interrupt(second)
  assert.strictEqual(yield* Fiber.join(last), 4)
})

rule("listeners run after each replacement", function* ({ change, derived }) {
  const seen: Array<number> = []
  yield* derived.listen(Effect.map(derived.current, (value) => void seen.push(value)))
  yield* change(2)
  yield* TestClock.adjust("4 seconds")
  assert.deepStrictEqual(seen, [0, 4])
})
