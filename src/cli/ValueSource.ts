// Where the values of a file come from: a server or the record of the data folder.
import { Clock, Duration, Effect, Result, Schedule } from "effect"
import type { Moment } from "../history/model/Moment.ts"
import type { Question, RecordedPrice, Sides } from "../services/history/RecordedPrices.ts"

/** A sentence on why there is no answer. */
export interface Failed {
  readonly reason: string
}

/** The prices of a coin, or why there are none. */
export type Answer = RecordedPrice | Failed

export interface ValueSource {
  /** An answer for each question, in their order. */
  readonly prices: (questions: ReadonlyArray<Question>) => Effect.Effect<ReadonlyArray<Answer>>
  /** What a customer pays and gets for 1 USDT in naira at each moment, or why that is not known. */
  readonly sides: (moments: ReadonlyArray<Moment>) => Effect.Effect<ReadonlyArray<Sides | Failed>>
  /** Why there is no naira rate at a moment. */
  readonly noNaira: Effect.Effect<string>
}

/** How often a question is asked again while the source does not answer. */
const retries = { times: 3, schedule: Schedule.spaced("1 second") }

/** After so many failures in a row for one reason, that reason answers each question for a while. Then the source is asked again. */
const MOST_FAILURES = 3
const REST = Duration.toMillis("5 seconds")

/** Asks a source, with rests while it fails. `otherwise` makes the answer of a failure. */
export const makeAsking = () => {
  let [last, failures, failedAt] = [{ reason: "" }, 0, 0]
  const isResting = (now: number) => failures >= MOST_FAILURES && now >= failedAt && now < failedAt + REST
  return Effect.fnUntraced(function* <A, B>(question: Effect.Effect<A, Failed>, otherwise: (failed: Failed) => B) {
    if (isResting(yield* Clock.currentTimeMillis)) return otherwise(last)
    const asked = yield* Effect.result(Effect.retry(question, retries))
    if (Result.isSuccess(asked)) {
      failures = 0
      return asked.success
    }
    failures = asked.failure.reason === last.reason ? failures + 1 : 1
    last = asked.failure
    failedAt = yield* Clock.currentTimeMillis
    return otherwise(last)
  })
}
