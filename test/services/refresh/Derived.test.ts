import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { read, VersionedRef } from "../../../src/services/refresh/Dependencies.ts"
import * as Derived from "../../../src/services/refresh/Derived.ts"
import { capturedLog } from "../../resources.ts"
import { rulesOf } from "../../rulesOf.ts"

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
    compute: () =>
      Effect.map(read(input), (value) => {
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

rule("listeners run after each replacement", function* ({ change, derived }) {
  const seen: Array<number> = []
  yield* derived.listen(Effect.map(derived.current, (value) => void seen.push(value)))
  yield* change(2)
  yield* TestClock.adjust("4 seconds")
  assert.deepStrictEqual(seen, [0, 4])
})
