// The way to Redis, which may not be there: absent at the start, killed, or frozen later. No caller waits long for it and none
// fails because of it: while the link is down, every use fails at once with `RedisDown` and the caller does without. Each
// change of state is logged once and counted.
import { Context, Deferred, Duration, Effect, Layer, Metric, References, Schema } from "effect"
import { Redis } from "effect/persistence"

/** Redis cannot be used now. */
export class RedisDown extends Schema.TaggedError<RedisDown>()("RedisDown", {}) {}

/** How long a command may take before Redis counts as down. A caller waits this long once; those after it do not wait. */
const PATIENCE = Duration.millis(75)

/** How often a Redis that is down is tried again. */
const PROBE_EVERY = Duration.millis(500)

const changes = Metric.counter("cda_redis_changes_total", {
  description: "Times Redis went out of use (state=down) or into it (state=up)",
  incremental: true
})

/** The link. */
export class RedisLink extends Context.Service<
  RedisLink,
  {
    /** Uses Redis, or fails at once or within 75 ms. */
    readonly use: <A>(
      command: (redis: Redis.Redis["Service"]) => Effect.Effect<A, Redis.RedisError>
    ) => Effect.Effect<A, RedisDown>
    /** Whether it is in use at this moment. */
    readonly isUp: Effect.Effect<boolean>
  }
>()("crypto-data-api/access/RedisLink") {
  /** Connects in the background over `redis`, a layer that may fail to build; what it logs by itself is dropped. */
  static readonly layer = <E>(redis: Layer.Layer<Redis.Redis, E>): Layer.Layer<RedisLink> =>
    Layer.effect(
      RedisLink,
      Effect.gen(function* () {
        let connected: Redis.Redis["Service"] | undefined
        let isUp = false
        let lost = yield* Deferred.make<void>()

        const report = (state: "up" | "down", text: string) =>
          Effect.andThen(
            Metric.update(Metric.withAttributes(changes, { state }), 1),
            state === "up" ? Effect.logInfo(text) : Effect.logWarning(text)
          )

        const goDown = Effect.suspend(() => {
          if (!isUp) return Effect.void
          isUp = false
          return Effect.andThen(
            report("down", "Redis does not answer: limits and keys are local until it does"),
            Deferred.succeed(lost, undefined)
          )
        })

        const attempt = <A>(
          service: Redis.Redis["Service"],
          command: (redis: Redis.Redis["Service"]) => Effect.Effect<A, Redis.RedisError>
        ) =>
          command(service).pipe(
            Effect.timeout(PATIENCE),
            Effect.mapError(() => new RedisDown())
          )

        const connect = Layer.build(Layer.fresh(redis)).pipe(
          Effect.timeout("5 seconds"),
          Effect.map((context) => Context.get(context, Redis.Redis)),
          Effect.provideService(References.MinimumLogLevel, "None")
        )

        const probe = Effect.suspend(() => (connected === undefined ? connect : Effect.succeed(connected))).pipe(
          Effect.tap((service) => Effect.sync(() => (connected = service))),
          Effect.flatMap((service) => attempt(service, (redis) => redis.send("PING")))
        )

        const untilUp = probe.pipe(
          Effect.catchCause(() => Effect.delay(Effect.fail("down" as const), PROBE_EVERY)),
          Effect.eventually
        )

        let first = true
        const stayLinked = Effect.gen(function* () {
          const isAbsent = first && !(yield* Effect.isSuccess(probe))
          if (isAbsent) yield* report("down", "Redis does not answer: starting without it")
          first = false
          yield* untilUp
          lost = yield* Deferred.make<void>()
          isUp = true
          yield* report("up", "Redis answers: limits and keys are shared")
          yield* Deferred.await(lost)
        })
        yield* Effect.forkScoped(Effect.forever(stayLinked), { startImmediately: true })

        return RedisLink.of({
          use: (command) =>
            Effect.suspend(() =>
              isUp && connected !== undefined
                ? Effect.tapError(attempt(connected, command), () => goDown)
                : Effect.fail(new RedisDown())
            ),
          isUp: Effect.sync(() => isUp)
        })
      })
    )
}
