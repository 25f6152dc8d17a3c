// A `KeyValueStore` in Redis. Every write also sets a version in one hash, so that other processes find out with one
// command what changed. While Redis is down, reads find nothing and writes are dropped; `RedisLink` has logged it, and
// the processes that hold newer values write them once Redis is up again.
import { Effect, Layer } from "effect"
import { KeyValueStore, Redis } from "effect/persistence"
import { type RedisDown, RedisLink } from "./RedisLink.ts"

const PREFIX = "cda:value:"

/**
 * The hash of versions by name. A version is the time of the write by the clock of Redis, so it never repeats, even
 * after a flush.
 */
export const VERSIONS = "cda:versions"

const write = Redis.script((name: string, value: string) => [PREFIX + name, VERSIONS, name, value], {
  numberOfKeys: 2,
  lua: `
local time = redis.call("TIME")
redis.call("SET", KEYS[1], ARGV[2])
return redis.call("HSET", KEYS[2], ARGV[1], time[1] .. "." .. time[2])
`
}).withReturnType<number>()

/** Stores values in Redis. `get` and `set` never fail. */
export const layer: Layer.Layer<KeyValueStore.KeyValueStore, never, RedisLink> = Layer.effect(
  KeyValueStore.KeyValueStore,
  Effect.gen(function* () {
    const link = yield* RedisLink
    const failed = (method: string) =>
      Effect.mapError(
        (cause: RedisDown) => new KeyValueStore.KeyValueStoreError({ method, message: "Redis does not answer", cause })
      )
    const names = link.use((redis) => redis.send<ReadonlyArray<string>>("HKEYS", VERSIONS))
    return KeyValueStore.makeStringOnly({
      get: (name) =>
        link
          .use((redis) => redis.send<string | null>("GET", PREFIX + name))
          .pipe(
            Effect.map((value) => value ?? undefined),
            Effect.orElseSucceed(() => undefined)
          ),
      set: (name, value) => Effect.ignore(link.use((redis) => redis.eval(write)(name, value))),
      remove: (name) =>
        link
          .use((redis) => Effect.andThen(redis.send("DEL", PREFIX + name), redis.send("HDEL", VERSIONS, name)))
          .pipe(Effect.asVoid, failed("remove")),
      clear: names.pipe(
        Effect.flatMap((all) => link.use((redis) => redis.send("DEL", VERSIONS, ...all.map((name) => PREFIX + name)))),
        Effect.asVoid,
        failed("clear")
      ),
      keys: names.pipe(failed("keys")),
      size: names.pipe(
        Effect.map(({ length }) => length),
        failed("size")
      )
    })
  })
)
