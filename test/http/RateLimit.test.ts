// Exactly as many answers as the plan has, over real connections: from one address, from one key, and split over two replicas.
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import * as ApiKeyRedis from "../../src/persistence/ApiKeyRedis.ts"
import { linkTo } from "../../src/node/StateLayers.ts"
import * as Load from "../persistence/Load.ts"
import { newKey, newKeyIn } from "../cli/NewKey.ts"
import { isWhole } from "../isWhole.ts"
import * as RedisProcess from "../persistence/RedisProcess.ts"
import { RunningService, withoutEvidence } from "../RunningService.ts"
import { temporaryFolder } from "../resources.ts"

const PATH = "/v1/price/bitcoin/usd"

const service = (config: Readonly<Record<string, string>>) =>
  Effect.map(Layer.build(RunningService.layer({ config: { ...withoutEvidence, ...config } })), (context) =>
    Context.get(context, RunningService)
  )

/** One address, and a key of each plan. */
const every = [
  { plan: undefined, limit: 60 },
  { plan: "developer", limit: 600 },
  { plan: "business", limit: 3000 }
] as const

const callers = isWhole ? every : every.slice(0, 2)

/** 200 connections, more requests than the plan has: exactly `limit` answered, the others refused, and all told the same about the window. */
const holds = Effect.fnUntraced(function* (
  limit: number,
  urls: ReadonlyArray<string>,
  headers: Record<string, string>
) {
  const requests = limit + 500
  const samples = yield* Load.flood({ urls, connections: 200, requests, headers: () => headers })
  assert.deepStrictEqual(Load.statuses(samples), { "200": limit, "429": requests - limit })
  const reset = samples[0]?.reset ?? 0
  // The window starts after the first request was sent and before the first response has arrived.
  const secondsAt = (millis: number) => (performance.timeOrigin + millis) / 1000
  assert.isAtLeast(reset, Math.floor(secondsAt(Math.min(...samples.map(({ at }) => at))) + 60))
  assert.isAtMost(reset, Math.ceil(secondsAt(Math.min(...samples.map(({ at, millis }) => at + millis))) + 60))
  const left: Array<number> = []
  for (const sample of samples) {
    assert.deepStrictEqual([sample.limit, sample.reset], [limit, reset])
    if (sample.status === 200) left.push(sample.remaining)
    if (sample.status === 429) {
      assert.strictEqual(sample.remaining, 0)
      assert.isAtLeast(sample.retryAfter ?? 0, 1)
      assert.isAtMost(sample.retryAfter ?? 0, 60)
    }
  }
  // Each answered request took one of its own.
  assert.deepStrictEqual(
    left.toSorted((a, b) => a - b),
    Array.from({ length: limit }, (_, n) => n)
  )
})

describe("too many requests over 200 connections", () => {
  it.live("are answered as often as the plan says, whoever asks", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const directory = yield* temporaryFolder
        const keys = yield* Effect.forEach(callers, ({ plan }) =>
          plan === undefined ? Effect.undefined : newKeyIn(directory, plan)
        )
        const { baseUrl } = yield* service({ DATA_DIR: directory })
        for (const [n, { limit }] of callers.entries()) {
          const key = keys[n]
          yield* holds(limit, [baseUrl + PATH], {
            "x-forwarded-for": "203.0.113.7",
            ...(key !== undefined && { "x-api-key": key })
          })
        }
      })
    )
  )

  it.live.skipIf(!RedisProcess.isInstalled)(
    "are answered as often as the plan says when they are split over two replicas",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const redis = yield* RedisProcess.make
          yield* redis.start
          const store = ApiKeyRedis.layer.pipe(Layer.provide(linkTo(Redacted.make(redis.url))))
          const keys = yield* Effect.forEach(callers, ({ plan }) =>
            plan === undefined ? Effect.undefined : Effect.provide(newKey(plan), store)
          )
          // A replica whose Redis is late counts by itself, which no load of the machine may bring about here.
          const shared = { REDIS_URL: redis.url, REDIS_TIMEOUT: "5 seconds" }
          const [one, two] = [yield* service(shared), yield* service(shared)]
          for (const [n, { limit }] of callers.entries()) {
            const key = keys[n]
            yield* holds(limit, [one.baseUrl + PATH, two.baseUrl + PATH], {
              "x-forwarded-for": "203.0.113.7",
              ...(key !== undefined && { "x-api-key": key })
            })
          }
        })
      )
  )
})
