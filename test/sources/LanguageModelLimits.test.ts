import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import { good, model, NOON, reasonOf, refusal, type Said, tagOf } from "./ModelServer.ts"
import { whileTimePasses } from "./ScriptedUpstream.ts"

describe("LanguageModel, limits", () => {
  describe("the circuit", () => {
    it.effect("three failures in a row and the model is left alone for a while, then asked again", () =>
      Effect.gen(function* () {
        const { ask, count } = yield* model(({ before }) => (before < 3 ? refusal(401) : good))
        for (let n = 0; n < 3; n++) assert.strictEqual(yield* tagOf(ask), "BadStatus")
        assert.strictEqual(yield* tagOf(ask), "Suspended")
        assert.strictEqual(count(), 3)
        yield* TestClock.adjust("6 seconds")
        yield* ask
        assert.strictEqual(count(), 4)
      })
    )

    it.effect("pages of HTML count, nonsense of the model's own does not", () =>
      Effect.gen(function* () {
        const pages = yield* model(() => ({ status: 200, body: "<html>" }))
        for (let n = 0; n < 3; n++) assert.strictEqual(yield* tagOf(pages.ask), "Undecodable")
        assert.strictEqual(yield* tagOf(pages.ask), "Suspended")
        const babble = yield* model(() => ({ text: "?" }))
        for (let n = 0; n < 5; n++) assert.strictEqual(yield* tagOf(babble.ask), "Undecodable")
      })
    )
  })

  describe("the daily budget of tokens", () => {
    it.effect("what is spent is spent until midnight UTC", () =>
      Effect.gen(function* () {
        const { ask, count } = yield* model(() => ({ ...good, tokens: 1000 }), "anthropic", {
          LLM_DAILY_TOKENS: "3000"
        })
        yield* ask
        yield* ask
        assert.deepInclude(yield* reasonOf(Effect.andThen(ask, ask)), { _tag: "OverBudget", retryAfter: 12 * 3600 })
        assert.strictEqual(count(), 3)
        yield* TestClock.setTime(NOON + 12 * 3_600_000 - 1)
        assert.strictEqual(yield* tagOf(ask), "OverBudget")
        yield* TestClock.adjust("1 millis")
        yield* ask
      })
    )

    it.effect("0 is no call at all", () =>
      Effect.gen(function* () {
        const { ask, count } = yield* model(() => good, "anthropic", { LLM_DAILY_TOKENS: "0" })
        assert.strictEqual(yield* tagOf(ask), "OverBudget")
        assert.strictEqual(count(), 0)
      })
    )

    it.effect("calls at the same time stay within it together", () =>
      Effect.gen(function* () {
        const { ask, count } = yield* model(() => ({ ...good, tokens: 900 }), "anthropic", { LLM_DAILY_TOKENS: "2000" })
        const results = yield* Effect.all(
          Array.from({ length: 9 }, () => Effect.result(ask)),
          {
            concurrency: "unbounded"
          }
        )
        assert.strictEqual(results.filter(Result.isSuccess).length, 2)
        assert.strictEqual(count(), 2)
      })
    )

    it.effect("a refusal costs nothing; silence and nonsense cost what they may have cost", () =>
      Effect.gen(function* () {
        const settings = { LLM_DAILY_TOKENS: "1000" }
        const refused = yield* model(({ before }) => (before === 0 ? refusal(401) : good), "anthropic", settings)
        yield* Effect.flip(refused.ask)
        yield* refused.ask
        for (const said of ["hang", { text: "?" }, { text: "", end: "refused" }] satisfies ReadonlyArray<Said>) {
          const { ask } = yield* model(() => said, "anthropic", settings)
          yield* whileTimePasses(Effect.flip(ask))
          assert.strictEqual(yield* tagOf(ask), "OverBudget")
        }
      })
    )

    it.effect("a server that does not count is counted for", () =>
      Effect.gen(function* () {
        const body = JSON.stringify({ content: [{ type: "text", text: '{"words":[],"verdict":"no"}' }] })
        const { ask } = yield* model(() => ({ status: 200, body }))
        const { tokensUsed } = yield* ask
        assert.isAbove(tokensUsed, 50)
        assert.isBelow(tokensUsed, 300)
      })
    )
  })
})
