// What is logged of a question, and the spans of its refreshes.
import { assert, describe } from "@effect/vitest"
import { Effect, References, Tracer } from "effect"
import { TestClock } from "effect/testing"
import { FirstAnswer } from "../../../src/services/refresh/FirstAnswer.ts"
import { unusable } from "../scripted.ts"
import { NotShared, SourceError } from "../../../src/sources/client/SourceError.ts"
import { capturedLog } from "../../resources.ts"
import { rule } from "../../rulesOf.ts"
import { nextRefresh, setup } from "./scriptedQuestion.ts"

rule("each refresh is a span of its own that ends with it", function* () {
  const ended: Array<Tracer.Span> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      const end = span.end.bind(span)
      span.end = (...args) => (ended.push(span), end(...args))
      return span
    }
  })
  yield* Effect.withTracer(
    setup((a, b) => (a.says(1), b.says(2))),
    tracer
  )
  const refreshes = () => ended.filter(({ name }) => name === "Refresher.refresh")
  assert.strictEqual(refreshes().length, 2)
  assert.strictEqual(refreshes()[0]?.attributes.get("question"), "test")
  yield* nextRefresh
  assert.strictEqual(refreshes().length, 4)
  assert.notStrictEqual(refreshes()[0]?.traceId, refreshes()[1]?.traceId)
})

describe("a jump", () => {
  rule("is logged while it is held back", function* () {
    const { lines, layer } = capturedLog()
    yield* Effect.gen(function* () {
      const { a } = yield* setup()
      a.says(10)
      yield* nextRefresh
    }).pipe(Effect.provide(layer))
    assert.strictEqual(
      lines.filter((line) => line.startsWith("Warn") && line.includes("not served until confirmed")).length,
      1
    )
  })
})

describe("what is logged of failures", () => {
  rule("each kind once as a warning, its repetitions for debugging", function* () {
    const { lines, layer } = capturedLog()
    yield* Effect.gen(function* () {
      const { a } = yield* setup((a, b) => (a.says(1), b.says(2)))
      a.fails()
      yield* TestClock.adjust("20 minutes")
      a.does(Effect.fail(unusable("A")))
      yield* TestClock.adjust("20 minutes")
      a.fails()
      yield* TestClock.adjust("20 minutes")
      a.says(1)
      yield* TestClock.adjust("5 minutes")
      a.fails()
      yield* TestClock.adjust("5 minutes")
    }).pipe(Effect.provide(layer), Effect.provideService(References.MinimumLogLevel, "All"))
    const warned = lines.filter((line) => line.startsWith("Warn"))
    assert.deepStrictEqual(warned, [
      "Warn test: A could not be reached: nothing listens there (ECONNREFUSED)",
      "Warn test: A sent nothing usable: nothing",
      "Warn test: A could not be reached: nothing listens there (ECONNREFUSED)"
    ])
    assert.isAbove(lines.filter((line) => line.startsWith("Debug test: A")).length, 20)
  })

  rule("warns of silent sources only once any source has answered since the start", function* () {
    const { lines, layer } = capturedLog()
    const warnings = () => lines.filter((line) => line.startsWith("Warn "))
    yield* Effect.gen(function* () {
      const { b } = yield* setup(() => {})
      yield* TestClock.adjust("5 minutes")
      assert.deepStrictEqual(warnings(), [])
      b.says(2)
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual(warnings().length, 1)
      assert.match(String(warnings()[0]), /A could not be reached/)
    }).pipe(Effect.provideService(FirstAnswer, { hasCome: false }), Effect.provide(layer))
  })

  rule("none of a source that another replica asks: that one tells, and the source was not asked here", function* () {
    const { lines, layer } = capturedLog()
    yield* Effect.gen(function* () {
      const { a } = yield* setup((a, b) => (a.says(1), b.says(2)))
      a.does(Effect.fail(new SourceError({ source: "A", reason: new NotShared() })))
      yield* TestClock.adjust("20 minutes")
    }).pipe(Effect.provide(layer), Effect.provideService(References.MinimumLogLevel, "All"))
    assert.deepStrictEqual(
      lines.filter((line) => line.startsWith("Warn")),
      []
    )
    assert.include(lines, "Debug test: A has brought nothing new to the replica that asks it")
  })
})
