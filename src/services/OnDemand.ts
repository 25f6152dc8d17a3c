// Answers fetched because a caller asked: one flight per key, kept for a while, bounded in number. When a later fetch fails,
// the last good answer is given again, and the failure is forgotten soon.
import { Cache, Clock, Duration, Effect, Exit } from "effect"
import * as QuestionMetrics from "./QuestionMetrics.ts"
import { OwnOrigin, read } from "./Reads.ts"

/** How soon after a failure the source is asked again about the same key. */
const FAILED_FOR = Duration.seconds(5)

/** Keyed answers. `get` fails only for a key that never had one. */
export interface OnDemand<in K, out A, out E> {
  readonly get: (key: K) => Effect.Effect<A, E>
  /** What is held for a key, without asking anybody. */
  readonly held: (key: K) => Effect.Effect<A | undefined>
}

/** Makes a bounded cache of `fetch`; an answer is good for `goodFor`. */
export const make = <K, A, E>(options: {
  /** What is looked up, for the metrics. */
  readonly name: string
  readonly fetch: (key: K) => Effect.Effect<A, E>
  readonly capacity: number
  readonly goodFor: (answer: A) => Duration.Duration
}): Effect.Effect<OnDemand<K, A, E>> =>
  Effect.gen(function* () {
    const count = QuestionMetrics.ofLookUps(options.name)
    // Map order is recency: the first key is the one longest without a new answer.
    const lastGood = new Map<K, OwnOrigin<A | undefined>>()

    const place = (key: K) => {
      const origin = lastGood.get(key) ?? new OwnOrigin<A | undefined>(undefined)
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

    const cache: Cache.Cache<K, { readonly answer: A; readonly goodFor: Duration.Duration }, E> = yield* Cache.makeWith(
      (key: K) =>
        options.fetch(key).pipe(
          Effect.map((answer) => ({ answer, goodFor: options.goodFor(answer) })),
          Effect.catch((failure) => {
            const answer = lastGood.get(key)?.value
            return answer === undefined ? Effect.fail(failure) : Effect.succeed({ answer, goodFor: FAILED_FOR })
          }),
          Effect.tap(({ answer, goodFor }) =>
            Effect.flatMap(Clock.currentTimeMillis, (now) => remember(key, answer, now + Duration.toMillis(goodFor)))
          )
        ),
      {
        capacity: options.capacity,
        timeToLive: (exit) => (Exit.isSuccess(exit) ? exit.value.goodFor : FAILED_FOR)
      }
    )

    return {
      get: (key) =>
        Cache.has(cache, key).pipe(
          Effect.flatMap(count),
          Effect.andThen(Cache.get(cache, key)),
          Effect.tap(held(key)),
          Effect.map(({ answer }) => answer)
        ),
      held
    }
  })
