// Answers fetched because a caller asked: one flight per key, kept for a while, bounded in number. When a later fetch fails,
// the last good answer is given again, and the failure is forgotten soon.
import { Cache, Duration, Effect, Exit } from "effect"
import * as QuestionMetrics from "./QuestionMetrics.ts"

/** How soon after a failure the source is asked again about the same key. */
const FAILED_FOR = Duration.seconds(5)

/** Keyed answers. `get` fails only for a key that never had one. */
export interface OnDemand<in K, out A, out E> {
  readonly get: (key: K) => Effect.Effect<A, E>
  /** What is held for a key, without asking anybody. */
  readonly held: (key: K) => A | undefined
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
    const lastGood = new Map<K, A>()

    const remember = (key: K, answer: A) => {
      lastGood.delete(key)
      lastGood.set(key, answer)
      if (lastGood.size > options.capacity) for (const oldest of lastGood.keys()) return void lastGood.delete(oldest)
    }

    const cache = yield* Cache.makeWith<K, { readonly answer: A; readonly goodFor: Duration.Duration }, E>(
      (key) =>
        options.fetch(key).pipe(
          Effect.map((answer) => {
            remember(key, answer)
            return { answer, goodFor: options.goodFor(answer) }
          }),
          Effect.catch((failure) => {
            const answer = lastGood.get(key)
            return answer === undefined ? Effect.fail(failure) : Effect.succeed({ answer, goodFor: FAILED_FOR })
          })
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
          Effect.map(({ answer }) => answer)
        ),
      held: (key) => lastGood.get(key)
    }
  })
