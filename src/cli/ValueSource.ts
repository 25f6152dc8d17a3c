// Where the values of a file come from: a server or the record of the data folder.
import { Effect, Schedule } from "effect"
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

/** After so many failures in a row for one reason, the source is asked no more, and that reason answers every question. */
const MOST_FAILURES = 3

/** Asks a source until it has failed too often. `otherwise` makes the answer of a failure. */
export const makeAsking = () => {
  let [last, failures] = [{ reason: "" }, 0]
  return <A, B>(question: Effect.Effect<A, Failed>, otherwise: (failed: Failed) => B): Effect.Effect<A | B> =>
    Effect.suspend(() => (failures < MOST_FAILURES ? Effect.retry(question, retries) : Effect.fail(last))).pipe(
      Effect.tap(() => Effect.sync(() => void (failures = 0))),
      Effect.catch((failed) =>
        Effect.sync(() => {
          failures = failed.reason === last.reason ? failures + 1 : 1
          last = failed
          return otherwise(failed)
        })
      )
    )
}
