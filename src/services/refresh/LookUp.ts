// Data that is fetched on demand: one request in flight per key, cached, bounded in number, shared by replicas. If a
// later fetch fails or is slow, the last good answer is served, as long as it is not too old.
import {
  Array as Arr,
  Cache,
  Clock,
  DateTime,
  Duration,
  Effect,
  Exit,
  Fiber,
  Option,
  Request,
  RequestResolver,
  Result
} from "effect"
import { SourceError, TimedOut, Unusable } from "../../sources/client/SourceError.ts"
import * as Age from "../../sources/dataset/Age.ts"
import * as SharedLookups from "../../sources/dataset/SharedLookups.ts"
import { notCacheable, VersionedRef, read } from "./Dependencies.ts"
import * as Patience from "./Patience.ts"
import * as RefreshMetrics from "./RefreshMetrics.ts"

/** If a fetch takes longer, the last good answer is served. */
const STAND_IN_AFTER = Duration.seconds(1)

/** How long a look-up waits for others to share its call. */
const GATHERED_FOR = Duration.millis(20)

export interface LookUp<out A> {
  /** Waits at most {@link Patience.LOOKUP}. Never returns data that is too old to be served. */
  readonly get: (key: string) => Effect.Effect<A, SourceError>
  /** The last good answer for a key, of any age; calls no source. */
  readonly lastGood: (key: string) => Effect.Effect<A | undefined>
}

/** `topic` names the look-up in metrics too. */
export interface LookUpOptions<A> extends SharedLookups.Topic<A> {
  /** The source's name, as in stamps. */
  readonly source: string
  /** The most keys of one call; with 1 no look-up waits for others. */
  readonly batch: number
  /** Replaces answers that are not believed, also those of other replicas; `none` counts as a failure. */
  readonly believed: (answers: ReadonlyArray<A>) => Effect.Effect<(answer: A) => Option.Option<A>>
  /** The last moment at which an answer may be served, epoch milliseconds. */
  readonly servableUntil: (answer: A, retrievedAt: number) => number
  readonly capacity: number
}

interface LookUpRequest<A> extends Request.Request<CachedOutcome<A>> {
  readonly key: string
}

