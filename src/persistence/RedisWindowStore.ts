// Where requests are counted on many machines: in Redis, one script a request, and on this machine alone while Redis is away,
// going on from what Redis said last.
import { Clock, Duration, Effect, Layer } from "effect"
import { RateLimiter, Redis } from "effect/persistence"
import { WINDOW } from "../access/Plan.ts"
import { type Counted, fixedWindowsOnly, type Windows } from "../access/WindowStore.ts"
import { RedisLink } from "./RedisLink.ts"

const PREFIX = "cda:window:"

// Redis forgets the window by its own clock. When it ends is kept as who began it said: every replica then says the same.
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
).withReturnType<Counted>()

/** The store of many machines, with `local` for when Redis is away. */
export const layer = (local: Windows): Layer.Layer<RateLimiter.RateLimiterStore, never, RedisLink> =>
  Layer.effect(
    RateLimiter.RateLimiterStore,
    Effect.gen(function* () {
      const link = yield* RedisLink
      const millis = Duration.toMillis(WINDOW)
      return fixedWindowsOnly(({ key, tokens }) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          link
            .use((redis) => redis.eval(script)(key, tokens, millis, now + millis))
            .pipe(
              Effect.tap((counted) => Effect.sync(() => tokens > 0 && local.takeOver(key, counted, now))),
              Effect.catch(() => Effect.map(Clock.currentTimeMillis, (now) => local.count(key, tokens, now)))
            )
        )
      )
    })
  )
