// How the refreshes of one data set go, for those who watch over the service: the last success is what is held, the last failure
// is noted here in the words of its error, which never hold text of the source's.
import { DateTime, Effect, Option } from "effect"
import type { Snapshot } from "../../domain/Snapshot.ts"
import type { SourceError } from "../client/SourceError.ts"

/** An attempt that brought nothing. */
export interface Failure {
  readonly at: DateTime.Utc
  readonly reason: SourceError["reason"]["_tag"]
  /** What went wrong, in words. While a circuit rests: what it rests from. */
  readonly message: string
}

/** How the refreshes of one data set go. */
export interface DataSetStatus {
  /** The times of what is held; it was retrieved by the last success. */
  readonly held: Pick<Snapshot<unknown>, "observedAt" | "retrievedAt"> | null
  /** The last failure since the start, also where a success has followed it. */
  readonly failed: Failure | null
}

/** Takes notes for one feed. */
export const make = <A>(last: Effect.Effect<Option.Option<Snapshot<A>>>) => {
  let failed: Failure | null = null
  const note = (error: SourceError) =>
    Effect.map(DateTime.now, (at) => {
      const reason = error.reason._tag
      const message = reason === "Suspended" && failed !== null ? failed.message : error.message
      failed = { at, reason, message }
    })
  return {
    /** The same, its failures noted. */
    noting: <B>(get: Effect.Effect<B, SourceError>): Effect.Effect<B, SourceError> => Effect.tapError(get, note),
    status: Effect.map(last, (held): DataSetStatus => ({ held: Option.getOrNull(held), failed }))
  }
}
