// One line soon after the start where no source can be reached, and none where one answers.
import { assert, describe } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { report } from "../../src/services/NoSource.ts"
import { type DataSetState, SourceStatus } from "../../src/services/SourceStatus.ts"
import { capturedLog } from "../resources.ts"
import { rule } from "../rulesOf.ts"

const set = (last_success: number | null, last_error: string | null): DataSetState => ({
  name: "coins",
  state: "ok",
  passed_over: 0,
  last_success: last_success === null ? null : DateTime.makeUnsafe(last_success),
  updated: null,
  age: null,
  last_error,
  last_error_at: last_error === null ? null : DateTime.makeUnsafe(START)
})

/** What is logged within so many seconds of a start at this time. `at` gives the one data set of each source, second by second. */
const loggedWithin = Effect.fnUntraced(function* (
  seconds: number,
  at: (second: number) => ReadonlyArray<DataSetState>,
  isSandbox = false
) {
  const { layer, logged } = capturedLog()
  yield* TestClock.setTime(START)
  const current = Effect.map(DateTime.now, (now) => ({
    sources: at((now.epochMilliseconds - START) / 1000).map((one, n) => ({
      id: `SOURCE_${n}`,
      name: `Source ${n}`,
      attribution: "",
      link: "",
      licence: "",
      redistribution: "unclear" as const,
      enabled: true,
      state: "ok" as const,
      data_sets: [one]
    })),
    updated: now
  }))
  yield* Effect.forkScoped(
    report(isSandbox).pipe(Effect.provide(Layer.merge(SourceStatus.layerTest({ current }), layer))),
    {
      startImmediately: true
    }
  )
  yield* TestClock.adjust(seconds * 1000)
  return logged
})

const START = Date.UTC(2026, 10, 20)

describe("a start without a network", () => {
  rule("is said once within 5 seconds where nothing is held, with what to check", function* () {
    const logged = yield* loggedWithin(5, () => [set(null, null), set(null, "Source could not be reached")])
    assert.strictEqual(logged.length, 1)
    assert.include(logged[0], "check this machine's network")
    yield* TestClock.adjust("1 hour")
    assert.strictEqual(logged.length, 1)
  })

  rule("is said of the machine, not of its network, in the sandbox", function* () {
    const [line = "", ...others] = yield* loggedWithin(5, () => [set(null, "Source did not answer within 10 s")], true)
    assert.deepStrictEqual(others, [])
    assert.include(line, "this machine is overloaded")
    assert.notInclude(line, "network")
  })

  rule("is said over saved data once two sources fail, and not before", function* () {
    const saved = START - 60_000
    const failing = set(saved, "Source could not be reached: ENOTFOUND")
    const logged = yield* loggedWithin(9, (second) => [failing, second < 10 ? set(saved, null) : failing])
    assert.deepStrictEqual(logged, [])
    yield* TestClock.adjust("2 seconds")
    assert.strictEqual(logged.length, 1)
  })

  rule("is not said over saved data where sources fail for other reasons", function* () {
    const texts = ["A has brought nothing new to the replica that asks it", "B answered with HTTP status 503"]
    const logged = yield* loggedWithin(60, () => texts.map((text) => set(START - 60_000, text)))
    assert.deepStrictEqual(logged, [])
  })

  rule("is not said where one source answers", function* () {
    const logged = yield* loggedWithin(60, () => [set(START + 900, null), set(null, "Source could not be reached")])
    assert.deepStrictEqual(logged, [])
  })
})
