// What equal processes agree on through Redis: who asks which source (a lease each, renewed while its holder lives), what has
// been saved (versions), and how many calls are left (a sliding log each, shared).
import { Clock, Duration, Effect, PubSub, Random, Stream } from "effect"
import { Redis } from "effect/persistence"
import { RedisLink } from "./RedisLink.ts"
import { VERSIONS } from "./RedisStore.ts"

/** A holder that has not renewed for this long has died or is frozen. */
const LEASE = Duration.seconds(6)

/** How often leases are renewed, or tried for. */
const RENEW_EVERY = Duration.seconds(2)

/** How often it is seen what others have saved. */
const FOLLOW_EVERY = Duration.millis(500)

const LEASES = "cda:lease:"

const CALLS = "cda:calls:"

/** Takes or keeps the leases named, and says which are held: one round trip for all of them. */
const hold = Redis.script(
  (me: string, sources: ReadonlyArray<string>) => [
    ...sources.map((source) => LEASES + source),
    me,
    Duration.toMillis(LEASE)
  ],
  {
    numberOfKeys: (_me, sources) => sources.length,
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

/** Gives up the leases that are still this process's own, so that a successor need not wait for them to run out. */
const release = Redis.script(
  (me: string, sources: ReadonlyArray<string>) => [...sources.map((source) => LEASES + source), me],
  {
    numberOfKeys: (_me, sources) => sources.length,
    lua: `for _, key in ipairs(KEYS) do if redis.call("GET", key) == ARGV[1] then redis.call("DEL", key) end end return 0`
  }
).withReturnType<number>()

/** One sliding log: its key, how many calls it allows, and in how many milliseconds. */
interface Log {
  readonly key: string
  readonly calls: number
  readonly millis: number
}

/** The time is Redis's own, one clock for all. Every log must allow the call, or none records it. */
const takeCall = Redis.script(
  (member: string, logs: ReadonlyArray<Log>) => [
    ...logs.map(({ key }) => CALLS + key),
    member,
    ...logs.flatMap(({ calls, millis }) => [calls, millis])
  ],
  {
    numberOfKeys: (_member, logs) => logs.length,
    lua: `
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local wait = 0
for i, key in ipairs(KEYS) do
  local calls, millis = tonumber(ARGV[2 * i]), tonumber(ARGV[2 * i + 1])
  redis.call("ZREMRANGEBYSCORE", key, "-inf", now - millis)
  if calls <= 0 then
    wait = math.max(wait, millis)
  elseif redis.call("ZCARD", key) >= calls then
    local oldest = redis.call("ZRANGE", key, -calls, -calls, "WITHSCORES")
    wait = math.max(wait, oldest[2] + millis - now)
  end
end
if wait > 0 then return wait end
for i, key in ipairs(KEYS) do
  redis.call("ZADD", key, now, ARGV[1] .. now)
  redis.call("PEXPIRE", key, ARGV[2 * i + 1])
end
return 0
`
  }
).withReturnType<number>()

/** How often a source may be called: `calls` in any span of `per`, of them at most `onDemand` for callers' look-ups. */
export interface SharedAllowance {
  readonly calls: number
  readonly per: Duration.Input
  readonly onDemand?: number
}

/** Joins the other processes, for the sources named. */
export const make = Effect.fnUntraced(function* (sources: ReadonlyArray<string>) {
  const link = yield* RedisLink
  const me = `${(yield* Random.nextIntBetween(0, Number.MAX_SAFE_INTEGER)).toString(36)}-${yield* Clock.currentTimeMillis}`
  let held: ReadonlySet<string> = new Set()
  let renewedAt = 0
  let calls = 0

  const renew = link
    .use((redis) => redis.eval(hold)(me, sources))
    .pipe(
      Effect.zipWith(Clock.currentTimeMillis, (flags, now) => {
        held = new Set(sources.filter((_source, n) => flags[n] === 1))
        renewedAt = now
      }),
      Effect.ignore
    )
  yield* renew
  yield* renew.pipe(Effect.delay(RENEW_EVERY), Effect.forever, Effect.forkScoped)
  yield* Effect.addFinalizer(() => Effect.ignore(link.use((redis) => redis.eval(release)(me, sources))))

  const changes = yield* PubSub.sliding<string>(256)
  let seen: ReadonlyMap<string, string> | undefined
  const follow = link
    .use((redis) => redis.send<ReadonlyArray<string>>("HGETALL", VERSIONS))
    .pipe(
      Effect.flatMap((pairs) => {
        const versions = new Map(pairs.flatMap((name, n) => (n % 2 === 0 ? [[name, pairs[n + 1] ?? ""] as const] : [])))
        const changed = [...versions].filter(([name, version]) => seen?.get(name) !== version)
        seen = versions
        return PubSub.publishAll(
          changes,
          changed.map(([name]) => name)
        )
      }),
      Effect.ignore
    )
  yield* follow.pipe(Effect.delay(FOLLOW_EVERY), Effect.forever, Effect.forkScoped)

  return {
    turn: (source: string) =>
      Effect.zipWith(link.isUp, Clock.currentTimeMillis, (isUp, now) => {
        if (!sources.includes(source)) return "mine" as const
        // Whoever was frozen for longer than a lease wakes up believing that it still holds it.
        const isCurrent = now - renewedAt < Duration.toMillis(LEASE)
        if (!isUp) return held.has(source) ? ("mine" as const) : ("alone" as const)
        return isCurrent && held.has(source) ? ("mine" as const) : ("anothers" as const)
      }),
    saved: (name: string) =>
      Stream.fromPubSub(changes).pipe(
        Stream.filter((changed) => changed === name),
        Stream.map(() => undefined)
      ),
    take: (source: string, allowances: ReadonlyArray<SharedAllowance>, urgency: "scheduled" | "on_demand") => {
      const logs = allowances.flatMap(({ calls, onDemand, per }, n): ReadonlyArray<Log> => {
        const millis = Duration.toMillis(Duration.fromInputUnsafe(per))
        const all = { key: `${source}:${n}:all`, calls, millis }
        return urgency === "scheduled"
          ? [all]
          : [all, { key: `${source}:${n}:on-demand`, calls: onDemand ?? calls, millis }]
      })
      const taken = link.use((redis) => redis.eval(takeCall)(`${me}:${calls++}:`, logs))
      return Effect.catch(taken, () => Effect.undefined)
    }
  }
})
