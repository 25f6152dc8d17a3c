// What equal processes agree on through Redis: who asks which source (a lease each, renewed while its holder lives), what has
// been saved (versions), how many calls are left (a sliding log each) and which sources want none for a while (pauses). What
// callers have them ask is in `RedisQuestions.ts`.
import { Clock, Duration, Effect, PubSub, Random, Stream } from "effect"
import { Redis } from "effect/persistence"
import type { Allowance, Urgency } from "../sources/client/Budget.ts"
import type { ReplicasService } from "../sources/dataset/Replicas.ts"
import * as RedisLeases from "./RedisLeases.ts"
import { RedisLink } from "./RedisLink.ts"
import * as RedisLookups from "./RedisLookups.ts"
import { VERSIONS } from "./RedisStore.ts"

/** How often it is seen what others have saved. */
const LOOK_EVERY = Duration.millis(500)

const CALLS = "cda:calls:"

const PAUSES = "cda:pause:"

/** Names and versions in turn. A script answers so in any version of the protocol; the bare command does not. */
const readVersions = Redis.script(() => [VERSIONS], {
  numberOfKeys: 1,
  lua: `return redis.call("HGETALL", KEYS[1])`
}).withReturnType<ReadonlyArray<string>>()

/** One sliding log: its key, how many calls it allows, and in how many milliseconds. */
interface Log {
  readonly key: string
  readonly calls: number
  readonly millis: number
}

