// The link to Redis over a scripted client and the TestClock: who waits for how long, what is logged and counted.
import { assert, describe } from "@effect/vitest"
import { Clock, Context, Duration, Effect, Fiber, Layer, Metric, References } from "effect"
import { Redis } from "effect/persistence"
import { TestClock } from "effect/testing"
import { RedisLink, RedisTimeout } from "../../src/persistence/RedisLink.ts"
import { capturedLog } from "../resources.ts"
import { rule } from "../rulesOf.ts"

type State = "answering" | "frozen" | "refusing connections" | "read-only"

/** A Redis that can be switched between states, and how many commands reached it. */
const scripted = (initial: State) => {
  const redis = { state: initial, commands: 0 }
  const answer = <A>(value: A): Effect.Effect<A, Redis.RedisError> =>
    Effect.suspend(() => {
      redis.commands++
      if (redis.state === "answering") return Effect.succeed(value)
      if (redis.state === "frozen") return Effect.never
      // A host name with several addresses fails so.
      const unreachable = new AggregateError([new Error("connect ECONNREFUSED"), new Error("connect ETIMEDOUT")])
      const cause = redis.state === "read-only" ? new Error("READONLY You can't write") : unreachable
      return Effect.fail(new Redis.RedisError({ cause }))
    })
  const unused = Effect.die(new Error("not used by the link"))
  const service = Redis.Redis.of({
    // Each test knows the type of the reply that it asks for.
    send: <A>() => answer("OK" as A),
    eval:
      <Config extends { readonly result: unknown }>() =>
      () =>
        answer([] as Config["result"]),
    subscribe: () => unused,
    reserve: unused
  })
  return Object.assign(redis, { layer: Layer.succeed(Redis.Redis, service) })
}

/** The link over a client, what it logs, and how often it went up and down. */
const linkOver = Effect.fnUntraced(function* (redis: Layer.Layer<Redis.Redis>) {
  const { layer: log, lines: logged } = capturedLog()
  const context = yield* Layer.build(
    RedisLink.layer(redis).pipe(
      Layer.provide(log),
      Layer.provide(Layer.succeed(References.MinimumLogLevel, "All")),
      Layer.provideMerge(Layer.succeed(Metric.MetricRegistry, new Map())),
      Layer.fresh
    )
  )
  const { isUp, send } = Context.get(context, RedisLink)
  const changes = Effect.map(Effect.provideContext(Metric.snapshot, context), (metrics) =>
    Object.fromEntries(
      metrics.flatMap((metric) =>
        metric.id === "cda_redis_changes_total" && metric.type === "Counter"
          ? [[String(metric.attributes?.["state"]), Number(metric.state.count)]]
          : []
      )
    )
  )
  const get = send<string>("GET", "key")
  return { changes, context, get, isUp, logged }
})

const UP = "Info Redis answers: limits and keys are shared"

const down = (reason: string) =>
  `Warn Redis cannot be used (${reason}): until it answers, this process counts limits alone and shares nothing. ` +
  "Check REDIS_URL and the server there"

describe("the link to Redis", () => {
  rule("lets 50 concurrent callers of a frozen Redis wait once for 75 ms, and later ones not at all", function* () {
    const redis = scripted("answering")
    const { changes, get, isUp, logged } = yield* linkOver(redis.layer)
    assert.strictEqual(yield* get, "OK")

    redis.state = "frozen"
    const start = yield* Clock.currentTimeMillis
    const waited = Effect.andThen(
      Effect.exit(get),
      Effect.map(Clock.currentTimeMillis, (now) => now - start)
    )
    const callers = yield* Effect.forEach(Array.from({ length: 50 }), () =>
      Effect.forkChild(waited, { startImmediately: true })
    )
    yield* TestClock.adjust(200)
    assert.deepStrictEqual(new Set(yield* Effect.forEach(callers, Fiber.join)), new Set([75]))

    const sent = redis.commands
    assert.strictEqual((yield* Effect.flip(get))._tag, "RedisError")
    assert.strictEqual(redis.commands, sent, "the command was not sent")

    redis.state = "answering"
    yield* TestClock.adjust(500)
    assert.isTrue(yield* isUp)
    assert.strictEqual(yield* get, "OK")
    assert.deepStrictEqual(logged, [UP, down("no answer in time"), UP])
    assert.deepStrictEqual(yield* changes, { up: 2, down: 1 })
  })

  rule("waits as long as REDIS_TIMEOUT says, where that is set", function* () {
    const redis = scripted("answering")
    const { get } = yield* Effect.provideService(linkOver(redis.layer), RedisTimeout, Duration.millis(300))
    redis.state = "frozen"
    const waiting = yield* Effect.forkChild(Effect.exit(get), { startImmediately: true })
    yield* TestClock.adjust(299)
    assert.isUndefined(waiting.pollUnsafe())
    yield* TestClock.adjust(1)
    assert.isDefined(waiting.pollUnsafe())
  })

  rule("goes down with the first failed command and logs the reason once, however long it stays down", function* () {
    const redis = scripted("answering")
    const { changes, get, isUp, logged } = yield* linkOver(redis.layer)
    redis.state = "refusing connections"
    yield* Effect.flip(get)
    yield* TestClock.adjust("10 minutes")
    assert.isFalse(yield* isUp)
    assert.deepStrictEqual(logged, [UP, down("connect ECONNREFUSED")])
    assert.deepStrictEqual(yield* changes, { up: 1, down: 1 })
  })

  rule("that fails again and again is probed ever less often, so that the log stays short", function* () {
    const redis = scripted("answering")
    const { get, isUp, logged } = yield* linkOver(redis.layer)
    for (let n = 0; n < 240; n++) {
      // Full: the probe passes, and the next command does not.
      redis.state = "refusing connections"
      yield* Effect.exit(get)
      redis.state = "answering"
      yield* TestClock.adjust(250)
    }
    assert.isBelow(logged.length, 30)
    yield* TestClock.adjust("20 seconds")
    assert.isTrue(yield* isUp)
  })

  rule("stays down while Redis cannot be written to", function* () {
    const redis = scripted("read-only")
    const building = yield* Effect.forkChild(linkOver(redis.layer), { startImmediately: true })
    yield* TestClock.adjust("1 minute")
    const { isUp, logged } = yield* Fiber.join(building)
    assert.isFalse(yield* isUp)
    assert.deepStrictEqual(logged, [down("it is a copy that cannot be written to")])
    redis.state = "answering"
    yield* TestClock.adjust(250)
    assert.isTrue(yield* isUp)
  })

  rule("delays the start by one second at most when Redis is absent", function* () {
    const building = yield* Effect.forkChild(linkOver(Layer.effect(Redis.Redis, Effect.never)), {
      startImmediately: true
    })
    yield* TestClock.adjust(999)
    assert.isUndefined(building.pollUnsafe())
    yield* TestClock.adjust(1)
    const { get, logged } = yield* Fiber.join(building)
    assert.deepStrictEqual(logged, [down("no answer")])
    assert.strictEqual((yield* Effect.flip(get))._tag, "RedisError")
  })
})
