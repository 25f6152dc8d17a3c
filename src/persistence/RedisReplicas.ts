// What replicas agree on through Redis: which process fetches a data set (a lease for each) and which of them have been saved
// (versions). Budgets are in `RedisBudgets.ts`, look-ups in `RedisLookups.ts`. While Redis is down no lease is known to be held by
// another process, so every process asks for itself.
import { Clock, Duration, Effect, Random } from "effect"
import { Redis } from "effect/persistence"
import type { ReplicasService } from "../sources/dataset/Replicas.ts"
import * as RedisBudgets from "./RedisBudgets.ts"
import { RedisLink } from "./RedisLink.ts"
import * as RedisLookups from "./RedisLookups.ts"
import { VERSIONS } from "./RedisStore.ts"

/** Milliseconds that a lease lasts without renewal: a dead or frozen holder keeps the others waiting for no longer. */
const LEASE = 6_000

/** How often a process renews its leases, tries for those it does not hold, and reads the versions. */
const POLL_EVERY = Duration.millis(500)

/** The pause between two data sets that have to be read again, so that decoding many does not stall this process. */
const SPREAD = Duration.millis(40)

const leaseOf = (name: string): string => `cda:lease:${name}`

/** Among the versions, since when Redis has had them: another time tells that it was emptied, also between two polls. */
const SINCE = ""

/** Acquires or renews leases for `millis`: 1 for each that `holder` has now, else 0. After them names and versions in turn. */
const holdAndRead = Redis.script(
  (holder: string, names: ReadonlyArray<string>, millis: number) => [
    ...names.map(leaseOf),
    VERSIONS,
    holder,
    millis,
    SINCE
  ],
  {
    numberOfKeys: (_holder, names) => names.length + 1,
    lua: `
local reply = {}
for i = 1, #KEYS - 1 do
  local holder = redis.call("GET", KEYS[i]) or ARGV[1]
  reply[i] = holder == ARGV[1] and 1 or 0
  if reply[i] == 1 then redis.call("SET", KEYS[i], holder, "PX", ARGV[2]) end
end
local time = redis.call("TIME")
redis.call("HSETNX", KEYS[#KEYS], ARGV[3], time[1] .. "." .. time[2])
for _, part in ipairs(redis.call("HGETALL", KEYS[#KEYS])) do reply[#reply + 1] = part end
return reply
`
  }
).withReturnType<ReadonlyArray<string | number>>()

/** Joins the other replicas: renews leases and polls versions until the scope closes, then releases the leases. */
export const make = Effect.gen(function* () {
  const link = yield* RedisLink
  const me = `${(yield* Random.nextIntBetween(0, Number.MAX_SAFE_INTEGER)).toString(36)}-${yield* Clock.currentTimeMillis}`
  const scope = yield* Effect.scope

  /** The data sets that this process fetches. Those of a source that is disabled here may be fetched by another process. */
  const fetched = new Set<string>()
  /** What is to be done when a data set has changed. */
  const watched: Array<{ readonly name: string; readonly react: Effect.Effect<unknown> }> = []
  let held: ReadonlySet<string> = new Set()
  let renewedAt = -Infinity
  let polledAt = yield* Clock.currentTimeMillis
  let seen = { ups: 0, versions: new Map<string, string>() }

  // A process that was frozen for longer than a lease must not trust what it remembers of its leases.
  const wasFrozen = (now: number) => now - polledAt >= LEASE
  const isMine = (name: string, now: number) => !wasFrozen(now) && held.has(name)
  const isRenewed = (now: number) => now - renewedAt < LEASE

  const poll = Effect.gen(function* () {
    // Read before the command is sent: the lease in Redis never ends earlier than this process believes.
    const now = yield* Clock.currentTimeMillis
    if (wasFrozen(now)) held = new Set()
    polledAt = now
    const wanted = [...fetched]
    const ups = yield* link.ups
    const reply = yield* link.eval(holdAndRead)(me, wanted, LEASE)
    const pairs = reply.slice(wanted.length).map(String)
    const versions = new Map(pairs.flatMap((name, n) => (n % 2 === 0 ? [[name, pairs[n + 1] ?? ""] as const] : [])))
    const [heldBefore, before] = [held, seen]
    held = new Set(wanted.filter((_name, n) => reply[n] === 1))
    renewedAt = now
    seen = { ups, versions }
    // After an outage or a flush everything counts as changed: what this process saved is not in Redis.
    const isAnew = before.ups !== ups || before.versions.get(SINCE) !== versions.get(SINCE)
    const changed = watched.filter(
      ({ name }) =>
        isAnew || (held.has(name) && !heldBefore.has(name)) || before.versions.get(name) !== versions.get(name)
    )
    const reacting = Effect.forEach(changed, ({ react }) =>
      Effect.andThen(Effect.forkIn(react, scope), Effect.sleep(SPREAD))
    )
    yield* Effect.forkIn(reacting, scope)
  }).pipe(Effect.ignore)

  yield* poll
  // Another process can take over at once: leases that last a millisecond longer are as good as released.
  yield* Effect.addFinalizer(() => Effect.ignore(link.eval(holdAndRead)(me, [...fetched], 1)))
  yield* poll.pipe(Effect.delay(POLL_EVERY), Effect.forever, Effect.forkScoped)

  return {
    leaseState: Effect.fnUntraced(function* (name: string) {
      if (!fetched.has(name)) {
        fetched.add(name)
        yield* poll
      }
      const now = yield* Clock.currentTimeMillis
      if (!(yield* link.isUp)) return isMine(name, now) ? ("mine" as const) : ("unknown" as const)
      return isMine(name, now) && isRenewed(now) ? ("mine" as const) : ("other" as const)
    }),

    onChange: (name, react) => Effect.sync(() => void watched.push({ name, react })),

    claim: RedisLookups.make(link, me),

    budget: RedisBudgets.make(link, me)
  } satisfies ReplicasService
})
