// A `KeyValueStore` in Redis. Every write also sets a version in one hash, so that other processes find out with one command what
// changed. While Redis is down, reads find nothing and writes are dropped; `RedisLink` has logged it, and the processes that hold
// newer values write them once Redis is up again.
import { Effect, Layer } from "effect"
import { KeyValueStore, Redis } from "effect/persistence"
import { readAndWritten } from "./FileStore.ts"
import { RedisLink } from "./RedisLink.ts"

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

export const layer: Layer.Layer<KeyValueStore.KeyValueStore, never, RedisLink> = Layer.effect(
  KeyValueStore.KeyValueStore,
  Effect.map(RedisLink, (link) =>
    readAndWritten({
      get: (name) =>
        link.send<string | null>("GET", PREFIX + name).pipe(
          Effect.map((value) => value ?? undefined),
          Effect.orElseSucceed(() => undefined)
        ),
      set: (name, value) => Effect.ignore(link.eval(write)(name, value))
    })
  )
)