/** Makes the look-up. A fetch that began is finished even when its callers have left. */
export const make = Effect.fnUntraced(function* <A>(options: LookUpOptions<A>) {
  const { batch, believed, capacity, servableUntil, source, topic } = options
  const count = yield* RefreshMetrics.ofLookUps(topic)
  const scope = yield* Effect.scope
  const ask = yield* SharedLookups.make(options)
  const failure = (reason: SourceError["reason"]) => new SourceError({ source, reason })
  /** By recency: the first key has been without a new answer for longest. */
  const lastGood = new Map<string, VersionedRef<LastGood<A> | undefined>>()

  const resolver = RequestResolver.make<LookUpRequest<A>>(
    Effect.fnUntraced(function* (entries) {
      const outcomes = yield* ask(entries.map(({ request }) => request.key))
      const servable = yield* believed(Arr.getSuccesses(Array.from(outcomes.values(), ({ result }) => result)))
      const retrievedAt = yield* DateTime.now
      for (const { completeUnsafe, request } of entries) {
        const found = outcomes.get(request.key)
        if (found === undefined) continue
        const result = Result.flatMap(found.result, (answer) =>
          Result.fromOption(servable(answer), () => failure(new Unusable({ detail: "data that is not believed" })))
        )
        completeUnsafe(Exit.succeed({ ...found, result, retrievedAt }))
      }
    })
  ).pipe(RequestResolver.batchN(batch), RequestResolver.setDelay(batch === 1 ? Duration.zero : GATHERED_FOR))

  const refOf = (key: string) => lastGood.get(key) ?? new VersionedRef<LastGood<A> | undefined>(undefined)

  /** Responses built from now on are valid for `keptFor`, unless the answer is replaced or too old before. */
  const holdFor = (ref: VersionedRef<LastGood<A> | undefined>, keptFor: Duration.Duration, now: number) => {
    ref.due = now + Duration.toMillis(keptFor)
    ref.goodUntil = Math.min(ref.due, ref.value?.servableUntil ?? Infinity)
  }

  /** Marks a key as the most recent, and evicts the oldest one if there are more than the capacity. */
  const touch = Effect.fnUntraced(function* (key: string) {
    const ref = refOf(key)
    lastGood.delete(key)
    lastGood.set(key, ref)
    const [oldest] = lastGood.keys()
    if (lastGood.size > capacity && oldest !== undefined) {
      // Responses built from this entry become outdated with it.
      lastGood.get(oldest)?.replace(undefined)
      lastGood.delete(oldest)
      yield* Cache.invalidate(cache, oldest)
    }
    return ref
  })

  const fetch = Effect.fnUntraced(function* (key: string): Effect.fn.Return<CachedOutcome<A>> {
    const { goodFor, result, retrievedAt } = yield* Effect.request(Request.of<LookUpRequest<A>>()({ key }), resolver)
    const now = retrievedAt.epochMilliseconds
    const keptFor = Result.isSuccess(result) ? goodFor : Duration.max(goodFor, SharedLookups.FAILED_FOR)
    const ref = Result.isSuccess(result) ? yield* touch(key) : lastGood.get(key)
    if (Result.isSuccess(result)) {
      ref?.replace({ answer: result.success, servableUntil: servableUntil(result.success, now) })
    } else yield* Effect.logDebug(`look-up of ${topic}: ${result.failure.message}`)
    if (ref !== undefined) holdFor(ref, keptFor, now)
    return { result, goodFor: keptFor, retrievedAt }
  })

  const cache: Cache.Cache<string, CachedOutcome<A>> = yield* Cache.makeWith(fetch, {
    capacity,
    timeToLive: Exit.match({ onSuccess: ({ goodFor }) => goodFor, onFailure: () => SharedLookups.FAILED_FOR })
  })

  /** The outcome of a fetch; `none` if it takes longer than the caller waits. */
  const outcome = Effect.fnUntraced(function* (key: string) {
    const now = yield* DateTime.now
    const settled = yield* Cache.getSuccess(cache, key)
    // After our clock was set back, an entry with a later time would not expire until that time.
    if (Option.exists(settled, (kept) => Age.isAhead(kept, now))) yield* Cache.invalidate(cache, key)
    else if (Option.isSome(settled)) return settled
    const canStandIn = (lastGood.get(key)?.value?.servableUntil ?? -Infinity) >= now.epochMilliseconds
    const left = yield* Patience.remaining("lookup")
    const fetching = yield* Effect.forkIn(Cache.get(cache, key), scope, { startImmediately: true })
    return yield* Effect.timeoutOption(Fiber.join(fetching), canStandIn ? Duration.min(left, STAND_IN_AFTER) : left)
  })

  const get = Effect.fnUntraced(function* (key: string): Effect.fn.Return<A, SourceError> {
    yield* count(yield* Cache.has(cache, key))
    const found = yield* outcome(key)
    const ref = lastGood.get(key)
    // The running fetch may fail, and then replaces nothing.
    if (ref !== undefined && Option.isNone(found))
      holdFor(ref, SharedLookups.FAILED_FOR, yield* Clock.currentTimeMillis)
    const last = ref === undefined ? undefined : yield* read(ref)
    if (last !== undefined && (yield* Clock.currentTimeMillis) <= last.servableUntil) return last.answer
    if (Option.isNone(found)) return yield* failure(new TimedOut({ seconds: Duration.toSeconds(Patience.LOOKUP) }))
    return yield* Result.isFailure(found.value.result)
      ? found.value.result.failure
      : failure(new Unusable({ detail: "data that is too old" }))
  })

  return {
    get,
    lastGood: (key) =>
      // A key without an answer is read too, so that a response built without it becomes outdated when an answer arrives.
      Effect.suspend(() => {
        const ref = refOf(key)
        if (!lastGood.has(key) && lastGood.size >= capacity) return Effect.as(notCacheable, undefined)
        lastGood.set(key, ref)
        return Effect.map(read(ref), (last) => last?.answer)
      })
  } satisfies LookUp<A>
})

interface CachedOutcome<A> extends SharedLookups.Outcome<A> {
  readonly retrievedAt: DateTime.Utc
}

interface LastGood<A> {
  readonly answer: A
  readonly servableUntil: number
}
