// Request windows in Redis, shared by all replicas: one script per request. While Redis is down each replica counts in
// its own memory, starting from the window that Redis returned last.
import { Clock, Duration, Effect, Layer } from "effect"
import { Redis } from "effect/persistence"
import { WINDOW } from "../access/Plan.ts"
import { type MemoryWindows, WindowStore } from "../access/WindowStore.ts"
import { RedisLink } from "./RedisLink.ts"

const PREFIX = "cda:window:"

// Redis expires the window by its own clock. The end is stored as computed by the replica that opened the window, so
// that all replicas report the same one.
const script = Redis.script(
  (key: string, tokens: number, millis: number, ends: number) => [PREFIX + key, tokens, millis, ends],
  {
    numberOfKeys: 1,
    lua: `
local ends = redis.call("HGET", KEYS[1], "ends")
if ARGV[1] == "0" then
  if not ends then return {0, tonumber(ARGV[3])} end
  return {tonumber(redis.call("HGET", KEYS[1], "count")), tonumber(ends)}
end
if not ends then
  ends = ARGV[3]
  redis.call("HSET", KEYS[1], "ends", ends)
  redis.call("PEXPIRE", KEYS[1], ARGV[2])
end
return {redis.call("HINCRBY", KEYS[1], "count", ARGV[1]), tonumber(ends)}
`
  }
).withReturnType<readonly [count: number, ends: number]>()

/** Counts in Redis, and in `local` while Redis is down. */
export const layer = (local: MemoryWindows): Layer.Layer<WindowStore, never, RedisLink> =>
  Layer.effect(
    WindowStore,
    Effect.gen(function* () {
      const link = yield* RedisLink
      const millis = Duration.toMillis(WINDOW)
      return WindowStore.of({
        count: (key, tokens) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) =>
            link
              .use((redis) => redis.eval(script)(key, tokens, millis, now + millis))
              .pipe(
                Effect.map(([count, ends]) => ({ count, ends })),
                Effect.tap((window) => Effect.sync(() => tokens > 0 && local.replace(key, window, now))),
                Effect.catch(() => Effect.map(Clock.currentTimeMillis, (now) => local.count(key, tokens, now)))
              )
          )
      })
    })
  )
