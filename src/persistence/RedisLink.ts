// The way to Redis, which may not be there: absent at the start, killed, or frozen later. No caller waits long for it and none
// fails because of it: while the link is down, every use fails at once with `RedisDown` and the caller does without. Each
// change of state is logged once and counted.
import { Context, Deferred, Duration, Effect, Layer, Logger, Metric, Schedule, Schema } from "effect"
import { Redis } from "effect/persistence"

/** Redis cannot be used now. */
export class RedisDown extends Schema.TaggedError<RedisDown>()("RedisDown", {}) {}

/**
 * How long a command may take before Redis counts as down: three times this. A caller waits that long once; those after it do
 * not wait. In parts, because a process that is busy itself finds its timers run out while the answer lies unread: however long
 * it was busy, that is one part.
 */
const PATIENCE = Duration.millis(25)

/** How often a Redis that is down is tried again. */
const PROBE_EVERY = Duration.millis(250)

/** How long a start waits for Redis before it goes on without. */
const START_PATIENCE = Duration.seconds(1)

const changes = Metric.counter("cda_redis_changes_total", {
  description: "Times Redis went out of use (state=down) or into it (state=up)",
  incremental: true
})

type Command<A> = (redis: Redis.Redis["Service"]) => Effect.Effect<A, Redis.RedisError>

/** The link. */
export class RedisLink extends Context.Service<
  RedisLink,
  {
    /** Uses Redis, or fails at once or within 75 ms. */
    readonly use: <A>(command: Command<A>) => Effect.Effect<A, RedisDown>
    /** Whether it is in use at this moment. */
    readonly isUp: Effect.Effect<boolean>
  }
>()("crypto-data-api/persistence/RedisLink") {
  /**
   * Links over `redis`, a layer that goes on connecting by itself until it succeeds, and again whenever it loses its
   * connection. What it logs meanwhile is not passed on, but said as the reason when the link changes.
   */
  static readonly layer = <E>(redis: Layer.Layer<Redis.Redis, E>): Layer.Layer<RedisLink> =>
    Layer.effect(
      RedisLink,
      Effect.gen(function* () {
        const connected = yield* Deferred.make<Redis.Redis["Service"]>()
        const settled = yield* Deferred.make<void>()
        let service: Redis.Redis["Service"] | undefined
        let isUp = false
        let lost = yield* Deferred.make<void>()
        let reason = "no answer"

        const listen = Logger.make<unknown, void>(({ message }) => {
          const failure = Array.isArray(message) ? message.find((part) => part instanceof Error) : undefined
          if (failure !== undefined) reason = describe(failure)
        })

        const connect = Layer.build(Layer.fresh(redis)).pipe(
          Effect.provide(Logger.layer([listen])),
          Effect.flatMap((context) => Deferred.succeed(connected, Context.get(context, Redis.Redis))),
          Effect.catchCause(() => Effect.sync(() => (reason = "REDIS_URL cannot be used")))
        )

        const report = (state: "up" | "down", text: string) =>
          Effect.andThen(
            Metric.update(Metric.withAttributes(changes, { state }), 1),
            state === "up" ? Effect.logInfo(text) : Effect.logWarning(text)
          )

        const goDown = Effect.suspend(() => {
          isUp = false
          return Deferred.succeed(lost, undefined)
        })

        const timeIsUp = Effect.sleep(PATIENCE).pipe(
          Effect.andThen(Effect.yieldNow),
          Effect.repeat({ times: 2 }),
          Effect.andThen(Effect.fail(new Error("no answer in time")))
        )

        const attempt = <A>(command: Command<A>) =>
          Effect.suspend(() =>
            service === undefined ? Effect.fail(new Error(reason)) : Effect.raceFirst(command(service), timeIsUp)
          ).pipe(
            Effect.mapError((failure) => {
              reason = describe(failure)
              return new RedisDown()
            })
          )

        // Written, not only asked: a Redis that is full, or a replica of another, answers and is of no use.
        const probe = Effect.isSuccess(attempt((redis) => redis.send("SET", "cda:probe", "1", "PX", "1000")))

        const stayLinked = Effect.gen(function* () {
          service = yield* Deferred.await(connected)
          yield* Effect.repeat(probe, {
            until: (answers) => answers,
            schedule: Schedule.spaced(PROBE_EVERY)
          })
          lost = yield* Deferred.make<void>()
          isUp = true
          yield* report("up", "Redis answers: limits and keys are shared")
          yield* Deferred.succeed(settled, undefined)
          yield* Deferred.await(lost)
          yield* report("down", `Redis cannot be used (${reason}): limits and keys are local until it can`)
        })

        yield* Effect.forkScoped(connect)
        yield* Effect.forkScoped(Effect.forever(stayLinked))
        yield* Effect.timeoutOrElse(Deferred.await(settled), {
          duration: START_PATIENCE,
          orElse: () => report("down", `Redis cannot be used (${reason}): starting without it`)
        })

        return RedisLink.of({
          use: (command) =>
            Effect.suspend(() =>
              isUp ? Effect.tapError(attempt(command), () => goDown) : Effect.fail(new RedisDown())
            ),
          isUp: Effect.sync(() => isUp)
        })
      })
    )
}

/** What went wrong, on one line. Addresses of the kind `localhost` fail with several errors and no message of their own. */
const describe = (failure: Error): string => {
  if (failure instanceof Redis.RedisError && failure.cause instanceof Error) return describe(failure.cause)
  if (failure instanceof AggregateError && failure.errors[0] instanceof Error) return describe(failure.errors[0])
  return failure.message.split("\n")[0] ?? failure.name
}
