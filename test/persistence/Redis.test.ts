// Redis for real: a process of the test's own that is absent, killed, frozen and started again.
import { assert, describe, it } from "@effect/vitest"
import { Context, DateTime, Duration, Effect, Exit, Layer, Logger, Metric, Redacted, References, Scope } from "effect"
import * as ApiKey from "../../src/access/ApiKey.ts"
import * as ApiKeyRedis from "../../src/persistence/ApiKeyRedis.ts"
import { ApiKeys } from "../../src/access/ApiKeys.ts"
import { ApiKeyStore } from "../../src/access/ApiKeyStore.ts"
import { free } from "../../src/access/Plan.ts"
import { RateLimiter } from "../../src/access/RateLimiter.ts"
import { makeMemoryWindows } from "../../src/access/WindowStore.ts"
import { RedisLink } from "../../src/persistence/RedisLink.ts"
import * as RedisWindowStore from "../../src/persistence/RedisWindowStore.ts"
import { linkTo } from "../../src/node/StateLayers.ts"
import * as RedisProcess from "./RedisProcess.ts"

/** One replica: its link, quotas and keys, and what it has logged and counted. */
const replica = Effect.fnUntraced(function* (url: string) {
  const logged: Array<string> = []
  const log = Logger.make(({ logLevel, message }) => void logged.push(`${logLevel}: ${String(message)}`))
  const keys = ApiKeys.layerNoDeps.pipe(Layer.provideMerge(ApiKeyRedis.layer))
  const quotas = RateLimiter.layerNoDeps.pipe(Layer.provide(RedisWindowStore.layer(makeMemoryWindows())))
  const layer = Layer.merge(keys, quotas).pipe(
    Layer.provideMerge(linkTo(Redacted.make(url))),
    Layer.provide(Logger.layer([log])),
    Layer.provide(Layer.succeed(References.MinimumLogLevel, "All")),
    Layer.provideMerge(Layer.succeed(Metric.MetricRegistry, new Map()))
  )
  const context = yield* Layer.build(Layer.fresh(layer))
  const quotasOf = Context.get(context, RateLimiter)
  return {
    /** What the link said of itself. */
    logged: () => logged.filter((line) => /: Redis (answers|cannot be used)/.test(line)),
    all: () => logged,
    counted: Metric.snapshot.pipe(
      Effect.provideContext(context),
      Effect.map((metrics) =>
        Object.fromEntries(
          metrics.flatMap((metric) =>
            metric.id === "cda_redis_changes_total" && metric.type === "Counter"
              ? [[String(metric.attributes?.["state"]), Number(metric.state.count)]]
              : []
          )
        )
      )
    ),
    consume: (address: string) => quotasOf.consume(`ip:${address}`, free),
    peek: (address: string) => quotasOf.peek(`ip:${address}`, free),
    keys: Context.get(context, ApiKeys),
    store: Context.get(context, ApiKeyStore),
    untilUp: Context.get(context, RedisLink).isUp.pipe(
      Effect.tap(Effect.sleep("10 millis")),
      Effect.repeat({ until: (isUp) => isUp }),
      Effect.timed,
      Effect.map(([duration]) => Duration.toMillis(duration))
    )
  }
})

/** A test with a Redis that runs, or is not there yet. */
const withRedis = (
  name: string,
  state: "running" | "absent",
  test: (redis: RedisProcess.RedisProcess) => Effect.Effect<void, unknown, Scope.Scope>
) =>
  it.live.skipIf(!RedisProcess.isInstalled)(
    name,
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const redis = yield* RedisProcess.make
          if (state === "running") yield* redis.start
          yield* test(redis)
        })
      ),
    20_000
  )

/** 75 ms, and what a machine that is busy with other tests adds to them. */
const LONGEST = 400

const UP = "Info: Redis answers: limits and keys are shared"

const record = (plan: "developer" | "business", key: string, label = "Acme"): ApiKey.KeyRecord => ({
  hash: ApiKey.hashOf(key),
  plan,
  label,
  created: DateTime.makeUnsafe("2026-11-20T12:00:00Z"),
  expires: null,
  revoked: null
})

const keyOf = (digit: number) => ApiKey.fromRandom(Array.from({ length: 32 }, () => digit))

