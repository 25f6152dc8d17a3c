import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { refusal } from "../sources/ModelServer.ts"
import {
  AS_OF,
  caseOf,
  embedded,
  good,
  later,
  over,
  rewordingOver,
  says,
  delisting,
  report,
  partnership
} from "./RewordingCase.ts"

/** Never answers; counts who waits. */
const silence = () => {
  const count = { now: 0, most: 0, all: 0 }
  const complete = () =>
    Effect.suspend(() => {
      count.all += 1
      count.now += 1
      count.most = Math.max(count.most, count.now)
      return Effect.ensuring(
        Effect.never,
        Effect.sync(() => (count.now -= 1))
      )
    })
  return { count, complete }
}

describe("Rewording", () => {
  describe("limits", () => {
    it.effect("ten minutes between the calls about a coin, whatever is new about it", () =>
      Effect.gen(function* () {
        const { count, reword } = yield* rewordingOver(() => says(good))
        yield* reword()
        const news = caseOf({ evidence: [delisting, report, partnership, later] })
        yield* TestClock.setTime(AS_OF + 9 * 60_000)
        assert.deepStrictEqual(yield* reword(news), embedded("budget", news))
        assert.strictEqual(count(), 1)
        // Other coins are other calls.
        yield* reword(caseOf({ coin: "zephyra-2" }))
        assert.strictEqual(count(), 2)
        yield* TestClock.setTime(AS_OF + 11 * 60_000)
        yield* reword(news)
        assert.isAbove(count(), 2)
      })
    )

    it.effect("a call that failed is told again until the next", () =>
      Effect.gen(function* () {
        const { count, reword } = yield* rewordingOver(() => refusal(401))
        yield* reword()
        assert.deepStrictEqual(yield* reword(), embedded("provider_error"))
        assert.strictEqual(count(), 1)
      })
    )

    it.effect("two at a time", () =>
      Effect.gen(function* () {
        const { complete, count } = silence()
        const { reword } = yield* over(complete)
        const movers = Array.from({ length: 7 }, (_, n) => caseOf({ coin: `coin-${n}` }))
        const all = yield* Effect.forkChild(
          Effect.all(
            movers.map(({ explained, input }) => reword(input, explained)),
            { concurrency: "unbounded" }
          ),
          { startImmediately: true }
        )
        for (let round = 0; round < 4; round++) {
          assert.isUndefined(all.pollUnsafe())
          assert.strictEqual(count.all, Math.min(7, 2 * (round + 1)))
          yield* TestClock.adjust("45 seconds")
        }
        const texts = yield* Fiber.join(all)
        assert.isTrue(texts.every(({ fallback }) => fallback === "timeout"))
        assert.strictEqual(count.most, 2)
      })
    )

    it.effect("a coin that waits for its turn twice is asked about once", () =>
      Effect.gen(function* () {
        const { complete, count } = silence()
        const { reword } = yield* over(complete)
        const ask = (coin: string) => {
          const { explained, input } = caseOf({ coin })
          return Effect.forkChild(reword(input, explained), { startImmediately: true })
        }
        yield* Effect.all(["a", "b"].map(ask))
        const waiting = yield* Effect.all(["c", "c"].map(ask))
        assert.strictEqual(count.all, 2)
        yield* TestClock.adjust("45 seconds")
        assert.strictEqual(count.all, 3)
        yield* TestClock.adjust("45 seconds")
        const texts = yield* Effect.all(waiting.map(Fiber.join))
        assert.deepStrictEqual(
          texts.map(({ fallback }) => fallback),
          ["timeout", "budget"]
        )
      })
    )

    it.effect("45 seconds, and whoever asked is free again", () =>
      Effect.gen(function* () {
        const { complete, count } = silence()
        const { reword } = yield* over(complete)
        const { explained, input } = caseOf()
        const fiber = yield* Effect.forkChild(reword(input, explained), { startImmediately: true })
        yield* TestClock.adjust(44_999)
        assert.isUndefined(fiber.pollUnsafe())
        yield* TestClock.adjust(1)
        assert.deepStrictEqual(yield* Fiber.join(fiber), embedded("timeout"))
        assert.strictEqual(count.now, 0)
      })
    )

    it.effect("the day's tokens", () =>
      Effect.gen(function* () {
        const { count, reword } = yield* rewordingOver(() => says(good), { LLM_DAILY_TOKENS: "100" })
        assert.deepStrictEqual(yield* reword(), embedded("budget"))
        assert.strictEqual(count(), 0)
      })
    )

    it.effect("a model that fails three times is left alone, and asked again by the next run", () =>
      Effect.gen(function* () {
        const { count, reword } = yield* rewordingOver(({ before }) => (before < 3 ? refusal(403) : says(good)))
        const mover = (n: number) => caseOf({ coin: `coin-${n}` })
        for (let n = 0; n < 5; n++) {
          assert.deepStrictEqual(yield* reword(mover(n)), embedded("provider_error", mover(n)))
        }
        assert.strictEqual(count(), 3)
        yield* TestClock.adjust("5 minutes")
        assert.strictEqual((yield* reword(mover(4))).engine, "model")
      })
    )
  })
})
