// What a killed service leaves behind, in files or in Redis, as one who looks at it from outside finds it.
import { Effect, type Scope } from "effect"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createClient } from "redis"
import * as RedisProcess from "../persistence/RedisProcess.ts"
import { temporaryFolder } from "../resources.ts"

/** One place where snapshots and keys outlive a process. */
export interface Kept {
  /** What points a process there. */
  readonly settings: Readonly<Record<string, string>>
  /** Every snapshot's text by its name, whole or not. */
  readonly snapshots: Effect.Effect<ReadonlyMap<string, string>>
  /** Puts another text in place of a snapshot's. */
  readonly replace: (name: string, text: string) => Effect.Effect<void>
  /** The records of keys by their SHA-256, whole or not. */
  readonly keys: Effect.Effect<ReadonlyMap<string, string>>
  /** How many unfinished files lie about. */
  readonly strays: Effect.Effect<number>
}

const SUFFIX = ".json"

/** A folder. A file that is neither a text nor a writer's temporary one ends the test. */
export const inFiles: Effect.Effect<Kept, never, Scope.Scope> = Effect.gen(function* () {
  const data = yield* temporaryFolder
  const names = (directory: string): ReadonlyArray<string> => (existsSync(directory) ? readdirSync(directory) : [])
  const isTemporary = (name: string) => name.startsWith(".")
  const texts = (directory: string) =>
    Effect.sync(() => {
      const whole = names(directory).filter((name) => !isTemporary(name))
      const foreign = whole.find((name) => !name.endsWith(SUFFIX))
      if (foreign !== undefined) throw new Error(`a file of unknown kind: ${foreign}`)
      return new Map(whole.map((name) => [name.slice(0, -SUFFIX.length), readFileSync(join(directory, name), "utf8")]))
    })
  const [snapshots, keys] = [join(data, "snapshots"), join(data, "keys")]
  return {
    settings: { DATA_DIR: data },
    snapshots: texts(snapshots),
    replace: (name, text) => Effect.sync(() => writeFileSync(join(snapshots, name + SUFFIX), text)),
    keys: texts(keys),
    strays: Effect.sync(() => [...names(snapshots), ...names(keys)].filter(isTemporary).length)
  }
})

/** A Redis of its own. The turns of who was killed stay in it until they run out. */
export const inRedis: Effect.Effect<Kept, never, Scope.Scope> = Effect.gen(function* () {
  const redis = yield* RedisProcess.make
  yield* redis.start
  const client = yield* Effect.acquireRelease(
    Effect.promise(() => createClient({ url: redis.url }).connect()),
    (connected) => Effect.sync(() => connected.destroy())
  )
  const PREFIX = "cda:{all}:entry:"
  return {
    settings: { REDIS_URL: redis.url },
    snapshots: Effect.promise(async () => {
      const names = await client.keys(`${PREFIX}*`)
      const texts = await Promise.all(names.map((name) => client.hGet(name, "text")))
      // Others hold what callers looked up.
      return new Map(
        names.flatMap((name, n): ReadonlyArray<[string, string]> => {
          const text = texts[n]
          return text?.includes('"observedAt"') === true ? [[name.slice(PREFIX.length), text]] : []
        })
      )
    }),
    replace: (name, text) => Effect.promise(() => client.hSet(PREFIX + name, { text, version: "aged", due: 0 })),
    keys: Effect.promise(async () => new Map(Object.entries(await client.hGetAll("cda:{all}:keys")))),
    strays: Effect.succeed(0)
  }
})
