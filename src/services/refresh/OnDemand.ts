// Answers fetched because a caller asked: one flight per key, kept for a while, bounded in number. When a later fetch fails,
// the last good answer is given again, and the failure is forgotten soon.
import { Cache, Clock, Duration, Effect, Exit, Result } from "effect"
import type { Outcome } from "../../sources/dataset/SharedLookups.ts"
import type { SourceError } from "../../sources/client/SourceError.ts"
import * as RefreshMetrics from "./RefreshMetrics.ts"
import { VersionedRef, read } from "./Dependencies.ts"

/** How soon after a failure the source is asked again about the same key, unless the failure is good for longer. */
const FAILED_FOR = Duration.seconds(5)

/** How long a failure is everybody's: no time at all where the source was not even called. */
export const failedFor = ({ wasCalled }: SourceError): Duration.Duration => (wasCalled ? FAILED_FOR : Duration.zero)

/** Keyed answers. `get` fails only for a key that never had one. */
export interface OnDemand<in K, out A, out E> {
  readonly get: (key: K) => Effect.Effect<A, E>
  /** What is held for a key, without asking anybody. */
  readonly held: (key: K) => Effect.Effect<A | undefined>
}

/** Makes a bounded cache of `fetch`. */
export const make = <K, A, E>(options: {
  /** What is looked up, for the metrics. */
  readonly name: string
  readonly fetch: (key: K) => Effect.Effect<Outcome<A, E>>
  readonly capacity: number
}): Effect.Effect<OnDemand<K, A, E>> =>
  Effect.gen(function* () {
    const count = RefreshMetrics.ofLookUps(options.name)
    // Map order is recency: the first key is the one longest without a new answer.
    const lastGood = new Map<K, VersionedRef<A | undefined>>()

    const place = (key: K) => {
      const origin = lastGood.get(key) ?? new VersionedRef<A | undefined>(undefined)
      lastGood.delete(key)
      lastGood.set(key, origin)
      return origin
    }
    const remember = (key: K, answer: A, until: number): Effect.Effect<void> => {
      const origin = place(key)
      origin.replace(answer, until)
      origin.due = until
      if (lastGood.size > options.capacity) for (const oldest of lastGood.keys()) return forget(oldest)
      return Effect.void
    }
    const forget = (key: K) => {
      // Whoever made an answer of it must not take it for what is held: it may be fetched anew.
      lastGood.get(key)?.replace(undefined)
      lastGood.delete(key)
      return Cache.invalidate(cache, key)
    }
    // A place for what is not held yet too: who reads that there is nothing is to notice when there is something.
    const held = (key: K) => Effect.suspend(() => read(lastGood.get(key) ?? place(key)))

    /** What was good last stands in for a failure, but not for long. */
    const orLastGood = (key: K, { goodFor, result }: Outcome<A, E>): Outcome<A, E> => {
      const answer = Result.isSuccess(result) ? result.success : lastGood.get(key)?.value
      return {
        result: answer === undefined ? result : Result.succeed(answer),
        goodFor: Result.isSuccess(result) ? goodFor : Duration.max(goodFor, FAILED_FOR)
      }
    }

    const cache: Cache.Cache<K, Outcome<A, E>> = yield* Cache.makeWith(
      (key: K) =>
        options.fetch(key).pipe(
          Effect.map((outcome) => orLastGood(key, outcome)),
          Effect.tap(({ goodFor, result }) =>
            Result.isFailure(result)
              ? Effect.void
              : Effect.flatMap(Clock.currentTimeMillis, (now) =>
                  remember(key, result.success, now + Duration.toMillis(goodFor))
                )
          )
        ),
      {
        capacity: options.capacity,
        timeToLive: Exit.match({ onSuccess: ({ goodFor }) => goodFor, onFailure: () => FAILED_FOR })
      }
    )

    return {
      get: (key) =>
        Cache.has(cache, key).pipe(
          Effect.flatMap(count),
          Effect.andThen(Cache.get(cache, key)),
          Effect.flatMap(({ result }) => Effect.fromResult(result)),
          Effect.tap(held(key))
        ),
      held
    }
  })
