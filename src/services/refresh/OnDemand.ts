// Data that is fetched because a caller asked for it: one flight per key, kept for a while, bounded in number. When a later
// fetch fails or is slow the last good answer stands in for it, as long as the rule of age allows.
import { Cache, Clock, DateTime, Duration, Effect, Exit, Fiber, Option, Result } from "effect"
import { SourceError, TimedOut, Unusable } from "../../sources/client/SourceError.ts"
import * as Age from "../../sources/dataset/Age.ts"
import type { Outcome } from "../../sources/dataset/SharedLookups.ts"
import { VersionedRef, read } from "./Dependencies.ts"
import * as Patience from "./Patience.ts"
import * as RefreshMetrics from "./RefreshMetrics.ts"

/** How soon after a failure the source is asked again about the same key, unless the failure is kept for longer. */
const FAILED_FOR = Duration.seconds(5)

/** How long replicas share a failure: not at all where the source was not called. */
export const failedFor = ({ wasCalled }: SourceError): Duration.Duration => (wasCalled ? FAILED_FOR : Duration.zero)

/** A fetch may take this long before the last good answer is given instead of a new one. */
const STAND_IN_AFTER = Duration.seconds(1)

/** Makes a bounded cache of `fetch`. A fetch that began is finished even when its callers have left. */
export const make = Effect.fnUntraced(function* <K, A>(options: {
  /** What is looked up, for the metrics. */
  readonly name: string
  readonly source: string
  readonly fetch: (key: K) => Effect.Effect<Outcome<A, SourceError>>
  /** The last moment at which an answer may be served, epoch milliseconds. */
  readonly servableUntil: (answer: A, retrievedAt: number) => number
  readonly capacity: number
}) {
  const count = RefreshMetrics.ofLookUps(options.name)
  const scope = yield* Effect.scope
  /** Insertion order is recency: the first key has been without a new answer for longest. */
  const lastGood = new Map<K, VersionedRef<Held<A> | undefined>>()

  const refOf = (key: K) => lastGood.get(key) ?? new VersionedRef<Held<A> | undefined>(undefined)

  /** What is made of an answer from now on is valid for so long, if nothing replaces it and it may be served. */
  const holdFor = (ref: VersionedRef<Held<A> | undefined>, keptFor: Duration.Duration, now: number) => {
    ref.due = now + Duration.toMillis(keptFor)
    ref.goodUntil = Math.min(ref.due, ref.value?.servableUntil ?? Infinity)
  }

  /** Puts a key last, and drops the first where there are too many. */
  const touch = Effect.fnUntraced(function* (key: K) {
    const ref = refOf(key)
    lastGood.delete(key)
    lastGood.set(key, ref)
    const [oldest] = lastGood.keys()
    if (lastGood.size > options.capacity && oldest !== undefined) {
      // Responses that were made from this entry become outdated with it.
      lastGood.get(oldest)?.replace(undefined)
      lastGood.delete(oldest)
      yield* Cache.invalidate(cache, oldest)
    }
    return ref
  })

  const fetch = Effect.fnUntraced(function* (key: K): Effect.fn.Return<Kept<A>> {
    const { goodFor, result } = yield* options.fetch(key)
    const now = yield* Clock.currentTimeMillis
    const keptFor = Result.isSuccess(result) ? goodFor : Duration.max(goodFor, FAILED_FOR)
    const ref = Result.isSuccess(result) ? yield* touch(key) : lastGood.get(key)
    if (Result.isSuccess(result)) {
      ref?.replace({ answer: result.success, servableUntil: options.servableUntil(result.success, now) })
    }
    if (ref !== undefined) holdFor(ref, keptFor, now)
    return { result, goodFor: keptFor, retrievedAt: yield* DateTime.now }
  })

  const cache: Cache.Cache<K, Kept<A>> = yield* Cache.makeWith(fetch, {
    capacity: options.capacity,
    timeToLive: Exit.match({ onSuccess: ({ goodFor }) => goodFor, onFailure: () => FAILED_FOR })
  })

  /** The outcome of a fetch; nothing when it takes longer than the caller waits. */
  const outcome = Effect.fnUntraced(function* (key: K) {
    const now = yield* DateTime.now
    const settled = yield* Cache.getSuccess(cache, key)
    // What was kept before our clock was set back would otherwise stay until that time comes.
    if (Option.exists(settled, (kept) => Age.isAhead(kept, now))) yield* Cache.invalidate(cache, key)
    else if (Option.isSome(settled)) return settled
    const canStandIn = (lastGood.get(key)?.value?.servableUntil ?? -Infinity) >= now.epochMilliseconds
    const left = yield* Patience.remaining("lookup")
    const fetching = yield* Effect.forkIn(Cache.get(cache, key), scope, { startImmediately: true })
    return yield* Effect.timeoutOption(Fiber.join(fetching), canStandIn ? Duration.min(left, STAND_IN_AFTER) : left)
  })

  const get = Effect.fnUntraced(function* (key: K): Effect.fn.Return<A, SourceError> {
    yield* count(yield* Cache.has(cache, key))
    const found = yield* outcome(key)
    const ref = lastGood.get(key)
    // The fetch that is under way may fail, and replace nothing.
    if (ref !== undefined && Option.isNone(found)) holdFor(ref, FAILED_FOR, yield* Clock.currentTimeMillis)
    const held = ref === undefined ? undefined : yield* read(ref)
    if (held !== undefined && (yield* Clock.currentTimeMillis) <= held.servableUntil) return held.answer
    if (Option.isNone(found)) return yield* failure(new TimedOut({ seconds: Duration.toSeconds(Patience.LOOKUP) }))
    return yield* Result.isFailure(found.value.result)
      ? found.value.result.failure
      : failure(new Unusable({ detail: "data that is too old" }))
  })
  const failure = (reason: SourceError["reason"]) => new SourceError({ source: options.source, reason })

  return {
    /** Waits at most {@link Patience.LOOKUP}. Never answers with data that may not be served any more. */
    get,
    /** The last good answer for a key, whatever its age; asks no source. */
    held: (key: K) =>
      // A key without an answer is noted too: a response that was made without it is outdated when an answer comes.
      Effect.suspend(() => {
        const ref = refOf(key)
        lastGood.set(key, ref)
        return Effect.map(read(ref), (held) => held?.answer)
      })
  }
})

interface Kept<A> extends Outcome<A, SourceError> {
  readonly retrievedAt: DateTime.Utc
}

interface Held<A> {
  readonly answer: A
  readonly servableUntil: number
}
