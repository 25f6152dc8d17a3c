// Where the values of a file come from: a server or the record of the data folder.
import type { Effect } from "effect"
import type { Moment } from "../history/model/Moment.ts"
import type { Question, RecordedPrice, Sides } from "../services/history/RecordedPrices.ts"

/** The prices of a coin, or a sentence on why there are none. */
export type Answer = RecordedPrice | { readonly reason: string }

export interface ValueSource {
  /** An answer for each question, in their order. */
  readonly prices: (questions: ReadonlyArray<Question>) => Effect.Effect<ReadonlyArray<Answer>>
  /** What a customer pays and gets for 1 USDT in naira at each moment, or why that is not known. */
  readonly sides: (moments: ReadonlyArray<Moment>) => Effect.Effect<ReadonlyArray<Sides | { readonly reason: string }>>
  /** Why there is no naira rate at a moment. */
  readonly noNaira: Effect.Effect<string>
}
