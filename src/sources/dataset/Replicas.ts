// What replicas share: one of them asks a source, the others read its result. Without Redis there are no replicas, and every
// process asks for itself.
import { Context, type Duration, type Effect, type Stream } from "effect"
import type { Allowance } from "../catalog/SourceRecord.ts"
import type * as Budget from "../client/Budget.ts"

/** Which replica has the lease to ask a source. `unknown`: Redis cannot be reached. */
export type LeaseState = "mine" | "other" | "unknown"

/** The lease to look up the keys of one topic that any replica wants. */
export interface LookupLease {
  /** Renews the lease while it runs. Never ends. */
  readonly renewed: Effect.Effect<never>
  /** Takes up to `most` keys that any replica wants and that have no result. */
  readonly wanted: (most: number) => Effect.Effect<ReadonlyArray<string>>
  /** Publishes results, each valid for `millis`; does nothing when the lease was lost. */
  readonly publish: (
    answers: ReadonlyArray<{ readonly key: string; readonly text: string; readonly millis: number }>
  ) => Effect.Effect<void>
  readonly release: Effect.Effect<void>
}

/** Look-ups that replicas make together: wanted keys and results of one topic. */
export interface Lookups {
  /**
   * The results held for these keys and how long they are still valid. Keys without a result are marked as wanted for some
   * seconds. `undefined` when Redis cannot be reached.
   */
  readonly look: (
    keys: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyMap<string, { readonly text: string; readonly left: Duration.Duration }> | undefined>
  /** Takes the lease; `undefined` while another replica has it. */
  readonly acquire: Effect.Effect<LookupLease | undefined>
}

/** What replicas share, as one process sees it. */
export interface ReplicasService {
  /** Which replica has the lease of a source. From the first call on this process takes part in taking and renewing it. */
  readonly leaseState: (source: string) => Effect.Effect<LeaseState>
  /**
   * Emits when a data set is to be read again: a snapshot was saved or removed under its name, this process has acquired the
   * lease of its source, or Redis can be reached again.
   */
  readonly changes: (source: string, name: string) => Stream.Stream<void>
  /** A budget of calls to a source that replicas share, by its name: a source may have several. */
  readonly budget: (source: string, name: string, allowances: ReadonlyArray<Allowance>) => Budget.Shared
  /** The look-ups of one topic that replicas share. */
  readonly lookups: (topic: string) => Lookups
}

/** The connection to the other replicas; `undefined` without Redis. */
export const Replicas = Context.Reference<ReplicasService | undefined>("crypto-data-api/sources/dataset/Replicas", {
  defaultValue: () => undefined
})
