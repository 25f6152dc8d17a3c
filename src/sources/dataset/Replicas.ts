// What replicas share: one of them fetches a data set, the others read its result. Without Redis there are no replicas, and every
// process asks for itself.
import { Context, type Duration, Effect } from "effect"
import type { Counter } from "../client/Budget.ts"

/** Which replica has the lease to fetch a data set. `unknown`: Redis cannot be reached. */
export type LeaseState = "mine" | "other" | "unknown"

/** The result of a look-up as text, by its key. */
export interface SharedResult {
  readonly key: string
  readonly text: string
  /** How long it is valid, or still valid. */
  readonly left: Duration.Duration
}

/** What is known of some keys of a topic, and the right to find out the rest. */
export interface Claim {
  readonly results: ReadonlyArray<SharedResult>
  /** The keys that this process is to look up. No other process that can reach Redis does within the next 6 seconds. */
  readonly mine: ReadonlyArray<string>
  /** Makes it 6 seconds from now, for a look-up that takes longer. */
  readonly renew: Effect.Effect<void>
  /** Passes results of own keys on; does nothing for those whose claim another process has by now. */
  readonly publish: (results: Effect.Effect<ReadonlyArray<SharedResult>>) => Effect.Effect<void>
  /** Gives up the own keys that have no result. */
  readonly release: Effect.Effect<void>
}

/** What replicas share, as one process sees it. */
export interface ReplicasService {
  /**
   * Which replica has the lease of a data set. From the first call on this process takes part in taking and renewing it, so that
   * none has the lease of what it does not fetch.
   */
  readonly leaseState: (name: string) => Effect.Effect<LeaseState>
  /**
   * Runs `react` each time that a data set is to be read again: a snapshot was saved or removed under its name, this process has
   * acquired its lease, or Redis can be reached again.
   */
  readonly onChange: (name: string, react: Effect.Effect<unknown>) => Effect.Effect<void>
  /** Where the calls of a budget are counted for all replicas, by its name: a source may have several. */
  readonly budget: (source: string, name: string) => Counter
  /**
   * The results held for keys of a topic. Of the keys without one this process claims those that no other process has claimed;
   * all when Redis cannot be reached.
   */
  readonly claim: (topic: string, keys: ReadonlyArray<string>) => Effect.Effect<Claim>
}

/** A process that shares nothing: it has every lease, and its own budgets and look-ups alone. */
export const alone: ReplicasService = {
  leaseState: () => Effect.succeed("mine"),
  onChange: () => Effect.void,
  budget: () => ({ take: () => Effect.undefined, pause: () => Effect.void }),
  claim: (_, keys) =>
    Effect.succeed({ results: [], mine: keys, renew: Effect.void, publish: () => Effect.void, release: Effect.void })
}

/** The connection to the other replicas; {@link alone} without Redis. */
export const Replicas = Context.Reference<ReplicasService>("crypto-data-api/sources/dataset/Replicas", {
  defaultValue: () => alone
})