/** The time is Redis's own, one clock for all. Every log must allow the call, or none records it. */
const takeCall = Redis.script(
  (source: string, member: string, logs: ReadonlyArray<Log>) => [
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
local wait = math.max(0, redis.call("PTTL", KEYS[1]))
for i = 2, #KEYS do
  local key, calls, millis = KEYS[i], tonumber(ARGV[2 * i - 2]), tonumber(ARGV[2 * i - 1])
  redis.call("ZREMRANGEBYSCORE", key, "-inf", now - millis)
  if calls <= 0 then
    wait = math.max(wait, millis)
  elseif redis.call("ZCARD", key) >= calls then
    local oldest = redis.call("ZRANGE", key, -calls, -calls, "WITHSCORES")
    wait = math.max(wait, oldest[2] + millis - now)
  end
end
if wait > 0 then return wait end
for i = 2, #KEYS do
  redis.call("ZADD", KEYS[i], now, ARGV[1])
  redis.call("PEXPIRE", KEYS[i], ARGV[2 * i - 1])
end
return 0
`
  }
).withReturnType<number>()

/** Takes the newest call whose member begins so out of all logs again. */
const giveBackCall = Redis.script(
  (prefix: string, logs: ReadonlyArray<Log>) => [...logs.map(({ key }) => key), prefix],
  {
    numberOfKeys: (_prefix, logs) => logs.length,
    lua: `
if #KEYS == 0 then return 0 end
for _, member in ipairs(redis.call("ZREVRANGE", KEYS[1], 0, -1)) do
  if string.sub(member, 1, #ARGV[1]) == ARGV[1] then
    for _, key in ipairs(KEYS) do redis.call("ZREM", key, member) end
    return 1
  end
end
return 0
`
  }
).withReturnType<number>()

/** Lengthens a pause, never shortens it. */
const lengthenPause = Redis.script((source: string, millis: number) => [PAUSES + source, millis], {
  numberOfKeys: 1,
  lua: `if redis.call("PTTL", KEYS[1]) < tonumber(ARGV[1]) then redis.call("SET", KEYS[1], "1", "PX", ARGV[1]) end return 0`
}).withReturnType<number>()

/** What there is to hear: a name that was saved or is gone, or a source that fell to this process. */
type News = { readonly name: string } | { readonly source: string }

/** Between one data set and the next, when all of them have to be looked at: together they would keep this process busy. */
const APART = Duration.millis(40)

/** Joins the other processes. */
export const make = Effect.gen(function* () {
  const link = yield* RedisLink
  const me = `${(yield* Random.nextIntBetween(0, Number.MAX_SAFE_INTEGER)).toString(36)}-${yield* Clock.currentTimeMillis}`
  const heard = yield* PubSub.sliding<News>(1024)
  const scope = yield* Effect.scope
  const lease = Duration.toMillis(RedisLeases.LEASE)

  // Sources that this process asks. Where one is switched off, another process is the one to ask it.
  const wanted = new Set<string>()
  const names = new Set<string>()
  let held: ReadonlySet<string> = new Set()
  let renewedAt = -Infinity
  let lookedAt = yield* Clock.currentTimeMillis
  let seen: ReadonlyMap<string, string> | undefined
  let calls = 0

  /** Whoever was frozen for longer than a lease wakes up believing that it still holds it. */
  const isAwake = (now: number) => now - lookedAt < lease
  const isMine = (source: string, now: number) => isAwake(now) && held.has(source)
  const isCurrent = (now: number) => now - renewedAt < lease

  const renew = Effect.gen(function* () {
    const sources = [...wanted]
    if (sources.length === 0) return
    // A lease begins in Redis after this moment, whenever the answer is read.
    const now = yield* Clock.currentTimeMillis
    const flags = yield* link.use((redis) => redis.eval(RedisLeases.hold)(me, sources))
    const before = isCurrent(now) ? held : undefined
    held = new Set(sources.filter((_source, n) => flags[n] === 1))
    renewedAt = now
    yield* PubSub.publishAll(
      heard,
      [...held].filter((source) => before?.has(source) !== true).map((source) => ({ source }))
    )
  }).pipe(Effect.ignore)

  // What was saved here while Redis was away is not there.
  const lookAtAll = Effect.suspend(() =>
    Effect.forEach([...names], (name) => Effect.andThen(PubSub.publish(heard, { name }), Effect.sleep(APART)))
  )

  const look = link
    .use((redis) => redis.eval(readVersions)())
    .pipe(
      Effect.flatMap((pairs) => {
        const versions = new Map(pairs.flatMap((name, n) => (n % 2 === 0 ? [[name, pairs[n + 1] ?? ""] as const] : [])))
        const before = seen
        seen = versions
        if (before === undefined) return Effect.asVoid(Effect.forkIn(lookAtAll, scope))
        const changed = [...new Set([...versions.keys(), ...before.keys()])].filter(
          (name) => before.get(name) !== versions.get(name)
        )
        const news = changed.map((name) => ({ name }))
        return Effect.asVoid(PubSub.publishAll(heard, news))
      }),
      Effect.catch(() => Effect.sync(() => (seen = undefined)))
    )

  const round = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    if (!isAwake(now)) held = new Set()
    lookedAt = now
    if (now - renewedAt >= Duration.toMillis(RedisLeases.RENEW_EVERY)) yield* renew
    yield* look
  })

  yield* round
  // Whoever is to follow need not wait until the leases have run out.
  yield* Effect.addFinalizer(() => Effect.ignore(link.use((redis) => redis.eval(RedisLeases.release)(me, [...wanted]))))
  yield* round.pipe(Effect.delay(LOOK_EVERY), Effect.forever, Effect.forkScoped)

  const service: ReplicasService = {
    leaseState: Effect.fnUntraced(function* (source: string) {
      if (!wanted.has(source)) {
        wanted.add(source)
        yield* renew
      }
      const now = yield* Clock.currentTimeMillis
      if (!(yield* link.isUp)) return isMine(source, now) ? ("mine" as const) : ("alone" as const)
      return isMine(source, now) && isCurrent(now) ? ("mine" as const) : ("anothers" as const)
    }),

    changes: (source: string, name: string) => {
      names.add(name)
      return Stream.fromPubSub(heard).pipe(
        Stream.filter((news) => ("name" in news ? news.name === name : news.source === source)),
        Stream.map(() => undefined)
      )
    },

    lookups: RedisLookups.make(link, me),

    budget: (source: string, allowances: ReadonlyArray<Allowance>) => {
      const logs = allowances.map(({ calls, onDemand, per }, n) => {
        const millis = Duration.toMillis(Duration.fromInputUnsafe(per))
        return {
          all: { key: `${CALLS}${source}:${n}:all`, calls, millis },
          onDemand: { key: `${CALLS}${source}:${n}:on-demand`, calls: onDemand ?? calls, millis }
        }
      })
      const logsOf = (urgency: Urgency): ReadonlyArray<Log> =>
        logs.flatMap(({ all, onDemand }) => (urgency === "scheduled" ? [all] : [all, onDemand]))
      return {
        take: (urgency: Urgency) =>
          Effect.orElseSucceed(
            link.use((redis) => redis.eval(takeCall)(source, `${me}:${urgency}:${calls++}`, logsOf(urgency))),
            () => undefined
          ),
        giveBack: (urgency: Urgency) =>
          Effect.ignore(link.use((redis) => redis.eval(giveBackCall)(`${me}:${urgency}:`, logsOf(urgency)))),
        pause: (millis: number) =>
          Effect.ignore(link.use((redis) => redis.eval(lengthenPause)(source, Math.max(1, Math.ceil(millis)))))
      }
    }
  }
  return service
})
