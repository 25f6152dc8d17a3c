// What replicas agree on through Redis: which process asks a source (a lease per source) and which data sets have been
// saved (versions). Budgets are in `RedisBudgets.ts`, look-ups in `RedisLookups.ts`. While Redis is down no lease is
// known to be held by another process, so every process asks for itself.
import { Clock, Duration, Effect, PubSub, Random, Stream } from "effect"
import { Redis } from "effect/persistence"
import type { ReplicasService } from "../sources/dataset/Replicas.ts"
import * as RedisBudgets from "./RedisBudgets.ts"
import * as RedisLeases from "./RedisLeases.ts"
import { RedisLink } from "./RedisLink.ts"
import * as RedisLookups from "./RedisLookups.ts"
import { VERSIONS } from "./RedisStore.ts"

const POLL_EVERY = Duration.millis(500)

/**
 * The pause between two data sets when all have to be read again, so that decoding them does not stall this process.
 */
const SPREAD = Duration.millis(40)

/**
 * Returns names and versions in turn. A script returns a flat list in both versions of the Redis protocol, `HGETALL`
 * does not.
 */
const readVersions = Redis.script(() => [VERSIONS], {
  numberOfKeys: 1,
  lua: `return redis.call("HGETALL", KEYS[1])`
}).withReturnType<ReadonlyArray<string>>()

/** A data set that was saved or removed, or a source whose lease this process has acquired. */
type Change = { readonly name: string } | { readonly source: string }

/** Joins the other replicas: polls versions and renews leases until the scope closes, then releases the leases. */
export const make = Effect.gen(function* () {
  const link = yield* RedisLink
  const me = `${(yield* Random.nextIntBetween(0, Number.MAX_SAFE_INTEGER)).toString(36)}-${yield* Clock.currentTimeMillis}`
  const changes = yield* PubSub.sliding<Change>(1024)
  const scope = yield* Effect.scope
  const lease = Duration.toMillis(RedisLeases.LEASE)

  // The sources that this process asks. A source that is disabled here may be asked by another process.
  const sources = new Set<string>()
  const names = new Set<string>()
  let held: ReadonlySet<string> = new Set()
  let renewedAt = -Infinity
  let polledAt = yield* Clock.currentTimeMillis
  let seen: ReadonlyMap<string, string> | undefined

  // A process that was frozen for longer than a lease must not trust what it remembers of its leases.
  const wasFrozen = (now: number) => now - polledAt >= lease
  const isMine = (source: string, now: number) => !wasFrozen(now) && held.has(source)
  const isRenewed = (now: number) => now - renewedAt < lease

  const renew = Effect.gen(function* () {
    const wanted = [...sources]
    if (wanted.length === 0) return
    // Read before the command is sent: the lease in Redis never ends earlier than this process believes.
    const now = yield* Clock.currentTimeMillis
    const flags = yield* link.eval(RedisLeases.hold)(me, wanted)
    const before = isRenewed(now) ? held : undefined
    held = new Set(wanted.filter((_source, n) => flags[n] === 1))
    renewedAt = now
    for (const source of held) if (before?.has(source) !== true) yield* PubSub.publish(changes, { source })
  }).pipe(Effect.ignore)

  const publishAllNames = Effect.suspend(() =>
    Effect.forEach([...names], (name) => Effect.andThen(PubSub.publish(changes, { name }), Effect.sleep(SPREAD)))
  )

  const pollVersions = Effect.gen(function* () {
    const pairs = yield* link.eval(readVersions)()
    const versions = new Map(pairs.flatMap((name, n) => (n % 2 === 0 ? [[name, pairs[n + 1] ?? ""] as const] : [])))
    const before = seen
    seen = versions
    // After an outage everything counts as changed: what this process saved meanwhile is not in Redis.
    if (before === undefined) return yield* Effect.asVoid(Effect.forkIn(publishAllNames, scope))
    for (const name of new Set([...versions.keys(), ...before.keys()])) {
      if (before.get(name) !== versions.get(name)) yield* PubSub.publish(changes, { name })
    }
  }).pipe(Effect.catch(() => Effect.sync(() => (seen = undefined))))

  const poll = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    if (wasFrozen(now)) held = new Set()
    polledAt = now
    if (now - renewedAt >= Duration.toMillis(RedisLeases.RENEW_EVERY)) yield* renew
    yield* pollVersions
  })

  yield* poll
  // Another process can take over at once instead of waiting until the leases expire.
  yield* Effect.addFinalizer(() => Effect.ignore(link.eval(RedisLeases.release)(me, [...sources])))
  yield* poll.pipe(Effect.delay(POLL_EVERY), Effect.forever, Effect.forkScoped)

  return {
    leaseState: Effect.fnUntraced(function* (source: string) {
      if (!sources.has(source)) {
        sources.add(source)
        yield* renew
      }
      const now = yield* Clock.currentTimeMillis
      if (!(yield* link.isUp)) return isMine(source, now) ? ("mine" as const) : ("unknown" as const)
      return isMine(source, now) && isRenewed(now) ? ("mine" as const) : ("other" as const)
    }),

    changes: (source: string, name: string) => {
      names.add(name)
      return Stream.fromPubSub(changes).pipe(
        Stream.filter((change) => ("name" in change ? change.name === name : change.source === source)),
        Stream.map(() => undefined)
      )
    },

    lookups: RedisLookups.make(link, me),

    budget: RedisBudgets.make(link, me)
  } satisfies ReplicasService
})
