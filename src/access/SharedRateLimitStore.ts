// Where requests are counted on many machines: in Redis, one script a request, and on this machine alone while Redis is away.
import { Clock, Duration, Effect, Layer } from "effect"
import { RateLimiter, Redis } from "effect/persistence"
import { WINDOW } from "./Plan.ts"
import { fixedWindowsOnly, type Windows } from "./RateLimitStore.ts"
import { RedisLink } from "./RedisLink.ts"

const PREFIX = "cda:window:"

// A key without an expiry would be a window without an end: it gets one whenever it has none.
const script = Redis.script((key: string, tokens: number, millis: number) => [PREFIX + key, tokens, millis], {
  numberOfKeys: 1,
  lua: `
local tokens = tonumber(ARGV[1])
local left = redis.call("PTTL", KEYS[1])
if tokens == 0 then
  if left < 0 then return {0, tonumber(ARGV[2])} end
  return {tonumber(redis.call("GET", KEYS[1])), left}
end
if left == 0 then
  redis.call("DEL", KEYS[1])
  left = -2
end
local count = redis.call("INCRBY", KEYS[1], tokens)
if left < 0 then
  redis.call("PEXPIRE", KEYS[1], ARGV[2])
  left = tonumber(ARGV[2])
end
return {count, left}
`
}).withReturnType<readonly [count: number, millisLeft: number]>()

/** The store of many machines, with `local` for when Redis is away. */
export const layer = (local: Windows): Layer.Layer<RateLimiter.RateLimiterStore, never, RedisLink> =>
  Layer.effect(
    RateLimiter.RateLimiterStore,
    Effect.gen(function* () {
      const link = yield* RedisLink
      const millis = Duration.toMillis(WINDOW)
      return fixedWindowsOnly(({ key, tokens }) =>
        link
          .use((redis) => redis.eval(script)(key, tokens, millis))
          .pipe(Effect.catch(() => Effect.map(Clock.currentTimeMillis, (now) => local.count(key, tokens, now))))
      )
    })
  )
