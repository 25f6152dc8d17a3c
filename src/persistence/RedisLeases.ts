// Leases in Redis: what one process at a time may do. Whoever holds one renews it while it lives; left alone, it runs out.
import { Duration } from "effect"
import { Redis } from "effect/persistence"

/** A holder that has not renewed for this long has died or is frozen. */
export const LEASE = Duration.seconds(6)

/** How often leases are renewed, or tried for. */
export const RENEW_EVERY = Duration.seconds(2)

const LEASES = "cda:lease:"

/** The key of a lease. */
export const keyOf = (name: string): string => LEASES + name

/** Takes or keeps the leases named, and says which are held: one round trip for all of them. */
export const hold = Redis.script(
  (holder: string, names: ReadonlyArray<string>) => [...names.map(keyOf), holder, Duration.toMillis(LEASE)],
  {
    numberOfKeys: (_holder, names) => names.length,
    lua: `
local held = {}
for i, key in ipairs(KEYS) do
  local holder = redis.call("GET", key)
  if holder == ARGV[1] then
    redis.call("PEXPIRE", key, ARGV[2])
    held[i] = 1
  elseif holder then
    held[i] = 0
  else
    redis.call("SET", key, ARGV[1], "PX", ARGV[2])
    held[i] = 1
  end
end
return held
`
  }
).withReturnType<ReadonlyArray<number>>()

/** Gives up the leases that are still the holder's own, so that a successor need not wait for them to run out. */
export const release = Redis.script((holder: string, names: ReadonlyArray<string>) => [...names.map(keyOf), holder], {
  numberOfKeys: (_holder, names) => names.length,
  lua: `for _, key in ipairs(KEYS) do if redis.call("GET", key) == ARGV[1] then redis.call("DEL", key) end end return 0`
}).withReturnType<number>()