describe.concurrent("windows in Redis", () => {
  withRedis("are one for all replicas, end 60 s after the first request, and are not extended", "running", (redis) =>
    Effect.gen(function* () {
      const replicas = yield* Effect.all([replica(redis.url), replica(redis.url)])
      const asked = Array.from(
        { length: 200 },
        (_, n) => replicas[n % 2]?.consume("192.0.2.1") ?? Effect.die(new Error("none"))
      )
      const quotas = yield* Effect.all(asked, { concurrency: "unbounded" })
      assert.deepStrictEqual(
        quotas.map(({ remaining }) => remaining).toSorted((a, b) => b - a),
        Array.from({ length: 200 }, (_, n) => 59 - n)
      )
      assert.strictEqual(new Set(quotas.map(({ reset }) => reset)).size, 1)
      const [left] = yield* redis.ask("PTTL cda:window:ip:192.0.2.1")
      assert.isAtMost(Number(left?.slice(1)), 60_000)
      assert.isAbove(Number(left?.slice(1)), 55_000)

      yield* redis.ask("PEXPIRE cda:window:ip:192.0.2.1 800")
      yield* replicas[0].consume("192.0.2.1")
      yield* Effect.sleep("900 millis")
      const fresh = yield* replicas[1].consume("192.0.2.1")
      assert.strictEqual(fresh.remaining, 59)
      const [again] = yield* redis.ask("PTTL cda:window:ip:192.0.2.1")
      assert.isAbove(Number(again?.slice(1)), 55_000)
    })
  )

  withRedis("are looked at without being begun or spent", "running", (redis) =>
    Effect.gen(function* () {
      const { consume, peek } = yield* replica(redis.url)
      assert.strictEqual((yield* peek("192.0.2.2")).remaining, 60)
      assert.deepStrictEqual(yield* redis.ask("EXISTS cda:window:ip:192.0.2.2"), [":0"])
      const taken = yield* consume("192.0.2.2")
      assert.deepStrictEqual(yield* peek("192.0.2.2"), taken)
      assert.deepStrictEqual(yield* redis.ask("HGET cda:window:ip:192.0.2.2 count"), ["$1", "1"])
    })
  )

  withRedis("survive a flush of scripts", "running", (redis) =>
    Effect.gen(function* () {
      const one = yield* replica(redis.url)
      yield* one.consume("192.0.2.3")
      yield* redis.ask("SCRIPT FLUSH")
      assert.strictEqual((yield* one.consume("192.0.2.3")).remaining, 58)
      assert.deepStrictEqual(one.logged(), [UP])
    })
  )
})

describe.concurrent("a Redis that goes away", () => {
  withRedis("is told once, done without at once, and in use again when it is back", "running", (redis) =>
    Effect.gen(function* () {
      const one = yield* replica(redis.url)
      yield* one.consume("192.0.2.1")

      yield* redis.kill
      const [waited, quota] = yield* Effect.timed(one.consume("192.0.2.1"))
      assert.isBelow(Duration.toMillis(waited), LONGEST)
      assert.strictEqual(quota.remaining, 58, "the count goes on from what Redis said last")
      assert.strictEqual((yield* one.consume("192.0.2.1")).remaining, 57)
      yield* Effect.sleep("600 millis")
      yield* redis.start
      assert.isBelow(yield* one.untilUp, 2500)
      assert.strictEqual((yield* one.consume("192.0.2.9")).remaining, 59, "the script is loaded into the new process")
      assert.deepStrictEqual(yield* redis.ask("HGET cda:window:ip:192.0.2.9 count"), ["$1", "1"])

      const [up, down, ...rest] = one.logged()
      assert.deepStrictEqual([up, ...rest], [UP, UP])
      assert.match(
        down ?? "",
        /^Warn: Redis cannot be used \([^)]+\): limits are counted per process until it answers$/
      )
      assert.deepStrictEqual(yield* one.counted, { up: 2, down: 1 })
    })
  )

  withRedis("may be frozen: 50 callers at once wait once and briefly, the next not at all", "running", (redis) =>
    Effect.gen(function* () {
      const one = yield* replica(redis.url)
      yield* one.consume("192.0.2.1")

      yield* redis.signal("SIGSTOP")
      const waits = yield* Effect.forEach(Array.from({ length: 50 }), () => Effect.timed(one.consume("192.0.2.1")), {
        concurrency: "unbounded"
      })
      for (const [waited] of waits) assert.isBelow(Duration.toMillis(waited), LONGEST)
      assert.strictEqual(Math.min(...waits.map(([, { remaining }]) => remaining)), 9)
      const [waited] = yield* Effect.timed(one.consume("192.0.2.1"))
      assert.isBelow(Duration.toMillis(waited), 60)

      // Longer than the connection is let be silent: it is given up and another one waits in vain.
      yield* Effect.sleep("4 seconds")
      yield* redis.signal("SIGCONT")
      assert.isBelow(yield* one.untilUp, 4000)
      assert.strictEqual((yield* one.consume("192.0.2.8")).remaining, 59)
      assert.deepStrictEqual(yield* one.counted, { up: 2, down: 1 })
    })
  )

  withRedis("may be absent at the start: limits are local, and shared as soon as it is there", "absent", (redis) =>
    Effect.gen(function* () {
      const [waited, one] = yield* Effect.timed(replica(redis.url))
      assert.isBelow(Duration.toMillis(waited), 2000)
      assert.strictEqual((yield* one.consume("192.0.2.1")).remaining, 59)
      assert.strictEqual((yield* one.consume("192.0.2.1")).remaining, 58)
      assert.deepStrictEqual(yield* one.keys.authenticate(keyOf(7)), { _tag: "Unavailable" })

      yield* redis.start
      assert.isBelow(yield* one.untilUp, 2500)
      yield* one.consume("192.0.2.1")
      assert.deepStrictEqual(yield* redis.ask("EXISTS cda:window:ip:192.0.2.1"), [":1"])
      const [down, up, ...rest] = one.logged()
      assert.match(down ?? "", /^Warn: Redis cannot be used \(connect ECONNREFUSED [\d.:]+\): starting without it$/)
      assert.deepStrictEqual([up, ...rest], [UP])
      assert.deepStrictEqual(yield* one.counted, { up: 1, down: 1 })
    })
  )

  withRedis("does not keep a service from ending, frozen or not", "running", (redis) =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const one = yield* Scope.provide(replica(redis.url), scope)
      yield* redis.signal("SIGSTOP")
      // Something is under way that is never answered.
      yield* one.consume("192.0.2.1")
      const [waited] = yield* Effect.timed(Scope.close(scope, Exit.void))
      assert.isBelow(Duration.toMillis(waited), 1000)
    })
  )

  withRedis("may be one that cannot be written to, which is told once and not over and over", "running", (redis) =>
    Effect.gen(function* () {
      const one = yield* replica(redis.url)
      yield* redis.ask("REPLICAOF 127.0.0.1 1")
      assert.strictEqual((yield* one.consume("192.0.2.1")).remaining, 59)
      yield* Effect.sleep("1600 millis")
      const [up, down, ...rest] = one.logged()
      assert.deepStrictEqual([up, ...rest], [UP])
      assert.include(down, "READONLY")
    })
  )
})

