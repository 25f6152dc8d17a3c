// Tries in Redis and in the PostgreSQL of the history the kinds of scripts and statements that the service uses. Leaves nothing behind.
import { Cause, Duration, Effect, Layer, Logger, type Redacted } from "effect"
import { Redis } from "effect/persistence"
import { Reactivity } from "effect/reactivity"
import { connectionFailure } from "../domain/connectionFailure.ts"
import { optionsOf } from "../history/store/PostgresOptions.ts"
import * as RedisClient from "../node/RedisClient.ts"
import { redisTrial } from "../persistence/redisTrial.ts"
import { type Finding, figure, findingIn } from "./DoctorFindings.ts"

export const onRedis = findingIn("machine", "Redis")
export const onHistory = findingIn("machine", "history")

/** Why an effect failed, for people. A defect of a driver counts as a failure. */
const reasonOf = (cause: Cause.Cause<unknown>): string => {
  const failure = Cause.squash(cause)
  return Cause.isTimeoutError(failure) ? "no answer in time" : connectionFailure(failure)
}

/** Whether Redis connects, runs the service's scripts, and how long it takes to answer. */
export const redis = (url: Redacted.Redacted): Effect.Effect<Finding> =>
  Effect.gen(function* () {
    const service = yield* Redis.Redis
    yield* service.eval(redisTrial)()
    const [took] = yield* Effect.timed(service.send("PING"))
    const millis = Duration.toMillis(took)
    const text = `connects, may be written to, answers in ${figure(millis)} ms`
    return millis < 50 ? onRedis("ok", text) : onRedis("degraded", `${text}: too slow, every request waits for it`)
  }).pipe(
    // The client logs what fails with a stack trace, and possibly with what it sent.
    Effect.provide(Layer.provideMerge(RedisClient.layerOnce(url), Logger.layer([]))),
    Effect.timeout("4 seconds"),
    Effect.catchCause((cause) => {
      const text =
        `cannot be used (${reasonOf(cause)}): callers with keys are refused, limits are counted per process. ` +
        "Check REDIS_URL and the server there"
      return Effect.succeed(onRedis("failing", text))
    })
  )

/** Whether the database of the history connects, and the service may make its tables or write to them. */
export const postgres = (url: Redacted.Redacted): Effect.Effect<Finding> =>
  Effect.gen(function* () {
    const { make } = yield* Effect.promise(() => import("@effect/sql-pg/PgClient"))
    const sql = yield* make(optionsOf(url, 1))
    const [row] = yield* sql<{ isCopy: boolean; hasTables: boolean }>`
      SELECT pg_is_in_recovery() AS "isCopy", to_regclass('history_progress') IS NOT NULL AS "hasTables"`
    if (row?.isCopy === true) {
      const text = "its database is a copy that cannot be written to: nothing is recorded. Check DATABASE_URL"
      return onHistory("failing", text)
    }
    const written =
      row?.hasTables === true
        ? [
            sql`INSERT INTO history_progress (name, until) VALUES ('doctor', 0) ON CONFLICT (name) DO NOTHING`,
            sql`DELETE FROM history_progress WHERE name = 'doctor'`
          ]
        : [
            sql`CREATE TABLE history_doctor (n INTEGER)`,
            sql`INSERT INTO history_doctor VALUES (1)`,
            sql`DROP TABLE history_doctor`
          ]
    yield* sql.withTransaction(Effect.all(written))
    return onHistory("ok", "its database connects, and may be written to")
  }).pipe(
    Effect.scoped,
    Effect.provide(Reactivity.layer),
    Effect.timeout("6 seconds"),
    Effect.catchCause((cause) => {
      const text =
        `its database cannot be used (${reasonOf(cause)}): nothing is recorded, and histories answer 503. ` +
        "Check DATABASE_URL and the server there"
      return Effect.succeed(onHistory("failing", text))
    })
  )
