// What a handler notes of its answer beside the body: what guards check, and how to write the body for another amount.
import { type BigDecimal, Context, type DateTime, Effect } from "effect"
import type { Confidence } from "../../domain/P2pRate.ts"

export interface Notes {
  /** The time of the data, for `max_age`. */
  readonly updated?: DateTime.Utc
  /** The price or rate, for `expect`. */
  readonly rate?: number
  /** The least confidence of its prices and P2P rates, for `min_confidence`. `null` if one is unknown. An answer of fiat rates alone has none. */
  readonly confidence?: Confidence | null | undefined
  /** Why the confidence lasts: people pay a street rate that this service does not follow, or the rate is of a time that is over. */
  readonly lasting?: "unfollowed" | "past"
  /** Writes the body for an amount, if the rate does not depend on the amount. One answer then serves all amounts. */
  readonly write?: (amount: BigDecimal.BigDecimal) => string
}

/** Collects the notes of the current answer; `undefined` outside of a request. */
export const CurrentNotes = Context.Reference<Notes | undefined>("crypto-data-api/http/response/Notes", {
  defaultValue: () => undefined
})

/** Adds to the notes of the current answer. */
export const note = (notes: Notes): Effect.Effect<void> =>
  Effect.map(CurrentNotes, (current) => void (current && Object.assign(current, notes)))
