import { assert, describe } from "@effect/vitest"
import { DateTime, Duration, Effect, Exit, Fiber, Option } from "effect"
import { TestClock } from "effect/testing"
import * as Patience from "../../../src/services/refresh/Patience.ts"
import * as Refresher from "../../../src/services/refresh/Refresher.ts"
import * as Snapshot from "../../../src/domain/Snapshot.ts"
import { instant, NOW, scripted, unusable } from "../scripted.ts"
import { rule } from "../../rulesOf.ts"
import { nextRefresh, rows, setup, type Told } from "./scriptedQuestion.ts"

describe("a question", () => {
  rule("is answered by its first source, and each source is polled at its own interval", function* () {
    const { a, b, question } = yield* setup((a, b) => (a.says(1, 3000), b.says(2)))
    const answer = yield* question.answer
    assert.deepStrictEqual([answer.value, answer.source], [1, "A"])
    assert.strictEqual(answer.observedAt.epochMilliseconds, NOW - 3000)
    yield* TestClock.adjust("10 minutes")
    assert.isAtLeast(a.asked(), 8)
    assert.isAtLeast(b.asked(), 8)
    assert.isAtMost(b.asked(), 11)
  })

  rule("asks no source on behalf of a caller", function* () {
    const { a, question } = yield* setup()
    const before = a.asked()
    yield* Effect.replicateEffect(question.answer, 1000)
    assert.strictEqual(a.asked(), before)
  })

  rule("keeps the last good answer with its true time while refreshes fail", function* () {
    const { a, b, question } = yield* setup()
    const good = yield* question.answer
    a.fails()
    yield* TestClock.adjust("30 minutes")
    assert.isAbove(a.asked(), 2)
    assert.isAbove(b.asked(), 2)
    assert.deepStrictEqual(yield* question.answer, good)
    assert.strictEqual((yield* question.answer).observedAt.epochMilliseconds, NOW)
  })

  rule("is answered by the next source where the first has nothing", function* () {
    const { a, b, question } = yield* setup((_a, b) => b.says(2))
    const answer = yield* question.answer
    assert.deepStrictEqual([answer.value, answer.source], [2, "B"])
    assert.deepStrictEqual([a.asked(), b.asked()], [1, 1])
  })

  rule("prefers what the first source said last to what the second says, but only within the grace", function* () {
    const { a, question } = yield* setup((a, b) => (a.says(1), b.says(2)))
    a.fails()
    yield* TestClock.adjust("4 minutes")
    assert.strictEqual((yield* question.answer).source, "A")
    yield* TestClock.adjust("59 seconds")
    assert.strictEqual((yield* question.answer).source, "A")
    yield* TestClock.adjust("1 second")
    assert.strictEqual((yield* question.answer).source, "B")
  })

  rule("goes back to the first source with the next refresh after it is well", function* () {
    const { a, question } = yield* setup((a, b) => (a.says(1), b.says(2)))
    a.fails()
    yield* TestClock.adjust("8 minutes")
    assert.strictEqual((yield* question.answer).source, "B")
    a.says(3)
    yield* nextRefresh
    assert.deepStrictEqual([(yield* question.answer).source, (yield* question.answer).value], ["A", 3])
  })

  rule("is unavailable once what is held is too old, and says when to ask again", function* () {
    const { a, question } = yield* setup()
    a.fails()
    yield* TestClock.adjust("59 minutes")
    yield* question.answer
    yield* TestClock.adjust("2 minutes")
    const failure = yield* Effect.flip(question.answer)
    assert.deepStrictEqual([failure._tag, failure.question, failure.retryAfter], ["Unavailable", "test", 60])
    assert.isTrue(Option.isSome(yield* question.last))
    a.says(5)
    yield* TestClock.adjust("72 seconds")
    assert.strictEqual((yield* question.answer).value, 5)
  })

  rule("does not take an answer that is too old when it arrives, and takes the next source's", function* () {
    const { question } = yield* setup((a, b) => (a.says(1, 3_600_001), b.says(2)))
    assert.strictEqual((yield* question.answer).source, "B")
  })

  rule("leaves a source whose data no longer moves for one whose data does", function* () {
    const minutes = 60_000
    const { question } = yield* setup((a, b) => (a.saysAsOf(1, NOW - 19 * minutes), b.says(2)))
    assert.strictEqual((yield* question.answer).source, "A")
    yield* nextRefresh
    yield* nextRefresh
    assert.strictEqual((yield* question.answer).source, "B")
  })

  rule("takes the youngest of what no longer moves, where nothing does", function* () {
    const minutes = 60_000
    const { question } = yield* setup((a, b) => (a.saysAsOf(1, NOW - 40 * minutes), b.saysAsOf(2, NOW - 30 * minutes)))
    const { observedAt, source } = yield* question.answer
    assert.strictEqual(source, "B")
    assert.strictEqual(observedAt.epochMilliseconds, NOW - 30 * minutes)
  })

  rule("retries soon while no source has data: after 1 s, then 2, 4, 8, and then every 10 s", function* () {
    const { a, figure } = yield* setup(() => {})
    assert.strictEqual(a.asked(), 1)
    yield* TestClock.adjust("1200 millis")
    assert.strictEqual(a.asked(), 2)
    yield* TestClock.adjust("18 seconds")
    assert.isAtLeast(a.asked(), 5)
    const before = a.asked()
    yield* TestClock.adjust("1 minute")
    assert.isAtLeast(a.asked() - before, 5)
    assert.isAtMost(a.asked() - before, 6)
    a.says(7)
    yield* TestClock.adjust("12 seconds")
    assert.strictEqual(yield* figure, 7)
    const after = a.asked()
    yield* TestClock.adjust("45 seconds")
    assert.strictEqual(a.asked(), after, "back to its own pace")
  })

  rule("lets callers wait 2 s for the first refresh, and then asks them to come again in 2 s", function* () {
    const { a, question } = yield* setup((a) => a.does(Effect.never))
    const waiting = yield* Effect.forkChild(Effect.flip(question.answer))
    yield* TestClock.adjust("1900 millis")
    assert.isUndefined(waiting.pollUnsafe())
    yield* TestClock.adjust("200 millis")
    assert.strictEqual((yield* Fiber.join(waiting)).retryAfter, 2)
    assert.strictEqual(a.asked(), 1)
  })

  rule("lets the parts of one answer share the 2 s", function* () {
    const { question } = yield* setup((a) => a.does(Effect.never))
    const twice = Patience.shared(Effect.andThen(Effect.exit(question.answer), Effect.exit(question.answer)))
    const waiting = yield* Effect.forkChild(twice, { startImmediately: true })
    yield* TestClock.adjust("2 seconds")
    assert.isTrue(Exit.isSuccess(waiting.pollUnsafe() ?? Exit.fail("still waiting")))
  })

  rule("a caller who waits is answered as soon as the first attempt is", function* () {
    yield* TestClock.setTime(NOW)
    const a = yield* scripted<number>("A")
    a.does(Effect.andThen(Effect.sleep("500 millis"), Effect.fail(unusable("A"))))
    const b = yield* scripted<number>("B")
    b.says(2)
    const question = yield* Refresher.make({
      name: "test",
      sources: [a.feed, b.feed],
      maxAge: "1 hour",
      rows
    })
    const waiting = yield* Effect.forkChild(question.answer)
    yield* TestClock.adjust("500 millis")
    assert.strictEqual((yield* Fiber.join(waiting)).value, 2)
  })

  rule("makes callers wait after a start that restored only data that is too old", function* () {
    yield* TestClock.setTime(NOW)
    const a = yield* scripted<number>("A")
    a.does(Effect.never)
    const then = instant(NOW - 7_200_000)
    const kept = Snapshot.make({ value: 1, source: "A", observedAt: then, retrievedAt: then })
    const restarted = { ...a.feed, last: Effect.succeed(Option.some(kept)) }
    const question = yield* Refresher.make({
      name: "test",
      sources: [restarted],
      maxAge: "1 hour",
      rows
    })
    const waiting = yield* Effect.forkChild(Effect.exit(question.answer), { startImmediately: true })
    yield* TestClock.adjust("1900 millis")
    assert.isUndefined(waiting.pollUnsafe())
    assert.isTrue(Option.isNone(yield* question.current))
  })
})

