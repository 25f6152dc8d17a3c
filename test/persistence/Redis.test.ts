// Windows and keys in a real Redis: a process of the test's own that is absent, killed, frozen and started again. The
// timing of the link is tested in RedisLink.test.ts.
import { assert, describe, it, layer } from "@effect/vitest"
import { Clock, Context, Duration, Effect, Exit, Layer, Redacted, Schedule, Scope } from "effect"
import * as ApiKey from "../../src/access/ApiKey.ts"
import { ApiKeyStore, NO_RECORDS } from "../../src/access/ApiKeyStore.ts"
import { usual } from "../../src/access/Plan.ts"
import { RateLimiter } from "../../src/access/RateLimiter.ts"
import { makeMemoryWindows } from "../../src/access/WindowStore.ts"
import { linkTo } from "../../src/node/StateLayers.ts"
import * as ApiKeyRedis from "../../src/persistence/ApiKeyRedis.ts"
import { RedisLink } from "../../src/persistence/RedisLink.ts"
import * as RedisBudgets from "../../src/persistence/RedisBudgets.ts"
import * as RedisLookups from "../../src/persistence/RedisLookups.ts"
import * as RedisReplicas from "../../src/persistence/RedisReplicas.ts"
import * as RedisWindowStore from "../../src/persistence/RedisWindowStore.ts"
import { patientLink } from "./patientLink.ts"
import * as RedisProcess from "./RedisProcess.ts"
import { capturedLog } from "../resources.ts"
import { recordOf } from "../cli/NewKey.ts"
import { rulesOf } from "../rulesOf.ts"

const free = usual("free")

/** The real link. */
const realLink = (url: string) => linkTo(Redacted.make(url))

