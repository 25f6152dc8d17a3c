// Windows and keys in a real Redis: a process of the test's own that is absent, killed, frozen and started again. The
// timing of the link is tested in RedisLink.test.ts.
import { assert, describe, it, layer } from "@effect/vitest"
import { Clock, Context, Duration, Effect, Exit, Layer, Option, Redacted, Schedule, Scope } from "effect"
import * as ApiKey from "../../src/access/ApiKey.ts"
import { ApiKeyStore, NO_RECORDS } from "../../src/access/ApiKeyStore.ts"
import { usual } from "../../src/access/Plan.ts"
import { RateLimiter } from "../../src/access/RateLimiter.ts"
import { makeMemoryWindows } from "../../src/access/WindowStore.ts"
import { linkTo } from "../../src/node/StateLayers.ts"
import * as ApiKeyRedis from "../../src/persistence/ApiKeyRedis.ts"
import { RedisLink } from "../../src/persistence/RedisLink.ts"
import * as RedisBudgets from "../../src/persistence/RedisBudgets.ts"
import * as RedisReplicas from "../../src/persistence/RedisReplicas.ts"
import * as RedisWindowStore from "../../src/persistence/RedisWindowStore.ts"
import { patientLink } from "./patientLink.ts"
import { TOO_LARGE } from "../../src/sources/dataset/Replicas.ts"
import { sharedEntries } from "../sources/dataset/sharedEntries.ts"
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

    rule("a turn is one process's at a time; all read its text; it replaces none of a later turn", function* (redis) {
      // The entries in memory, which other tests stand on, go through the same steps.
      const context = yield* Layer.build(patientLink(redis.url))
      const inRedis = Effect.provideContext(RedisReplicas.make, context)
      const inMemory = sharedEntries()
      const memory = Effect.sync(inMemory.replica)
      const fleets = [
        { make: inRedis, lapse: redis.ask("HSET cda:{all}:entry:a until 1", "HSET cda:{all}:entry:b until 1") },
        { make: memory, lapse: Effect.sync(inMemory.holdersDie) }
      ]
      const [said, expected] = yield* Effect.forEach(fleets, ({ lapse, make }) =>
        Effect.gen(function* () {
          const [one, two] = [yield* make, yield* make]
          const versions = new Map<string, string>()
          const seen: Array<string> = []
          const look = (who: typeof one, key: string, wants = true, version = "") =>
            Effect.map(who.look([{ key, version, wants, most: 1000 }]), ([found]) => {
              seen.push(
                `${found?.text ?? "-"} ${found?.turn} ${Duration.toMillis(found?.dueIn ?? 0) > 500 ? "later" : "due"}`
              )
              return found?.version ?? ""
            })
          const settle = (who: typeof one, key: string, text?: string, dueIn?: Duration.Input) =>
            Effect.map(
              who.settle([
                {
                  key,
                  text,
                  keptFor: Duration.minutes(1),
                  ...(dueIn !== undefined && { dueIn: Duration.fromInputUnsafe(dueIn) })
                }
              ]),
              ([version]) => {
                seen.push(version === "" ? "nothing written" : "written")
                return version ?? ""
              }
            )
          yield* look(two, "a", false)
          yield* look(one, "a")
          yield* look(two, "a")
          yield* look(one, "a")
          yield* settle(two, "a", "forged", "1 minute")
          yield* settle(two, "a", "forged")
          versions.set("a", yield* settle(one, "a", "1", "1 minute"))
          yield* look(two, "a")
          yield* look(two, "a", true, versions.get("a"))
          yield* look(one, "a", true, versions.get("a"))
          // A text outside of a turn; the last turn is still the first's.
          yield* settle(two, "a", "2")
          yield* look(one, "a", true, versions.get("a"))
          // A failure, and a turn that is passed on at once.
          yield* look(one, "b")
          yield* settle(one, "b", undefined, "1 minute")
          yield* look(two, "b")
          yield* settle(two, "b", undefined, 0)
          yield* look(two, "b")
          // A holder that died, and wakes up.
          yield* lapse
          yield* look(one, "b")
          yield* settle(one, "b", "3", 0)
          yield* settle(two, "b", "late", "1 minute")
          yield* look(two, "b")
          return seen
        })
      )
      assert.deepStrictEqual(said, expected)
      assert.deepStrictEqual(said?.slice(0, 6), [
        "- other due",
        "- mine due",
        "- other due",
        "- mine due",
        "nothing written",
        "nothing written"
      ])
      assert.include(yield* redis.ask("HGET cda:{all}:entry:b text"), "3")
      // A claim alone expires; so does all else.
      const [one] = [yield* inRedis]
      yield* one.look([{ key: "c", version: "", wants: true, most: 1000 }])
      for (const [key, most] of [
        ["a", 60_000],
        ["b", 60_000],
        ["c", 6000]
      ] as const) {
        const expires = Number((yield* redis.ask(`PTTL cda:{all}:entry:${key}`))[0]?.slice(1))
        assert.isTrue(expires > most / 2 && expires <= most, `${key}: ${expires} ms`)
      }
    })

    rule("what a clock that was ahead wrote keeps nobody from a turn", function* (redis) {
      const context = yield* Layer.build(patientLink(redis.url))
      const one = yield* Effect.provideContext(RedisReplicas.make, context)
      const ahead = (yield* Clock.currentTimeMillis) + 3_600_000
      yield* redis.ask(
        `HSET cda:{all}:entry:d text x version 1 at ${ahead} due ${ahead + 60_000} by other until 0`,
        `HSET cda:{all}:entry:e by other until ${ahead}`
      )
      const seen = yield* one.look(["d", "e"].map((key) => ({ key, version: "", wants: true, most: 1000 })))
      assert.deepStrictEqual(
        seen.map(({ text, turn }) => [text, turn]),
        [
          ["x", "mine"],
          [undefined, "mine"]
        ]
      )
    })

    rule("a text with more bytes than its reader takes is not sent, and such a record is no key", function* (redis) {
      const context = yield* Layer.build(patientLink(redis.url))
      const one = yield* Effect.provideContext(RedisReplicas.make, context)
      const hash = "a".repeat(64)
      yield* redis.ask(
        `HSET cda:{all}:entry:large text ${"x".repeat(101)} version 1`,
        `HSET cda:{all}:entry:fitting text ${"x".repeat(100)} version 1`,
        `HSET cda:{all}:keys ${hash} {${" ".repeat(20_000)}`
      )
      const asked = ["large", "fitting"].map((key) => ({ key, version: "", wants: true, most: 100 }))
      assert.deepStrictEqual(
        (yield* one.look(asked)).map(({ text }) => text),
        [TOO_LARGE, "x".repeat(100)]
      )
      const store = yield* Effect.provide(ApiKeyStore, Layer.provide(ApiKeyRedis.layer, Layer.succeedContext(context)))
      assert.deepStrictEqual(yield* store.all, [])
      assert.isTrue(Option.isNone(yield* store.find(hash)))
      yield* redis.ask(`HDEL cda:{all}:keys ${hash}`)
    })

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
  Effect.andThen(request, redis.ask(`EXISTS cda:{all}:window:ip:${address}`)).pipe(
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
      yield* untilLogged(one, /^Redis cannot be used \([^)]+\): until it answers, /)

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
      assert.match(one.logged().join(), /^Redis cannot be used \([^)]+\): until it answers, /)
      assert.strictEqual((yield* one.consume("192.0.2.1")).remaining, 59)
      assert.strictEqual((yield* one.consume("192.0.2.1")).remaining, 58)

      yield* redis.start
      yield* one.untilUp
      yield* untilCounted(redis, one.consume("192.0.2.1"), "192.0.2.1")
      yield* untilLogged(one, /^Redis answers: limits and keys are shared$/)
    })
  )
})
