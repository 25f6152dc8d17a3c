// Exactly as many answers as the plan has, over real connections: from one address, from one key, and split over two replicas.
import { assert, describe, it } from "@effect/vitest"
import { Context, DateTime, Effect, Layer, Redacted } from "effect"
import * as ApiKey from "../../src/access/ApiKey.ts"
import * as ApiKeyFiles from "../../src/access/ApiKeyFiles.ts"
import * as ApiKeyRedis from "../../src/access/ApiKeyRedis.ts"
import { ApiKeyStore } from "../../src/access/ApiKeyStore.ts"
import { linkTo } from "../../src/cli/AccessLayers.ts"
import { NodeServices } from "@effect/platform-node"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Load from "../access/Load.ts"
import * as RedisProcess from "../access/RedisProcess.ts"
import { RunningService } from "../RunningService.ts"

const PATH = "/v1/price/bitcoin/usd"

const service = (config: Readonly<Record<string, string>>) =>
  Effect.map(Layer.build(RunningService.layer({ config })), (context) => Context.get(context, RunningService))

/** A new key of a plan, written to where the service reads. */
const newKey = Effect.fnUntraced(function* (plan: "developer" | "business") {
  const store = yield* ApiKeyStore
  const key = ApiKey.fromRandom(Array.from({ length: 32 }, () => Math.floor(Math.random() * 62)))
  const created = yield* DateTime.now
  yield* store.put({ hash: ApiKey.hashOf(key), plan, label: "a test", created, expires: null, revoked: null })
  return key
})

const callers = [
  { name: "one address", plan: undefined, limit: 60 },
  { name: "a developer key", plan: "developer", limit: 600 },
  { name: "a business key", plan: "business", limit: 3000 }
] as const

/** 200 connections, 5,000 requests: exactly `limit` answered, the others refused, and all told the same about the window. */
const holds = Effect.fnUntraced(function* (
  limit: number,
  urls: ReadonlyArray<string>,
  headers: Record<string, string>
) {
  const samples = yield* Load.flood({ urls, connections: 200, requests: 5000, headers: () => headers })
  assert.deepStrictEqual(Load.statuses(samples), { "200": limit, "429": 5000 - limit })
  const reset = samples[0]?.reset ?? 0
  const began = (performance.timeOrigin + (samples[0]?.at ?? 0)) / 1000
  assert.isAtLeast(reset, Math.floor(began + 60))
  assert.isAtMost(reset, Math.ceil(began + 62))
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

const scratch = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "crypto-data-api-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

describe("5,000 requests over 200 connections", () => {
  it.live(
    "are answered as often as the plan says, whoever asks",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const directory = yield* scratch
          const store = ApiKeyFiles.layer(`${directory}/keys`).pipe(Layer.provide(NodeServices.layer))
          const keys = yield* Effect.forEach(callers, ({ plan }) =>
            plan === undefined ? Effect.undefined : Effect.provide(newKey(plan), store)
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
      ),
    30_000
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
          const one = yield* service({ REDIS_URL: redis.url })
          const two = yield* service({ REDIS_URL: redis.url })
          for (const [n, { limit }] of callers.entries()) {
            const key = keys[n]
            yield* holds(limit, [one.baseUrl + PATH, two.baseUrl + PATH], {
              "x-forwarded-for": "203.0.113.7",
              ...(key !== undefined && { "x-api-key": key })
            })
          }
        })
      ),
    30_000
  )
})
