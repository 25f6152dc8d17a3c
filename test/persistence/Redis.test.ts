// Windows and keys in a real Redis: a process of the test's own that is absent, killed, frozen and started again. The
// timing of the link is tested in RedisLink.test.ts.
import { assert, describe, it, layer } from "@effect/vitest"
import { Clock, Context, Effect, Exit, Layer, Redacted, Schedule, Scope } from "effect"
import * as ApiKey from "../../src/access/ApiKey.ts"
import { ApiKeyStore, NO_RECORDS } from "../../src/access/ApiKeyStore.ts"
import { usual } from "../../src/access/Plan.ts"
import { RateLimiter } from "../../src/access/RateLimiter.ts"
import { makeMemoryWindows } from "../../src/access/WindowStore.ts"
import { linkTo } from "../../src/node/StateLayers.ts"
import * as ApiKeyRedis from "../../src/persistence/ApiKeyRedis.ts"
import { RedisLink } from "../../src/persistence/RedisLink.ts"
import * as RedisBudgets from "../../src/persistence/RedisBudgets.ts"
import * as RedisWindowStore from "../../src/persistence/RedisWindowStore.ts"
import { patientLink } from "./patientLink.ts"
import * as RedisProcess from "./RedisProcess.ts"
import { capturedLog } from "../resources.ts"
import { recordOf } from "../cli/NewKey.ts"
import { rulesOf } from "../rulesOf.ts"

const free = usual("free")

/** One replica: its link, rate limiter and key store, and what it logs. */
const replica = Effect.fnUntraced(function* (link: Layer.Layer<RedisLink>) {
  const { layer: log, logged } = capturedLog()
  const limiterLayer = Layer.effect(
    RateLimiter,
    Effect.map(RedisWindowStore.make(makeMemoryWindows()), RateLimiter.over)
  )
  const context = yield* Layer.build(
    Layer.merge(ApiKeyRedis.layer, limiterLayer).pipe(Layer.provideMerge(link), Layer.provide(log), Layer.fresh)
  )
  const limiter = Context.get(context, RateLimiter)
  return {
    logged: (): ReadonlyArray<string> => logged,
    consume: (address: string) => limiter.consume(`ip:${address}`, free),
    peek: (address: string) => limiter.peek(`ip:${address}`, free),
    store: Context.get(context, ApiKeyStore),
    records: Effect.flatMap(ApiKeyStore, ({ all }) => all).pipe(Effect.provideContext(context), Effect.provide(log)),
    untilUp: Context.get(context, RedisLink).isUp.pipe(
      Effect.tap(Effect.sleep("10 millis")),
      Effect.repeat({ until: (isUp) => isUp })
    )
  }
})

const record = (digit: number) => recordOf(ApiKey.fromRandom(Array.from({ length: 32 }, () => digit)), "business")

