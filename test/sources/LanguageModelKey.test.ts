import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Logger, References, Result, Tracer } from "effect"
import { inspect } from "node:util"
import { LanguageModel } from "../../src/sources/LanguageModel.ts"
import { good, KEY, model, providers, refusal, type Said, settingsFor } from "./ModelServer.ts"
import { overHttp, whileTimePasses } from "./ScriptedUpstream.ts"

describe("LanguageModel, the key", () => {
  it.effect("the key is in the request's header and in no error, log line or span, whatever is answered", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const spans: Array<Tracer.NativeSpan> = []
      const logger = Logger.make((options) => {
        seen.push(options.message, Logger.formatStructured.log(options), Logger.formatLogFmt.log(options))
      })
      const tracer = Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          spans.push(span)
          return span
        }
      })
      const answers: ReadonlyArray<Said> = [
        good,
        refusal(401),
        refusal(500),
        refusal(429),
        "reset",
        { status: 200, body: KEY },
        { text: KEY },
        { text: JSON.stringify({ words: [KEY], verdict: "yes" }) }
      ]
      for (const provider of providers) {
        for (const said of answers) {
          const { ask } = yield* model(() => said, provider)
          const result = yield* whileTimePasses(Effect.result(ask)).pipe(
            Effect.tap((result) => Effect.logError("the result", result)),
            Effect.provide(Logger.layer([logger])),
            Effect.provideService(References.MinimumLogLevel, "All"),
            Effect.withTracer(tracer)
          )
          seen.push(result, Result.isFailure(result) ? [result.failure.message, result.failure.stack] : null)
        }
      }
      // An exporter writes the exit of a span only when it failed.
      for (const { attributes, events, name, status } of spans) {
        const exit = status._tag === "Ended" ? status.exit : Exit.void
        seen.push(name, attributes, events, Exit.isFailure(exit) ? exit.cause.reasons : null)
      }
      assert.isAbove(spans.length, 30)
      const told = inspect(seen, { depth: 12, maxArrayLength: null, maxStringLength: null })
      assert.include(told, "LanguageModel.complete")
      assert.notInclude(told, KEY)
    })
  )

  it.effect("a key that cannot stand in a header is a fault of the settings that does not repeat it", () =>
    Effect.gen(function* () {
      const settings = { ...settingsFor("anthropic", "http://127.0.0.1:9"), LLM_API_KEY: "line one\nline two" }
      const failure = yield* Effect.flip(Effect.provide(LanguageModel, overHttp(LanguageModel.layerNoDeps, settings)))
      assert.notMatch(inspect(failure, { depth: 9 }), /line one|line two/)
    })
  )
})
