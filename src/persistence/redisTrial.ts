// Runs each kind of command that the service's scripts use, in one script. The link is up, and the doctor's check of
// Redis passes, once this succeeds.
import { Redis } from "effect/persistence"
import { sharedKey } from "./sharedKey.ts"

/** Leaves nothing behind for longer than a second. */
export const redisTrial = Redis.script(
  () => [sharedKey("keys"), sharedKey("probe"), sharedKey("probe:count"), sharedKey("probe:calls"), 1000],
  {
    numberOfKeys: 4,
    lua: `
local keys, probe, count, calls, millis = KEYS[1], KEYS[2], KEYS[3], KEYS[4], ARGV[1]
-- First: after another write Redis no longer says that it is full.
redis.call("HSET", probe, "count", "1")
redis.call("TIME")
redis.call("HDEL", keys, "probe")
redis.call("HVALS", probe)
redis.call("HINCRBY", probe, "count", 1)
redis.call("HGET", probe, "count")
redis.call("HSTRLEN", probe, "count")
redis.call("HMGET", probe, "count", "text")
redis.call("HGETALL", probe)
redis.call("PEXPIRE", probe, millis)
redis.call("PTTL", probe)
redis.call("SET", count, "1", "PX", millis)
redis.call("GET", count)
redis.call("INCR", count)
redis.call("EXPIRE", count, 1)
redis.call("ZADD", calls, 1, "call")
redis.call("ZCARD", calls)
redis.call("ZRANGE", calls, -1, -1, "WITHSCORES")
redis.call("ZRANGEBYSCORE", calls, 2, "+inf")
redis.call("ZREMRANGEBYSCORE", calls, "-inf", 0)
redis.call("ZREM", calls, "call")
redis.call("PEXPIRE", calls, millis)
return 1
`
  }
).withReturnType<number>()
