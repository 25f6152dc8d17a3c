// A connection to a Redis that may be absent at the start and may be killed or frozen later. The link is up or down.
// While it is up, a command takes at most `REDIS_TIMEOUT`; the first one that fails takes the link down. While it is
// down, commands fail at once and callers use their local fallback. A probe brings the link up again. A connection that
// answers no probe for 5 s is replaced, because writes to a dead connection keep it from timing out by itself. Each
// change is logged once and counted.
import { Clock, Context, Deferred, Duration, Effect, Layer, Logger, Metric, Option, Schedule, Scope } from "effect"
import { Redis } from "effect/persistence"
import { loop } from "../domain/loop.ts"
import { connectionFailure } from "../domain/connectionFailure.ts"
import { inBackground } from "../domain/inBackground.ts"
import { redisTrial } from "./redisTrial.ts"

/** The time for one command: the setting `REDIS_TIMEOUT`. */
export const RedisTimeout = Context.Reference<Duration.Duration>("crypto-data-api/persistence/RedisLink/RedisTimeout", {
  defaultValue: () => Duration.millis(75)
})

/** The pause between two probes while the link is down. */
const PROBE_EVERY = Duration.millis(250)

/** A connection that answers no probe for this long is closed. */
const SILENT = Duration.seconds(5)

/**
 * If the link goes down within this time (ms) of coming up, the pause before the next probe doubles, up to this time. A
 * full Redis passes the probe but refuses larger writes.
 */
const UNSTEADY = Duration.toMillis("10 seconds")

/** How long the layer waits for Redis before it starts without it. */
const START_TIMEOUT = Duration.seconds(1)

const changes = Metric.counter("cda_redis_changes_total", {
  description: "Changes of the link to Redis, by the state it changed to (up, down)",
  incremental: true
})

type Command<A> = (redis: Redis.Redis["Service"]) => Effect.Effect<A, Redis.RedisError>

const failed = (message: string) => Effect.fail(new Redis.RedisError({ cause: new Error(message) }))

/** Runs Redis commands and scripts. They fail at once while the link is down, else within {@link RedisTimeout}. */
export class RedisLink extends Context.Service<
  RedisLink,
  Pick<Redis.Redis["Service"], "eval" | "send"> & { readonly isUp: Effect.Effect<boolean> }
>()("crypto-data-api/persistence/RedisLink") {
  /**
   * A link over `redis`, a layer that keeps connecting until it succeeds and reconnects when its connection breaks. The
   * layer is built again after 5 s without an answer. Its log lines are suppressed; the last error in them is the
   * reason that is logged when the link goes down.
   */
  static readonly layer = <E>(redis: Layer.Layer<Redis.Redis, E>): Layer.Layer<RedisLink> =>
    Layer.effect(
      RedisLink,
      Effect.gen(function* () {
        const settled = yield* Deferred.make<void>()
        for (const state of ["up", "down"]) yield* Metric.update(Metric.withAttributes(changes, { state }), 0)
        // Set while the link is up.
        let up: Redis.Redis["Service"] | undefined
        let lost = yield* Deferred.make<void>()
        let reason = "no answer"
        let pause = 0

        const keepReason = Logger.make<unknown, void>(({ message }) => {
          const failure = Array.isArray(message) ? message.find((part) => part instanceof Error) : undefined
          if (failure !== undefined) reason = connectionFailure(failure)
        })

        const report = (state: "up" | "down", text: string) =>
          Effect.andThen(
            Metric.update(Metric.withAttributes(changes, { state }), 1),
            state === "up" ? Effect.logInfo(text) : Effect.logWarning(text)
          )

        const reportDown = Effect.suspend(() =>
          report(
            "down",
            `Redis cannot be used (${reason}): until it answers, this process counts limits alone and shares nothing. ` +
              "Check REDIS_URL and the server there"
          )
        )

        const goDown = Effect.suspend(() => {
          up = undefined
          return Deferred.succeed(lost, undefined)
        })

        // Three timers in a row. When the event loop stalls, a timer expires although the reply is already in the
        // socket; a stall costs only one of the three.
        const part = Duration.divideUnsafe(yield* RedisTimeout, 3)
        const timeout = Effect.sleep(part).pipe(
          Effect.andThen(Effect.yieldNow),
          Effect.repeat({ times: 2 }),
          Effect.andThen(failed("no answer in time"))
        )

        const attempt = <A>(command: Effect.Effect<A, Redis.RedisError>) =>
          Effect.tapError(Effect.raceFirst(command, timeout), (failure) =>
            Effect.sync(() => (reason = connectionFailure(failure)))
          )

        /** Runs from the first answered probe to the next outage. Returns `false` if no probe was answered within 5 s. */
        const superviseOnce = Effect.fnUntraced(function* (service: Redis.Redis["Service"]) {
          yield* Effect.sleep(pause)
          // A Redis that is full, a read-only replica, or one whose ACL refuses a command answers some commands but cannot be used.
          const probe = Effect.isSuccess(attempt(service.eval(redisTrial)()))
          const answered = yield* Effect.repeat(probe, {
            until: (answers) => answers,
            schedule: Schedule.spaced(PROBE_EVERY)
          }).pipe(Effect.timeoutOption(SILENT))
          if (Option.isNone(answered)) return false
          lost = yield* Deferred.make<void>()
          up = service
          const since = yield* Clock.currentTimeMillis
          yield* report("up", "Redis answers: limits and keys are shared")
          yield* Deferred.succeed(settled, undefined)
          yield* Deferred.await(lost)
          yield* reportDown
          const isSteady = (yield* Clock.currentTimeMillis) - since >= UNSTEADY
          pause = isSteady ? 0 : Math.min(UNSTEADY, Math.max(Duration.toMillis(PROBE_EVERY), 2 * pause))
          return true
        })

        /**
         * Uses one client until it stops answering. Closing it may take forever if the network drops its packets, so
         * nothing waits for that.
         */
        const useClient = Effect.acquireUseRelease(
          Scope.make(),
          (scope) =>
            Layer.buildWithScope(Layer.fresh(redis), scope).pipe(
              Effect.provide(Logger.layer([keepReason])),
              Effect.tapError(() => Effect.sync(() => (reason = "REDIS_URL cannot be used"))),
              inBackground,
              Effect.map((context) => superviseOnce(Context.get(context, Redis.Redis))),
              Effect.flatMap(Effect.repeat({ while: (answered: boolean) => answered }))
            ),
          (scope, exit) => Effect.forkDetach(Scope.close(scope, exit), { startImmediately: true })
        )
        yield* Effect.forkScoped(loop("Redis", PROBE_EVERY, Effect.ignoreCause(useClient)))
        yield* Effect.timeoutOrElse(Deferred.await(settled), {
          duration: START_TIMEOUT,
          orElse: () => reportDown
        })

        const use = <A>(command: Command<A>) =>
          Effect.suspend(() =>
            up === undefined ? failed(reason) : Effect.tapError(attempt(command(up)), () => goDown)
          )

        return RedisLink.of({
          send: (command, ...args) => use((redis) => redis.send(command, ...args)),
          eval:
            (script) =>
            (...params) =>
              use((redis) => redis.eval(script)(...params)),
          isUp: Effect.sync(() => up !== undefined)
        })
      })
    )
}
