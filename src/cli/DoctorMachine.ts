// Where the service keeps its state: the data folder, Redis, PostgreSQL. Can it be used?
import { NodeRedis } from "@effect/platform-node"
import { Duration, Effect, Option, Redacted } from "effect"
import { Redis } from "effect/persistence"
import { Reactivity } from "effect/reactivity"
import { constants } from "node:fs"
import { access, rm, statfs, writeFile } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { type Finding, figure, findingIn } from "./DoctorFindings.ts"
import * as SqliteClient from "../history/store/SqliteClient.ts"
import * as DataFolder from "../node/DataFolder.ts"
import * as Settings from "../node/Settings.ts"

const onFolder = findingIn("machine", "data folder")
const onRedis = findingIn("machine", "Redis")
const onHistory = findingIn("machine", "history")

/** With less free space than this, in bytes, the folder is reported. */
const LITTLE = 100 * 1024 * 1024

const codeOf = (failure: unknown): string =>
  failure instanceof Error && "code" in failure && typeof failure.code === "string" ? failure.code : "it failed"

/** The folder for keys, snapshots and the history: exists or can be made, is writable, has room. */
const dataFolder = (path: string): Effect.Effect<Finding> =>
  Effect.promise(async (): Promise<Finding> => {
    const folder = resolve(path)
    try {
      let existing = folder
      while (!(await isThere(existing)) && dirname(existing) !== existing) existing = dirname(existing)
      if (existing === folder) {
        const probe = join(folder, ".doctor")
        await writeFile(probe, "")
        await rm(probe)
      } else {
        await access(existing, constants.W_OK | constants.X_OK)
      }
      const { bavail, bsize } = await statfs(existing)
      const free = `${figure((bavail * bsize) / 1024 ** 3)} GiB free`
      if (bavail * bsize < LITTLE) {
        return onFolder("degraded", `${folder} has only ${free}: make room`)
      }
      const state = existing === folder ? "is writable" : "does not exist yet and can be made"
      return onFolder("ok", `${folder} ${state}, ${free}`)
    } catch (failure) {
      const text =
        `${folder} cannot be written (${codeOf(failure)}). The service does not start: ` +
        "make it writable for this user, or set DATA_DIR"
      return onFolder("failing", text)
    }
  })

const isThere = async (path: string): Promise<boolean> => {
  try {
    await access(path)
    return true
  } catch (failure) {
    if (codeOf(failure) === "ENOENT") return false
    throw failure
  }
}

/** Why Redis cannot be used, on one line and without its URL, which may contain a password. */
const redisReason = (failure: unknown): string => {
  if (failure instanceof AggregateError) return redisReason(failure.errors[0])
  if (!(failure instanceof Error)) return "no answer"
  if (failure.cause instanceof Error) return redisReason(failure.cause)
  return "code" in failure && typeof failure.code === "string" ? failure.code : (failure.message.split("\n")[0] ?? "")
}

/** Whether Redis connects, may be written to, and how long it takes to answer. */
const redis = (url: Redacted.Redacted): Effect.Effect<Finding> => {
  const client = NodeRedis.layer({
    url: Redacted.value(url),
    disableOfflineQueue: true,
    socket: { connectTimeout: 2_000, reconnectStrategy: false }
  })
  return Effect.gen(function* () {
    const { client: connection } = yield* NodeRedis.NodeRedis
    // A graceful close would wait for a Redis that has frozen.
    yield* Effect.addFinalizer(() => Effect.sync(() => connection.isOpen && connection.destroy()))
    const { send } = yield* Redis.Redis
    yield* send("SET", "cda:doctor", "1", "PX", "1000")
    const [took] = yield* Effect.timed(send("PING"))
    const millis = Duration.toMillis(took)
    const text = `connects, may be written to, answers in ${figure(millis)} ms`
    return millis < 50 ? onRedis("ok", text) : onRedis("degraded", `${text}: too slow, every request waits for it`)
  }).pipe(
    Effect.scoped,
    Effect.provide(client),
    Effect.timeout("4 seconds"),
    Effect.catchCause((cause) => {
      const failure = cause.reasons.find((reason) => reason._tag === "Fail")
      const reason = failure === undefined ? "REDIS_URL cannot be used" : redisReason(failure.error)
      const text =
        `cannot be used (${reason}): callers with keys are refused, limits are counted per process. ` +
        "Check REDIS_URL and the server there"
      return Effect.succeed(onRedis("failing", text))
    })
  )
}

/** Whether the database of the history connects, and may be written to. */
const postgres = (url: Redacted.Redacted): Effect.Effect<Finding> =>
  Effect.gen(function* () {
    const { make } = yield* Effect.promise(() => import("@effect/sql-pg/PgClient"))
    const sql = yield* make({ url, maxConnections: 1 })
    const [row] = yield* sql<{ isCopy: boolean }>`SELECT pg_is_in_recovery() AS "isCopy"`
    return row?.isCopy === true
      ? onHistory(
          "failing",
          "its database is a copy that cannot be written to: nothing is recorded. Check DATABASE_URL"
        )
      : onHistory("ok", "its database connects, and may be written to")
  }).pipe(
    Effect.scoped,
    Effect.provide(Reactivity.layer),
    Effect.timeout("4 seconds"),
    Effect.catchCause(() =>
      Effect.succeed(
        onHistory(
          "failing",
          "its database cannot be used: nothing is recorded, and histories answer 503. Check DATABASE_URL and the server there"
        )
      )
    )
  )

/** Damaged files of the history that were set aside. */
const damaged = (folder: string): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.map(SqliteClient.setAside(join(folder, "history.sqlite")), (files) =>
    files.map((file) =>
      onHistory(
        "degraded",
        `${file} was damaged and set aside, and a new file begun. Put back what can be read with \`history restore ${file}\`, ` +
          "then move it elsewhere. Check the disk"
      )
    )
  )

/** The findings on all of them; what is not in use is `off`. */
export const state = Effect.gen(function* () {
  const folder = yield* Settings.access.dataDir
  const redisUrl = yield* Settings.access.redisUrl
  const databaseUrl = (yield* Settings.history.isOn) ? yield* Settings.history.databaseUrl : Option.none()
  return [
    (yield* DataFolder.isUsed)
      ? yield* dataFolder(folder)
      : onFolder("off", "not in use: REDIS_URL is set, and no history is kept here"),
    Option.isSome(redisUrl) ? yield* redis(redisUrl.value) : onRedis("off", "not in use: REDIS_URL is not set"),
    ...(Option.isSome(databaseUrl) ? [yield* postgres(databaseUrl.value)] : []),
    ...(yield* damaged(folder))
  ]
})