describe.concurrent("keys in Redis", () => {
  withRedis("are honoured by every replica within 10 s, new or revoked", "running", (redis) =>
    Effect.gen(function* () {
      const [one, two] = yield* Effect.all([replica(redis.url), replica(redis.url)])
      const key = keyOf(7)
      const judged = (tag: string) =>
        two.keys
          .authenticate(key)
          .pipe(
            Effect.tap(Effect.sleep("50 millis")),
            Effect.repeat({ until: (verdict) => (verdict._tag === "Refused" ? verdict.reason : verdict._tag) === tag }),
            Effect.timeout("10 seconds")
          )
      yield* judged("unknown")
      yield* one.store.put(record("business", key))
      const valid = yield* judged("Valid")
      assert.deepStrictEqual(valid, {
        _tag: "Valid",
        plan: { name: "business", limit: 3000 },
        quotaKey: `key:${ApiKey.hashOf(key)}`
      })
      yield* one.store.put({ ...record("business", key), revoked: yield* DateTime.now })
      yield* judged("revoked")
      assert.notInclude((yield* redis.ask("HGETALL cda:keys")).join("\n"), key)
    })
  )

  withRedis("that were known go on when Redis is killed, and when it comes back without them", "running", (redis) =>
    Effect.gen(function* () {
      const key = keyOf(8)
      const writer = yield* replica(redis.url)
      yield* writer.store.put(record("developer", key))
      const one = yield* replica(redis.url)
      assert.strictEqual((yield* one.keys.authenticate(key))._tag, "Valid")
      yield* redis.kill
      yield* redis.start
      yield* one.untilUp
      yield* Effect.sleep("3500 millis")
      assert.strictEqual((yield* one.keys.authenticate(key))._tag, "Valid")
      assert.isTrue(one.all().some((line) => line.startsWith("Warn: The store of API keys cannot be used")))
    })
  )

  withRedis("that are damaged are left out, with a warning", "running", (redis) =>
    Effect.gen(function* () {
      const { store } = yield* replica(redis.url)
      yield* store.put(record("developer", keyOf(9)))
      yield* redis.ask("HSET cda:keys x damaged", "INCR cda:keys:version")
      const one = yield* replica(redis.url)
      assert.strictEqual((yield* one.keys.authenticate(keyOf(9)))._tag, "Valid")
      assert.include(one.all(), "Warn: an entry in Redis is not a key record and is left out")
    })
  )
})