describe("a question without an answer yet", () => {
  const hanging = (b: (b: Told) => void) => setup((a, told) => (a.does(Effect.never), b(told)))

  rule("asks all sources at once, and waits 1 s for a better one than has answered", function* () {
    const { b, question } = yield* hanging((b) => b.says(2))
    assert.strictEqual(b.asked(), 1)
    const waiting = yield* Effect.forkChild(question.answer, { startImmediately: true })
    yield* TestClock.adjust("990 millis")
    assert.isUndefined(waiting.pollUnsafe())
    yield* TestClock.adjust("10 millis")
    assert.strictEqual((yield* Fiber.join(waiting)).source, "B")
  })

  rule("takes what comes after 1 s as soon as it comes", function* () {
    const { question } = yield* hanging((b) => b.saysAfter(2, "1500 millis"))
    const waiting = yield* Effect.forkChild(question.answer, { startImmediately: true })
    yield* TestClock.adjust("1500 millis")
    assert.strictEqual((yield* Fiber.join(waiting)).source, "B")
  })

  rule("goes back to a preferred source that answers after the next one", function* () {
    const { a, question } = yield* setup((a, b) => {
      a.saysAfter(1, "3 seconds")
      b.says(2)
    })
    yield* TestClock.adjust("1 second")
    assert.strictEqual((yield* question.answer).source, "B")
    yield* TestClock.adjust("2 seconds")
    assert.strictEqual((yield* question.answer).source, "A")
    assert.strictEqual(a.asked(), 1)
  })

  rule("serves what is stale rather than nothing, until a source has something fresh", function* () {
    const { question } = yield* setup((a, b) => {
      a.saysAfter(1, "3 seconds")
      b.saysAsOf(2, NOW - 30 * 60_000)
    })
    yield* TestClock.adjust("1 second")
    assert.strictEqual((yield* question.answer).source, "B")
    yield* TestClock.adjust("2 seconds")
    assert.strictEqual((yield* question.answer).source, "A")
  })

  rule("a source that is silent keeps no other from being polled and served", function* () {
    const { a, b, question } = yield* setup((a, b) => (a.says(1), b.says(2)))
    a.does(Effect.never)
    yield* TestClock.adjust("10 minutes")
    assert.strictEqual(a.asked(), 2)
    assert.isAtLeast(b.asked(), 8)
    assert.strictEqual((yield* question.answer).source, "A")
    yield* TestClock.adjust("11 minutes")
    assert.strictEqual((yield* question.answer).source, "B")
  })

  rule("a source that is switched off is not asked", function* () {
    yield* TestClock.setTime(NOW)
    const [a, b] = [yield* scripted<number>("A"), yield* scripted<number>("B")]
    b.says(2)
    const off = { ...a.feed, isOff: true }
    const question = yield* Refresher.make({ name: "test", sources: [off, b.feed], maxAge: "1 hour", rows })
    yield* TestClock.adjust("10 minutes")
    assert.strictEqual((yield* question.answer).source, "B")
    assert.strictEqual(a.asked(), 0)
  })
})

rule("a question starts as late as it is told to", function* () {
  yield* TestClock.setTime(NOW)
  const a = yield* scripted<number>("A")
  a.says(1)
  const question = yield* Refresher.make({
    name: "late",
    sources: [a.feed],
    maxAge: Duration.infinity,
    rows,
    startAfter: "70 seconds"
  })
  yield* TestClock.adjust("69 seconds")
  assert.strictEqual(a.asked(), 0)
  yield* TestClock.adjust("2 seconds")
  assert.strictEqual((yield* question.answer).value, 1)
  assert.isTrue(DateTime.isLessThanOrEqualTo((yield* question.answer).observedAt, yield* DateTime.now))
})
