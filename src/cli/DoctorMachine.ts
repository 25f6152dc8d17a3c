// Where the service keeps its state: the data folder, and by `DoctorDatabases.ts` Redis and PostgreSQL. Can it be used?
import { Effect, Option } from "effect"
import { constants } from "node:fs"
import { access, rm, statfs, writeFile } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { onHistory, onRedis, postgres, redis } from "./DoctorDatabases.ts"
import { type Finding, figure, findingIn } from "./DoctorFindings.ts"
import { failureCode } from "../domain/connectionFailure.ts"
import * as SqliteClient from "../history/store/SqliteClient.ts"
import * as DataFolder from "../node/DataFolder.ts"
import * as Settings from "../node/Settings.ts"

const onFolder = findingIn("machine", "data folder")

/** With less free space than this, in bytes, the folder is reported. */
const LITTLE = 100 * 1024 * 1024

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
      const { bavail, bsize, type } = await statfs(existing)
      const share = DataFolder.shareFault(folder, type)
      if (share !== undefined) return onFolder("degraded", share)
      const free = `${figure((bavail * bsize) / 1024 ** 3)} GiB free`
      if (bavail * bsize < LITTLE) {
        return onFolder("degraded", `${folder} has only ${free}. Free some space`)
      }
      const state = existing === folder ? "is writable" : "does not exist yet and can be created"
      return onFolder("ok", `${folder} ${state}, ${free}`)
    } catch (failure) {
      const text =
        `${folder} is not writable (${failureCode(failure) ?? "it failed"}). The service does not start. ` +
        "Make it writable for this user, or set DATA_DIR"
      return onFolder("failing", text)
    }
  })

/** Files of another user in it. */
const foreign = (folder: string) =>
  Effect.map(DataFolder.foreignFiles(resolve(folder)), (sentences) =>
    sentences.map((sentence) => onFolder("failing", sentence))
  )

const isThere = async (path: string): Promise<boolean> => {
  try {
    await access(path)
    return true
  } catch (failure) {
    if (failureCode(failure) === "ENOENT") return false
    throw failure
  }
}

/** Damaged files of the history that were set aside. */
const damaged = (folder: string): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.map(SqliteClient.setAside(join(folder, "history.sqlite")), (files) =>
    files.map((file) =>
      onHistory(
        "degraded",
        `${file} is damaged. A new file was started. Recover the readable data with \`history restore ${file}\`, ` +
          "then move the damaged file elsewhere. Check the disk"
      )
    )
  )

/** The findings on all of them; what is not in use is `off`. */
export const state = Effect.gen(function* () {
  const folder = yield* Settings.access.dataDir
  const redisUrl = yield* Settings.access.redisUrl
  const databaseUrl = yield* Settings.history.databaseUrl
  return [
    (yield* DataFolder.isUsed)
      ? yield* dataFolder(folder)
      : onFolder("off", "not used: REDIS_URL is set, and the history is not stored here"),
    Option.isSome(redisUrl) ? yield* redis(redisUrl.value) : onRedis("off", "not used: REDIS_URL is not set"),
    !(yield* Settings.history.isOn)
      ? onHistory("off", "not recorded: HISTORY is off")
      : Option.isSome(databaseUrl)
        ? yield* postgres(databaseUrl.value)
        : onHistory("off", "not in PostgreSQL: DATABASE_URL is not set. It is a file, which `history backup` copies"),
    ...(yield* damaged(folder)),
    ...((yield* DataFolder.isUsed) ? yield* foreign(folder) : [])
  ]
})
