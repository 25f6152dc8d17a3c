// Exactly as many answers as the plan has, over real connections: from one address, from one key, and split over two replicas.
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Redacted } from "effect"
import * as ApiKeyRedis from "../../src/persistence/ApiKeyRedis.ts"
import { linkTo } from "../../src/node/StateLayers.ts"
import { stdout } from "node:process"
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

const every = [
  { name: "one address", plan: undefined, limit: 60 },
  { name: "a developer key", plan: "developer", limit: 600 },
  { name: "a business key", plan: "business", limit: 3000 }
] as const

const callers = isWhole ? every : every.slice(0, 2)

/** 200 connections, more requests than the plan has: exactly `limit` answered, the others refused, and all told the same about the window. */
const holds = Effect.fnUntraced(function* (
  limit: number,
  urls: ReadonlyArray<string>,
  headers: Record<string, string>
) {
  const requests = isWhole ? 5000 : limit + 300
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
      )
  )
})

/** Requests while Redis is frozen or killed: enough for what that affects and for what came before. */
const LOAD = isWhole ? 2000 : 600

/** Addresses of clients behind a proxy. */
const ADDRESSES = isWhole ? 10_000 : 2000

/** One request in so many comes from the same address. */
const EVERY = 200

/** Requests that each come from an address of their own, sent while something is done to Redis; no quota is met. */
const during = (baseUrl: string, requests: number, act: Effect.Effect<void>) =>
  Effect.gen(function* () {
    const flood = yield* Effect.forkChild(
      Load.flood({
        urls: [baseUrl + PATH],
        connections: 20,
        requests,
        headers: (n) => ({ "x-forwarded-for": `198.18.${n >> 8}.${n & 255}` })
      }),
      { startImmediately: true }
    )
    yield* Effect.sleep("300 millis")
    const at = performance.now()
    yield* act
    const samples = yield* Fiber.join(flood)
    return {
      samples,
      before: samples.filter((sample) => sample.at + sample.millis < at),
      affected: samples.filter((sample) => sample.at + sample.millis >= at && sample.at < at + 300)
    }
  })

describe("while Redis is frozen or killed under load", () => {
  it.live.skipIf(!RedisProcess.isInstalled)("nobody is failed, nobody waits long, and the count goes on", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const redis = yield* RedisProcess.make
        yield* redis.start
        const { baseUrl, get } = yield* service({ REDIS_URL: redis.url })
        const somebody = { "x-forwarded-for": "203.0.113.7" }
        for (let n = 59; n >= 30; n--) {
          const { headers } = yield* get(PATH, { headers: somebody })
          assert.strictEqual(headers["x-ratelimit-remaining"], String(n))
        }

        const figures: Array<string> = []
        const acts = [
          ["SIGSTOP", redis.signal("SIGSTOP"), redis.signal("SIGCONT")],
          ["SIGKILL", redis.kill, redis.start]
        ] as const
        for (const [name, act, undo] of acts) {
          const { affected, before, samples } = yield* during(baseUrl, LOAD, act)
          assert.deepStrictEqual(Load.statuses(samples), { "200": LOAD })
          const p99 = Load.percentile(affected, 0.99)
          figures.push(
            `${name}: ${affected.length} affected, p50 ${Load.percentile(affected, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`
          )
          // RedisLink.test.ts holds the time limit by the TestClock. Measured here, it needs a machine without other load:
          // 150 ms, as much again, and what requests took before.
          if (isWhole) assert.isBelow(p99, 300 + 2 * Load.percentile(before, 0.99))

          if (name === "SIGSTOP") {
            const rest = yield* Load.flood({
              urls: [baseUrl + PATH],
              connections: 20,
              requests: 100,
              headers: () => somebody
            })
            assert.deepStrictEqual(Load.statuses(rest), { "200": 30, "429": 70 }, "no fresh quota without Redis")
          }
          yield* undo
          yield* Effect.andThen(
            Effect.sleep("50 millis"),
            get(PATH, { headers: { "x-forwarded-for": `192.0.2.${name.length}` } })
          ).pipe(
            Effect.andThen(redis.ask(`EXISTS cda:{all}:window:ip:192.0.2.${name.length}`)),
            Effect.repeat({ until: ([reply]) => reply === ":1" })
          )
        }
        stdout.write(`Redis under load: ${figures.join("; ")}\n`)
      })
    )
  )
})

describe("through a trusted proxy", () => {
  it.live("many addresses do not displace one that goes on asking, with room for 1,000", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { baseUrl } = yield* service({ RATE_LIMIT_MAX_KEYS: "1000" })
        const samples = yield* Load.flood({
          urls: [`${baseUrl}/problems/not_found`],
          connections: 50,
          requests: ADDRESSES,
          // Every so many request is of one and the same.
          headers: (n) => ({ "x-forwarded-for": n % EVERY === 0 ? "203.0.113.7" : `198.18.${n >> 8}.${n & 255}` })
        })
        assert.deepStrictEqual(Load.statuses(samples), { "200": ADDRESSES })
        const regular = samples.filter((_, n) => n % EVERY === 0).map(({ remaining }) => remaining)
        assert.deepStrictEqual(
          regular.toSorted((a, b) => b - a),
          Array.from({ length: Math.ceil(ADDRESSES / EVERY) }, (_, n) => 59 - n)
        )
        const others = samples.filter((_, n) => n % EVERY !== 0)
        assert.isTrue(others.every(({ remaining }) => remaining === 59))
      })
    )
  )
})
