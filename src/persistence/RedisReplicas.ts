// What replicas agree on through Redis: which process asks a source (a lease per source) and which data sets have been saved
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

const leaseOf = (source: string): string => `cda:lease:${source}`

/** Among the versions, since when Redis has had them: another time tells that it was emptied, also between two polls. */
const SINCE = ""

/** Acquires or renews leases for `millis`: 1 for each that `holder` has now, else 0. After them names and versions in turn. */
const holdAndRead = Redis.script(
  (holder: string, sources: ReadonlyArray<string>, millis: number) => [
    ...sources.map(leaseOf),
    VERSIONS,
    holder,
    millis,
    SINCE
  ],
  {
    numberOfKeys: (_holder, sources) => sources.length + 1,
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

  // The sources that this process asks. A source that is disabled here may be asked by another process.
  const sources = new Set<string>()
  /** Their data sets, and what is to be done when one has changed. */
  const watched: Array<{ readonly source: string; readonly name: string; readonly react: Effect.Effect<unknown> }> = []
  let held: ReadonlySet<string> = new Set()
  let renewedAt = -Infinity
  let polledAt = yield* Clock.currentTimeMillis
  let seen = { ups: 0, versions: new Map<string, string>() }

  // A process that was frozen for longer than a lease must not trust what it remembers of its leases.
  const wasFrozen = (now: number) => now - polledAt >= LEASE
  const isMine = (source: string, now: number) => !wasFrozen(now) && held.has(source)
  const isRenewed = (now: number) => now - renewedAt < LEASE

  const poll = Effect.gen(function* () {
    // Read before the command is sent: the lease in Redis never ends earlier than this process believes.
    const now = yield* Clock.currentTimeMillis
    if (wasFrozen(now)) held = new Set()
    polledAt = now
    const wanted = [...sources]
    const ups = yield* link.ups
    const reply = yield* link.eval(holdAndRead)(me, wanted, LEASE)
    const pairs = reply.slice(wanted.length).map(String)
    const versions = new Map(pairs.flatMap((name, n) => (n % 2 === 0 ? [[name, pairs[n + 1] ?? ""] as const] : [])))
    const [heldBefore, before] = [held, seen]
    held = new Set(wanted.filter((_source, n) => reply[n] === 1))
    renewedAt = now
    seen = { ups, versions }
    // After an outage or a flush everything counts as changed: what this process saved is not in Redis.
    const isAnew = before.ups !== ups || before.versions.get(SINCE) !== versions.get(SINCE)
    const changed = watched.filter(
      ({ name, source }) =>
        isAnew || (held.has(source) && !heldBefore.has(source)) || before.versions.get(name) !== versions.get(name)
    )
    const reacting = Effect.forEach(changed, ({ react }) =>
      Effect.andThen(Effect.forkIn(react, scope), Effect.sleep(SPREAD))
    )
    yield* Effect.forkIn(reacting, scope)
  }).pipe(Effect.ignore)

  yield* poll
  // Another process can take over at once: leases that last a millisecond longer are as good as released.
  yield* Effect.addFinalizer(() => Effect.ignore(link.eval(holdAndRead)(me, [...sources], 1)))
  yield* poll.pipe(Effect.delay(POLL_EVERY), Effect.forever, Effect.forkScoped)

  return {
    leaseState: Effect.fnUntraced(function* (source: string) {
      if (!sources.has(source)) {
        sources.add(source)
        yield* poll
      }
      const now = yield* Clock.currentTimeMillis
      if (!(yield* link.isUp)) return isMine(source, now) ? ("mine" as const) : ("unknown" as const)
      return isMine(source, now) && isRenewed(now) ? ("mine" as const) : ("other" as const)
    }),

    onChange: (source, name, react) => Effect.sync(() => void watched.push({ source, name, react })),

    claim: RedisLookups.make(link, me),

    budget: RedisBudgets.make(link, me)
  } satisfies ReplicasService
})