/** One replica: its link, rate limiter and key store, and what it logs. */
const replica = Effect.fnUntraced(function* (link: Layer.Layer<RedisLink>) {
  const { layer: log, logged } = capturedLog()
  const limiterLayer = RateLimiter.layerNoDeps.pipe(Layer.provide(RedisWindowStore.layer(makeMemoryWindows())))
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

/** A Redis that runs for all tests that do not stop it. */
class RunningRedis extends Context.Service<RunningRedis, RedisProcess.RedisProcess>()("test/RunningRedis") {
  static readonly layer = Layer.effect(
    RunningRedis,
    Effect.tap(RedisProcess.make, ({ start }) => start)
  )
}

describe.skipIf(!RedisProcess.isInstalled)("over a running Redis", () => {
  layer(RunningRedis.layer, { excludeTestServices: true })((it) => {
    const rule = rulesOf(it, RunningRedis)

    rule("what was saved and lost between two polls is noticed too, and read again", function* (redis) {
      const context = yield* Layer.build(patientLink(redis.url))
      const { onChange } = yield* Effect.provideContext(RedisReplicas.make, context)
      let reads = 0
      const read = Effect.sync(() => ++reads)
      yield* onChange("source-data", read)
      yield* Effect.sleep("600 millis")
      assert.strictEqual(reads, 0)
      yield* redis.ask("HSET cda:versions source-data 1", "FLUSHALL")
      yield* Effect.repeat(Effect.sleep("20 millis"), { until: () => reads > 0 })
    })

    rule(
      "a process has the lease of no data set but those that it fetches, and another may fetch the rest",
      function* (redis) {
        const context = yield* Layer.build(patientLink(redis.url))
        const [one, two] = yield* Effect.provideContext(Effect.all([RedisReplicas.make, RedisReplicas.make]), context)
        assert.strictEqual(yield* one.leaseState("source-list"), "mine")
        assert.strictEqual(yield* two.leaseState("source-list"), "other")
        assert.strictEqual(yield* two.leaseState("source-totals"), "mine")
        assert.deepStrictEqual(yield* redis.ask("EXISTS cda:lease:source-list cda:lease:source-totals"), [":2"])
      }
    )

    rule("a window is one for all replicas, ends 60 s after its first request, and is not extended", function* (redis) {
      const numberOf = (command: string) =>
        Effect.map(redis.ask(command), (lines) => Number((lines.at(-1) ?? "").replace(":", "")))
      const [one, two] = yield* Effect.all([replica(patientLink(redis.url)), replica(patientLink(redis.url))])
      const before = yield* Clock.currentTimeMillis
      const { reset } = yield* one.consume("192.0.2.1")
      const after = yield* Clock.currentTimeMillis
      const expires = yield* numberOf("PEXPIRETIME cda:window:ip:192.0.2.1")
      assert.isAtLeast(expires, before + 60_000)
      assert.isAtMost(expires, after + 60_000)
      const ends = yield* numberOf("HGET cda:window:ip:192.0.2.1 ends")
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
      assert.strictEqual(yield* numberOf("PEXPIRETIME cda:window:ip:192.0.2.1"), expires)

      yield* redis.ask("PEXPIREAT cda:window:ip:192.0.2.1 1")
      assert.strictEqual((yield* two.consume("192.0.2.1")).remaining, 59, "a new window")
    })

    rule("a look at a window neither opens it nor counts", function* (redis) {
      const { consume, peek } = yield* replica(patientLink(redis.url))
      assert.strictEqual((yield* peek("192.0.2.2")).remaining, 60)
      assert.deepStrictEqual(yield* redis.ask("EXISTS cda:window:ip:192.0.2.2"), [":0"])
      const taken = yield* consume("192.0.2.2")
      assert.deepStrictEqual(yield* peek("192.0.2.2"), taken)
      assert.deepStrictEqual(yield* redis.ask("HGET cda:window:ip:192.0.2.2 count"), ["$1", "1"])
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

    it.effect("a look-up is claimed by one process; its result is read by all, and replaces no later claim", () =>
      Effect.gen(function* () {
        const redis = yield* RunningRedis
        const link = Context.get(yield* Layer.build(patientLink(redis.url)), RedisLink)
        const [one, two] = [RedisLookups.make(link, "one"), RedisLookups.make(link, "two")]
        const claimed = (by: typeof one, ...keys: ReadonlyArray<string>) => by("test", keys)
        const result = (key: string, text: string) => ({ key, text, left: Duration.minutes(1) })
        const first = yield* claimed(one, "a", "b")
        assert.deepStrictEqual([first.mine, first.results], [["a", "b"], []])
        const second = yield* claimed(two, "b", "c")
        assert.deepStrictEqual([second.mine, second.results], [["c"], []], "b is being looked up")

        yield* first.publish(Effect.succeed([result("a", "1")]))
        yield* first.release
        const third = yield* claimed(two, "a", "b")
        assert.deepStrictEqual([third.mine, third.results.map(({ text }) => text)], [["b"], ["1"]], "b was given up")
        assert.isAtMost(Duration.toMillis(third.results[0]?.left ?? Duration.zero), 60_000)

        yield* first.publish(Effect.succeed([result("a", "late"), result("b", "late")]))
        yield* third.publish(Effect.succeed([result("b", "2")]))
        const { results } = yield* claimed(one, "a", "b")
        assert.deepStrictEqual(
          results.map(({ text }) => text),
          ["1", "2"]
        )
        yield* redis.ask("PEXPIRE cda:answer:test:c 1000")
        yield* second.renew
        const [expires] = yield* redis.ask("PTTL cda:answer:test:c")
        assert.isAtMost(Number(expires?.slice(1)), 6000, "a claim expires by itself")
        assert.isAbove(Number(expires?.slice(1)), 3000, "unless it is renewed")
      }).pipe(Effect.scoped)
    )

    rule(
      "a call that is stamped ahead of the clock of Redis holds others back for no more than its window",
      function* (redis) {
        const link = Context.get(yield* Layer.build(patientLink(redis.url)), RedisLink)
        const { take } = RedisBudgets.make(link, "one")("SOURCE", "budget")
        yield* redis.ask(`ZADD cda:calls:budget:0:all ${(yield* Clock.currentTimeMillis) + 3_600_000} earlier`)
        const wait = (yield* take([{ key: "0:all", calls: 1, millis: 60_000 }]))?.wait ?? 0
        assert.isTrue(wait > 0 && wait <= 60_000, `${wait} ms`)
      }
    )

    rule("a flush of scripts is not noticed", function* (redis) {
      const { consume } = yield* replica(patientLink(redis.url))
      yield* consume("192.0.2.3")
      yield* redis.ask("SCRIPT FLUSH")
      assert.strictEqual((yield* consume("192.0.2.3")).remaining, 58)
    })

    rule(
      "key records of one replica are read by the others, each write under a new version, damaged ones left out",
      function* (redis) {
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

        yield* redis.ask("HSET cda:keys x damaged")
        assert.deepStrictEqual(yield* two.records, [revoked])
        assert.deepStrictEqual(two.logged(), ["an entry in Redis is not a key record and is left out"])
      }
    )
  })
})

/** A test with a Redis of its own. */
const withRedis = (
  name: string,
  test: (redis: RedisProcess.RedisProcess) => Effect.Effect<void, unknown, Scope.Scope>
) => it.live.skipIf(!RedisProcess.isInstalled)(name, () => Effect.scoped(Effect.flatMap(RedisProcess.make, test)))

/** Repeats while the link is down, as it may be for a moment on a busy machine. */
const again = Effect.retry(Schedule.spaced("50 millis"))

/** The link logs its changes in a fiber of its own. */
const untilLogged = ({ logged }: { readonly logged: () => ReadonlyArray<string> }, line: RegExp) =>
  Effect.repeat(Effect.sleep("5 millis"), { until: () => logged().some((text) => line.test(text)) })

/** Sends requests from the address until Redis has counted one. */
const untilCounted = (redis: RedisProcess.RedisProcess, request: Effect.Effect<unknown>, address: string) =>
  Effect.andThen(request, redis.ask(`EXISTS cda:window:ip:${address}`)).pipe(
    Effect.repeat({ until: ([reply]) => reply === ":1", schedule: Schedule.spaced("50 millis") })
  )

describe.concurrent("when Redis goes away", () => {
  withRedis("limits continue locally from the last count, and the restarted Redis is used again", (redis) =>
    Effect.gen(function* () {
      yield* redis.start
      const one = yield* replica(realLink(redis.url))
      yield* one.consume("192.0.2.1")
      yield* again(one.store.put(record(8)))

      yield* redis.kill
      assert.strictEqual((yield* one.consume("192.0.2.1")).remaining, 58)
      assert.strictEqual((yield* one.consume("192.0.2.1")).remaining, 57)
      assert.strictEqual((yield* Effect.flip(one.store.all))._tag, "ApiKeyStoreError")
      yield* untilLogged(one, /^Redis cannot be used \([^)]+\): limits are counted per process until it answers$/)

      yield* redis.start
      yield* one.untilUp
      // The new process has to be given the script.
      yield* untilCounted(redis, one.consume("192.0.2.9"), "192.0.2.9")
      assert.strictEqual(yield* again(one.store.version), NO_RECORDS, "the records are gone")
    })
  )

  withRedis(
    "frozen, it neither loses a count nor delays a shutdown, and is used again after the client timed out",
    (redis) =>
      Effect.gen(function* () {
        yield* redis.start
        const scope = yield* Scope.make()
        const link = realLink(redis.url)
        const [one, ending] = yield* Effect.all([replica(link), Scope.provide(replica(link), scope)])
        yield* one.consume("192.0.2.1")

        yield* redis.signal("SIGSTOP")
        const quotas = yield* Effect.forEach(Array.from({ length: 50 }), () => one.consume("192.0.2.1"), {
          concurrency: "unbounded"
        })
        assert.strictEqual(Math.min(...quotas.map(({ remaining }) => remaining)), 9)
        // Its last command is never answered.
        yield* ending.consume("192.0.2.2")
        yield* Scope.close(scope, Exit.void)

        // Longer than the client tolerates a silent connection.
        yield* Effect.sleep("3500 millis")
        yield* redis.signal("SIGCONT")
        yield* one.untilUp
        yield* untilCounted(redis, one.consume("192.0.2.8"), "192.0.2.8")
      })
  )

  withRedis("absent at the start, limits are local, and shared as soon as it is there", (redis) =>
    Effect.gen(function* () {
      const url = "redis://operator:SecretOfTheRedis@127.0.0.1:1/0"
      const [one, other] = yield* Effect.all([replica(realLink(redis.url)), replica(realLink(url))], { concurrency: 2 })
      assert.notMatch(other.logged().join(), /operator|SecretOfTheRedis/, "no credentials of REDIS_URL are logged")
      assert.match(one.logged().join(), /^Redis cannot be used \([^)]+\): starting without it$/)
      assert.strictEqual((yield* one.consume("192.0.2.1")).remaining, 59)
      assert.strictEqual((yield* one.consume("192.0.2.1")).remaining, 58)

      yield* redis.start
      yield* one.untilUp
      yield* untilCounted(redis, one.consume("192.0.2.1"), "192.0.2.1")
      yield* untilLogged(one, /^Redis answers: limits and keys are shared$/)
    })
  )
})
