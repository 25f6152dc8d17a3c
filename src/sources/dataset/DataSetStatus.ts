// How the fetches of one data set go, for `/v1/sources` and the doctor. The last success is what is held; the last failure is kept
// here by its reason and message, which never contain text of the source.
import { DateTime, Effect, Option } from "effect"
import type { Snapshot } from "../../domain/Snapshot.ts"
import type { SourceError } from "../client/SourceError.ts"

/** A failed fetch. `at` by our clock. A fetch that our own budget withholds leaves the failure that is not over yet. */
export interface Failure {
  readonly at: DateTime.Utc
  readonly reason: SourceError["reason"]["_tag"]
  /** The message of the error. While the circuit is open: of the failure that opened it. */
  readonly message: string
}

/** How the fetches of one data set go. */
export interface DataSetStatus {
  /** The times of what is held; it was retrieved by the last success. */
  readonly held: Pick<Snapshot<unknown>, "observedAt" | "retrievedAt"> | null
  /** The last failure since the start, also where a success has followed it. */
  readonly failed: Failure | null
}

/** Records the failures of one data set. */
export const make = <A>(last: Effect.Effect<Option.Option<Snapshot<A>>>) => {
  let failed: Failure | null = null
  const note = Effect.fnUntraced(function* (error: SourceError) {
    const at = yield* DateTime.now
    const held = Option.getOrNull(yield* last)
    const reason = error.reason._tag
    const isGoingOn = failed !== null && (held === null || DateTime.isLessThan(held.retrievedAt, failed.at))
    if (reason === "OverBudget" && failed !== null && isGoingOn) return
    const message = reason === "Suspended" && failed !== null ? failed.message : error.message
    failed = { at, reason, message }
  })
  return {
    /** The same effect; its failures are recorded. */
    noting: <B>(get: Effect.Effect<B, SourceError>): Effect.Effect<B, SourceError> => Effect.tapError(get, note),
    status: Effect.map(last, (held): DataSetStatus => ({ held: Option.getOrNull(held), failed }))
  }
}
