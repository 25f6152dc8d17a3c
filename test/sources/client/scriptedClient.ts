// A client of one source over an upstream that gives answers in turn.
import { ConfigProvider, Effect, Layer, Schema } from "effect"
import { TestClock } from "effect/testing"
import type { Urgency } from "../../../src/sources/client/Budget.ts"
import * as SourceClient from "../../../src/sources/client/SourceClient.ts"
import { layerRequirements } from "../../../src/sources/client/SourceService.ts"
import { json, type ScriptedAnswer, scriptedUpstream, source } from "../ScriptedUpstream.ts"

export const NOW = Date.UTC(2026, 8, 13, 17, 53, 30)

export const Body = Schema.Struct({ price: Schema.Finite })

export const good = json({ price: 1391.75 })

/** A client of `url`, with a breaker of its own that lasts as long as the test. */
export const clientOf = Effect.fnUntraced(function* (
  url: string,
  calls: Partial<SourceClient.SourceCalls> = {},
  settings: Readonly<Record<string, string>> = {}
) {
  yield* TestClock.setTime(NOW)
  const services = yield* Layer.build(
    Layer.fresh(
      Layer.merge(
        layerRequirements,
        ConfigProvider.layer(ConfigProvider.fromUnknown({ TEST_SOURCE_BASE_URL: url, ...settings }))
      )
    )
  )
  const client = yield* Effect.provideContext(SourceClient.make({ source, ...calls }), services)
  const call = ({ circuit = "price", urgency }: { readonly circuit?: string; readonly urgency?: Urgency } = {}) =>
    client
      .lookUp(
        circuit,
        (value: typeof Body.Type) => ({ value, leftOut: new Map() }),
        Effect.map(client.get("/price", Body, { query: { id: "bitcoin" }, urgency }), ({ body: value, ...times }) => ({
          value,
          ...times
        }))
      )
      .pipe(Effect.map(({ value: body, ...rest }) => ({ body, ...rest })))
  return { client, call, get: call() }
})

/** A client of an upstream that gives these answers in turn, the last one from then on. */
export const script = Effect.fnUntraced(function* (
  answers: ReadonlyArray<ScriptedAnswer>,
  calls?: Partial<SourceClient.SourceCalls>,
  settings?: Readonly<Record<string, string>>
) {
  let n = 0
  const upstream = yield* scriptedUpstream(() => answers[Math.min(n++, answers.length - 1)] ?? "reset")
  return { ...(yield* clientOf(upstream.url, calls, settings)), ...upstream, count: () => upstream.requests().length }
})

export const status = (code: number, headers: Readonly<Record<string, string>> = {}, body = ""): ScriptedAnswer => ({
  status: code,
  headers,
  body
})

/** An address at which nothing listens. */
export const nowhere = Effect.scoped(
  Effect.map(
    scriptedUpstream(() => good),
    ({ url }) => url
  )
)

/** A budget of one call a minute. */
export const oneCall = [{ calls: 1, per: "1 minute", onDemand: 1 }] as const
