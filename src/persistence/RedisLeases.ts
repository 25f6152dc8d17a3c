// Leases in Redis: the right of one process at a time to do something. The holder renews its lease; a lease that is not
// renewed expires, so a dead or frozen holder blocks the others for at most `LEASE`.
import { Duration } from "effect"
import { Redis } from "effect/persistence"

/** How long a lease lasts without renewal. */
export const LEASE = Duration.seconds(6)

/** How often a process renews its leases and tries for those it does not hold. */
export const RENEW_EVERY = Duration.seconds(2)

export const keyOf = (name: string): string => `cda:lease:${name}`

/** Acquires or renews the named leases in one round trip. Returns 1 for each that `holder` now holds, else 0. */
export const hold = Redis.script(
  (holder: string, names: ReadonlyArray<string>) => [...names.map(keyOf), holder, Duration.toMillis(LEASE)],
  {
    numberOfKeys: (_holder, names) => names.length,
    lua: `
local held = {}
for i, key in ipairs(KEYS) do
  local holder = redis.call("GET", key) or ARGV[1]
  held[i] = holder == ARGV[1] and 1 or 0
  if held[i] == 1 then redis.call("SET", key, holder, "PX", ARGV[2]) end
end
return held
`
  }
).withReturnType<ReadonlyArray<number>>()

/**
 * Releases those of the named leases that `holder` still holds, so that another process need not wait for them to
 * expire.
 */
export const release = Redis.script((holder: string, names: ReadonlyArray<string>) => [...names.map(keyOf), holder], {
  numberOfKeys: (_holder, names) => names.length,
  lua: `for _, key in ipairs(KEYS) do if redis.call("GET", key) == ARGV[1] then redis.call("DEL", key) end end return 0`
}).withReturnType<number>()
