// The call budgets of sources that replicas share through Redis: a sliding log of calls per allowance, and a pause
// during which a source is not called at all. While Redis is down `take` returns `undefined` and the caller uses its
// local counter.
import { Effect } from "effect"
import { Redis } from "effect/persistence"
import type { Counter, SlidingLog } from "../sources/client/Budget.ts"
import type { RedisLink } from "./RedisLink.ts"
import { sharedKey } from "./sharedKey.ts"

const PAUSES = sharedKey("pause:")

/**
 * Records a call and returns 0 if the source is not paused and every log allows it; else records nothing and returns the milliseconds to
 * wait. The second number: those of the pause. The time is that of Redis, one clock for all replicas.
 */
const takeCall = Redis.script(
  (source: string, member: string, logs: ReadonlyArray<SlidingLog>) => [
    PAUSES + source,
    ...logs.map(({ key }) => key),
    member,
    ...logs.flatMap(({ calls, millis }) => [calls, millis])
  ],
  {
    numberOfKeys: (_source, _member, logs) => logs.length + 1,
    lua: `
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local pause = math.max(0, redis.call("PTTL", KEYS[1]))
local wait = pause
for i = 2, #KEYS do
  local key, calls, millis = KEYS[i], tonumber(ARGV[2 * i - 2]), tonumber(ARGV[2 * i - 1])
  redis.call("ZREMRANGEBYSCORE", key, "-inf", now - millis)
  -- Called before the clock of Redis was set back.
  for _, call in ipairs(redis.call("ZRANGEBYSCORE", key, now + 1, "+inf")) do redis.call("ZADD", key, now, call) end
  if calls <= 0 then
    wait = math.max(wait, millis)
  elseif redis.call("ZCARD", key) >= calls then
    local oldest = redis.call("ZRANGE", key, -calls, -calls, "WITHSCORES")
    wait = math.max(wait, oldest[2] + millis - now)
  end
end
if wait > 0 then return { wait, pause } end
for i = 2, #KEYS do
  redis.call("ZADD", KEYS[i], now, ARGV[1])
  redis.call("PEXPIRE", KEYS[i], ARGV[2 * i - 1])
end
return { 0, 0 }
`
  }
).withReturnType<ReadonlyArray<number>>()

/** Lengthens a pause, never shortens it. */
const lengthenPause = Redis.script((source: string, millis: number) => [PAUSES + source, millis], {
  numberOfKeys: 1,
  lua: `if redis.call("PTTL", KEYS[1]) < tonumber(ARGV[1]) then redis.call("SET", KEYS[1], "1", "PX", ARGV[1]) end return 0`
}).withReturnType<number>()

/** Makes the shared counters over `link`; `me` names this process. A pause concerns all budgets of a source. */
export const make = (link: RedisLink["Service"], me: string) => {
  let calls = 0
  return (source: string, name: string): Counter => ({
    take: Effect.fnUntraced(
      function* (asked: ReadonlyArray<SlidingLog>) {
        const member = `${me}:${calls++}`
        const logs = asked.map((log) => ({ ...log, key: sharedKey(`calls:${name}:${log.key}`) }))
        const [wait = 0, pause = 0] = yield* link.eval(takeCall)(source, member, logs)
        return {
          wait,
          isPause: pause > 0 && pause >= wait,
          giveBack: Effect.ignore(Effect.forEach(logs, ({ key }) => link.send("ZREM", key, member)))
        }
      },
      Effect.orElseSucceed(() => undefined)
    ),
    pause: (millis: number) => Effect.ignore(link.eval(lengthenPause)(source, Math.max(1, Math.ceil(millis))))
  })
}