describe.skipIf(!RedisProcess.isInstalled)("over a running Redis", () => {
  layer(RedisProcess.RunningRedis.layer, { excludeTestServices: true })((it) => {
    const rule = rulesOf(it, RedisProcess.RunningRedis)

    rule("a window is one for all replicas, ends 60 s after its first request, and is not extended", function* (redis) {
      const numberOf = (command: string) =>
        Effect.map(redis.ask(command), (lines) => Number((lines.at(-1) ?? "").replace(":", "")))
      const [one, two] = yield* Effect.all([replica(patientLink(redis.url)), replica(patientLink(redis.url))])
      const before = yield* Clock.currentTimeMillis
      const { reset } = yield* one.consume("192.0.2.1")
      const after = yield* Clock.currentTimeMillis
      const expires = yield* numberOf("PEXPIRETIME cda:{all}:window:ip:192.0.2.1")
      assert.isAtLeast(expires, before + 60_000)
      assert.isAtMost(expires, after + 60_000)
      const ends = yield* numberOf("HGET cda:{all}:window:ip:192.0.2.1 ends")
      assert.isAtLeast(ends, before + 60_000)
      assert.isAtMost(ends, after + 60_000)
      assert.strictEqual(reset, Math.ceil(ends / 1000))

      const requests = Array.from({ length: 199 }, (_, n) => (n % 2 === 0 ? one : two).consume("192.0.2.1"))
      const quotas = yield* Effect.all(requests, { concurrency: "unbounded" })
      assert.deepStrictEqual(
        quotas.map(({ remaining }) => remaining).toSorted((a, b) => b - a),
        Array.from({ length: 199 }, (_, n) => 58 - n)
      )
      assert.deepStrictEqual(new Set(quotas.map((quota) => quota.reset)), new Set([reset]))
      assert.strictEqual(yield* numberOf("PEXPIRETIME cda:{all}:window:ip:192.0.2.1"), expires)

      yield* redis.ask("PEXPIREAT cda:{all}:window:ip:192.0.2.1 1")
      assert.strictEqual((yield* two.consume("192.0.2.1")).remaining, 59, "a new window")
    })

    rule("a look at a window neither opens it nor counts", function* (redis) {
      const { consume, peek } = yield* replica(patientLink(redis.url))
      assert.strictEqual((yield* peek("192.0.2.2")).remaining, 60)
      assert.deepStrictEqual(yield* redis.ask("EXISTS cda:{all}:window:ip:192.0.2.2"), [":0"])
      const taken = yield* consume("192.0.2.2")
      assert.deepStrictEqual(yield* peek("192.0.2.2"), taken)
      assert.deepStrictEqual(yield* redis.ask("HGET cda:{all}:window:ip:192.0.2.2 count"), ["$1", "1"])
    })

    rule("the requests of one turn are counted by one command, each under its own key and in order", function* (redis) {
      const { consume, peek } = yield* replica(patientLink(redis.url))
      yield* consume("192.0.2.100")
      const calls = Effect.map(redis.ask("INFO commandstats"), (lines) =>
        Number(/cmdstat_evalsha:calls=(\d+)/.exec(lines.join("\n"))?.[1])
      )
      const before = yield* calls
      const addresses = Array.from({ length: 90 }, (_, n) => `192.0.2.${101 + (n % 30)}`)
      const quotas = yield* Effect.forEach(
        [...addresses, "192.0.2.131"],
        (address, n) => (n === addresses.length ? peek(address) : consume(address)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        quotas.map(({ remaining }) => remaining),
        [59, 58, 57].flatMap((left) => Array.from({ length: 30 }, () => left)).concat(60)
      )
      assert.strictEqual((yield* calls) - before, 1)
    })

    rule("the calls of all replicas count together, and a pause that one is told holds for all", function* (redis) {
      const link = Context.get(yield* Layer.build(patientLink(redis.url)), RedisLink)
      const [one, two] = ["one", "two"].map((me) => RedisBudgets.make(link, me)("PAUSED", "shared"))
      const log = { key: "0:all", calls: 2, millis: 60_000 }
      const waits = Effect.forEach([one, two, one], (who) =>
        Effect.map(who?.take([log]) ?? Effect.undefined, (taken) => taken?.wait)
      )
      const [first, second, third] = yield* waits
      assert.deepStrictEqual([first, second, third !== undefined && third > 0], [0, 0, true])
      assert.deepStrictEqual(
        yield* redis.ask("ZCARD cda:{all}:calls:shared:0:all"),
        [":2"],
        "refused ones are not counted"
      )
      yield* one?.pause(120_000) ?? Effect.void
      yield* one?.pause(1000) ?? Effect.void
      yield* redis.ask("DEL cda:{all}:calls:shared:0:all")
      const paused = yield* two?.take([log]) ?? Effect.undefined
      assert.isTrue(paused?.isPause === true && paused.wait > 60_000, `${paused?.wait} ms`)
    })

    rule("a call stamped ahead of the clock of Redis holds others back for no more than its window", function* (redis) {
      const link = Context.get(yield* Layer.build(patientLink(redis.url)), RedisLink)
      const { take } = RedisBudgets.make(link, "one")("SOURCE", "budget")
      yield* redis.ask(`ZADD cda:{all}:calls:budget:0:all ${(yield* Clock.currentTimeMillis) + 3_600_000} earlier`)
      const wait = (yield* take([{ key: "0:all", calls: 1, millis: 60_000 }]))?.wait ?? 0
      assert.isTrue(wait > 0 && wait <= 60_000, `${wait} ms`)
    })

    rule("a flush of scripts is not noticed", function* (redis) {
      const { consume } = yield* replica(patientLink(redis.url))
      yield* consume("192.0.2.3")
      yield* redis.ask("SCRIPT FLUSH")
      assert.strictEqual((yield* consume("192.0.2.3")).remaining, 58)
    })

    rule("key records of one replica are read by all, each write a new version, no damaged ones", function* (redis) {
      const [one, two] = yield* Effect.all([replica(patientLink(redis.url)), replica(patientLink(redis.url))])
      assert.strictEqual(yield* two.store.version, NO_RECORDS)
      yield* one.store.put(record(7))
      const first = yield* two.store.version
      assert.notStrictEqual(first, NO_RECORDS)
      assert.deepStrictEqual(yield* two.records, [record(7)])
      const revoked = { ...record(7), revoked: record(7).created }
      yield* one.store.put(revoked)
      assert.notStrictEqual(yield* two.store.version, first)
      assert.deepStrictEqual(yield* two.records, [revoked])

      yield* redis.ask("HSET cda:{all}:keys x damaged", "INCR cda:{all}:keys:version")
      assert.deepStrictEqual(yield* two.records, [revoked])
      assert.deepStrictEqual(two.logged(), [
        "an entry in Redis is not a key record: the holder of that key needs a new one"
      ])
    })
  })
})

/** Repeats while the link is down, as it may be for a moment on a busy machine. */
const again = Effect.retry(Schedule.spaced("50 millis"))

it.live.skipIf(!RedisProcess.isInstalled)(
  "limits are local while Redis is absent, frozen or killed, go on from the last count, and are shared again afterwards",
  () =>
    Effect.gen(function* () {
      const redis = yield* RedisProcess.make
      const link = linkTo(Redacted.make(redis.url))
      const one = yield* replica(link)
      const nowhere = yield* replica(linkTo(Redacted.make("redis://operator:SecretOfTheRedis@127.0.0.1:1/0")))
      assert.notMatch(nowhere.logged().join(), /operator|SecretOfTheRedis/, "no credentials of REDIS_URL are logged")
      const left = (address: string) => Effect.map(one.consume(address), ({ remaining }) => remaining)
      /** Sends requests from the address until Redis has counted one. */
      const untilCounted = (address: string) =>
        Effect.andThen(left(address), redis.ask(`EXISTS cda:{all}:window:ip:${address}`)).pipe(
          Effect.repeat({ until: ([reply]) => reply === ":1", schedule: Schedule.spaced("50 millis") })
        )
      assert.deepStrictEqual([yield* left("192.0.2.1"), yield* left("192.0.2.1")], [59, 58])

      yield* redis.start
      yield* one.untilUp
      yield* untilCounted("192.0.2.2")
      yield* again(one.store.put(record(8)))
      const scope = yield* Scope.make()
      const ending = yield* Scope.provide(replica(link), scope)
      const before = yield* left("192.0.2.2")

      yield* redis.signal("SIGSTOP")
      const lefts = yield* Effect.forEach(Array.from({ length: 20 }), () => left("192.0.2.2"), {
        concurrency: "unbounded"
      })
      assert.strictEqual(Math.min(...lefts), before - 20)
      // Its last command is never answered, which does not delay its end.
      yield* ending.consume("192.0.2.3")
      yield* Scope.close(scope, Exit.void)

      yield* redis.kill
      assert.strictEqual(yield* left("192.0.2.2"), before - 21)
      assert.strictEqual((yield* Effect.flip(one.store.all))._tag, "ApiKeyStoreError")

      yield* redis.start
      yield* one.untilUp
      // The new process has to be given the script.
      yield* untilCounted("192.0.2.4")
      assert.strictEqual(yield* again(one.store.version), NO_RECORDS, "the records are gone")
      const [down, up, ...more] = one.logged().filter((line) => line.startsWith("Redis "))
      assert.match(down ?? "", /^Redis cannot be used \([^)]+\): until it answers, /)
      assert.strictEqual(up, "Redis answers: limits and keys are shared")
      assert.isAtLeast(more.length, 2)
    }).pipe(Effect.scoped)
)
