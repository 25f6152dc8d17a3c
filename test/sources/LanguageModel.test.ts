import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import { inspect } from "node:util"
import { LanguageModel } from "../../src/sources/LanguageModel.ts"
import {
  good,
  KEY,
  model,
  modelServer,
  providers,
  question,
  reasonOf,
  refusal,
  type Said,
  settingsFor,
  tagOf
} from "./ModelServer.ts"
import { overHttp, scriptedUpstream, whileTimePasses } from "./ScriptedUpstream.ts"

describe("LanguageModel", () => {
  it.effect("is off unless a provider is set: nothing is sent, every question fails with Off", () =>
    Effect.gen(function* () {
      const server = yield* modelServer(() => good)
      const layer = overHttp(LanguageModel.layerNoDeps, { LLM_BASE_URL: server.url, LLM_API_KEY: KEY })
      const { complete, provider } = yield* Effect.provide(LanguageModel, layer)
      assert.strictEqual(provider, "off")
      assert.strictEqual(yield* tagOf(complete(question)), "Off")
      assert.strictEqual(server.requests().length, 0)
    })
  )

  it.effect("a provider without a model does not start", () =>
    Effect.gen(function* () {
      const started = yield* Effect.result(
        Effect.provide(LanguageModel, overHttp(LanguageModel.layerNoDeps, { LLM_PROVIDER: "anthropic" }))
      )
      assert.isTrue(Result.isFailure(started))
    })
  )

  it.effect("speaks Anthropic Messages", () =>
    Effect.gen(function* () {
      const { ask, asked, requests } = yield* model(() => ({ ...good, tokens: 1234 }))
      assert.deepStrictEqual(yield* ask, { value: { words: ["a"], verdict: "yes" }, tokensUsed: 1234 })
      for (const { body, prompt, system } of asked()) {
        assert.deepInclude(body, { model: "test-model", max_tokens: 700, temperature: 0 })
        assert.strictEqual(prompt, "Which?")
        assert.match(system, /^Be brief\.\n\nAnswer with one JSON object and nothing else\. Its JSON schema: \{.*\}$/)
      }
      assert.deepStrictEqual(
        requests().map(({ headers, method, url }) => [method, url, headers["x-api-key"], headers.authorization]),
        [["POST", "/v1/messages", KEY, undefined]]
      )
    })
  )

  it.effect("speaks chat completions, with a strict schema of the answer", () =>
    Effect.gen(function* () {
      const { ask, asked, requests } = yield* model(() => ({ ...good, tokens: 1234 }), "openai-compatible")
      assert.deepStrictEqual(yield* ask, { value: { words: ["a"], verdict: "yes" }, tokensUsed: 1234 })
      for (const { body, prompt, system } of asked()) {
        assert.deepInclude(body, { model: "test-model", max_tokens: 700, temperature: 0 })
        assert.deepStrictEqual(body["response_format"], {
          type: "json_schema",
          json_schema: {
            name: "answer",
            strict: true,
            schema: {
              type: "object",
              properties: {
                words: { type: "array", items: { type: "string" } },
                verdict: { type: "string", enum: ["yes", "no"] }
              },
              required: ["words", "verdict"],
              additionalProperties: false
            }
          }
        })
        assert.strictEqual(prompt, "Which?")
        assert.include(system, "Be brief.")
      }
      assert.deepStrictEqual(
        requests().map(({ headers, method, url }) => [method, url, headers["x-api-key"], headers.authorization]),
        [["POST", "/v1/chat/completions", undefined, `Bearer ${KEY}`]]
      )
    })
  )

  it.effect("a server that takes no schema is asked without one, and from then on at once", () =>
    Effect.gen(function* () {
      const { ask, asked } = yield* model(
        ({ body }) => ("response_format" in body ? refusal(400) : good),
        "openai-compatible"
      )
      yield* ask
      yield* ask
      assert.deepStrictEqual(
        asked().map(({ body }) => "response_format" in body),
        [true, false, false]
      )
    })
  )

  it.effect("a model that takes neither temperature nor max_tokens is asked without them", () =>
    Effect.gen(function* () {
      const chat = yield* model(({ body }) => ("max_tokens" in body ? refusal(400) : good), "openai-compatible")
      yield* chat.ask
      assert.strictEqual(chat.asked().at(-1)?.body["max_completion_tokens"], 700)
      const messages = yield* model(({ body }) => ("temperature" in body ? refusal(400) : good))
      yield* messages.ask
      assert.strictEqual(messages.count(), 2)
    })
  )

  it.effect("a key is not needed where the server wants none", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* scriptedUpstream(() => refusal(401))
      const { LLM_API_KEY: _, ...settings } = settingsFor("openai-compatible", url)
      const { complete } = yield* Effect.provide(LanguageModel, overHttp(LanguageModel.layerNoDeps, settings))
      yield* Effect.flip(complete(question))
      assert.deepStrictEqual(
        requests().map(({ headers }) => headers.authorization),
        [undefined]
      )
    })
  )

  for (const provider of providers) {
    describe(`failures, ${provider}`, () => {
      const statuses = [400, 401, 403, 404, 301, 500, 503]
      it.effect(`statuses: ${statuses.join(", ")}`, () =>
        Effect.gen(function* () {
          for (const status of statuses) {
            const { ask } = yield* model(() => refusal(status, { location: "http://127.0.0.1:9/" }), provider)
            assert.deepInclude(yield* whileTimePasses(reasonOf(ask)), { _tag: "BadStatus", status })
          }
        })
      )

      it.effect("429: no call until the pause is over", () =>
        Effect.gen(function* () {
          const { ask, count } = yield* model(
            ({ before }) => (before === 0 ? refusal(429, { "retry-after": "30" }) : good),
            provider
          )
          assert.deepInclude(yield* reasonOf(ask), { _tag: "RateLimited", retryAfter: 30 })
          yield* TestClock.adjust("29 seconds")
          assert.deepInclude(yield* reasonOf(ask), { _tag: "RateLimited", retryAfter: 1 })
          assert.strictEqual(count(), 1)
          yield* TestClock.adjust("1 second")
          yield* ask
        })
      )

      it.effect("what may pass is tried again, once", () =>
        Effect.gen(function* () {
          const overloaded = yield* model(({ before }) => (before === 0 ? refusal(529) : good), provider)
          yield* whileTimePasses(overloaded.ask)
          const broken = yield* model(() => "reset", provider)
          assert.strictEqual(yield* whileTimePasses(tagOf(broken.ask)), "Unreachable")
          assert.strictEqual(broken.count(), 2)
        })
      )

      it.effect("silence is left after 20 seconds and not tried again", () =>
        Effect.gen(function* () {
          const { ask, count } = yield* model(() => "hang", provider)
          assert.deepInclude(yield* whileTimePasses(reasonOf(ask)), { _tag: "TimedOut", seconds: 20 })
          assert.strictEqual(count(), 1)
        })
      )

      it.effect("rubbish is undecodable, and no word of it is repeated", () =>
        Effect.gen(function* () {
          const rubbish: ReadonlyArray<Said> = [
            { status: 200, body: "<html>secret words</html>" },
            { status: 200, body: '{"secret words":' },
            { status: 200, body: "" },
            { status: 200, body: '{"content":[],"choices":[]}' },
            { status: 200, body: JSON.stringify({ secret: "words".repeat(100_000) }) },
            { text: "" },
            { text: "secret words" },
            { text: "<p>secret words</p>" },
            { text: '{"words":["secret wor' },
            { text: '{"words":"secret words","verdict":"yes"}' },
            { text: '{"words":[],"verdict":"secret words"}' },
            { text: '["secret words"]' }
          ]
          for (const said of rubbish) {
            const { ask } = yield* model(() => said, provider)
            const failure = yield* Effect.flip(ask)
            assert.strictEqual(failure.reason._tag, "Undecodable", inspect(said))
            assert.notMatch(inspect(failure, { depth: 9 }), /secret|words/)
          }
        })
      )

      it.effect("an answer cut off and one declined are told apart", () =>
        Effect.gen(function* () {
          const cut = yield* model(() => ({ text: '{"words":["a"],"verdict":"yes"}', end: "truncated" }), provider)
          assert.strictEqual(yield* tagOf(cut.ask), "Truncated")
          const declined = yield* model(() => ({ text: "", end: "refused" }), provider)
          assert.strictEqual(yield* tagOf(declined.ask), "Refused")
        })
      )

      it.effect("JSON is found behind a thought, in a sentence and in a fence", () =>
        Effect.gen(function* () {
          for (const text of [
            '<think>Is {this} it?</think>{"words":["a"],"verdict":"yes"}',
            'Here it is:\n```json\n{"words":["a"],"verdict":"yes"}\n```'
          ]) {
            const { ask } = yield* model(() => ({ text }), provider)
            assert.deepStrictEqual((yield* ask).value, { words: ["a"], verdict: "yes" })
          }
        })
      )
    })
  }
})
