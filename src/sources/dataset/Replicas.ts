// Several equal processes that share one set of sources: one of them asks a source, the others read what it brought. On one
// machine there is nobody to share with, and every process asks for itself.
import { Context, type Duration, type Effect, type Stream } from "effect"
import type * as Budget from "../client/Budget.ts"

/** Whose turn it is to ask a source. `alone`: the others cannot be reached, so nobody can say. */
export type LeaseState = "mine" | "anothers" | "alone"

/** The right to ask what all processes want to know about one topic. */
export interface LookupLease {
  /** Keeps it, for as long as this runs. Never ends. */
  readonly renewed: Effect.Effect<never>
  /** Up to so many keys that are wanted, by whichever process, and not known. */
  readonly wanted: (most: number) => Effect.Effect<ReadonlyArray<string>>
  /** Says what came of it, each for its milliseconds; says nothing if another has the claim by now. */
  readonly publish: (
    answers: ReadonlyArray<{ readonly key: string; readonly text: string; readonly millis: number }>
  ) => Effect.Effect<void>
  readonly release: Effect.Effect<void>
}

/** What the processes want to know about one topic, by key, and what they know of it. */
export interface Lookups {
  /**
   * What is known of these keys, and how long it still holds; what is not known is wanted from now on, for some seconds.
   * `undefined` when the others cannot be reached.
   */
  readonly look: (
    keys: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyMap<string, { readonly text: string; readonly left: Duration.Duration }> | undefined>
  /** One process at a time asks; `undefined` while another does. */
  readonly acquire: Effect.Effect<LookupLease | undefined>
}

/** What a process knows of the others. */
export interface ReplicasService {
  /** Whether it falls to this process to ask a source. Whoever has asked for a turn once is in line for it from then on. */
  readonly leaseState: (source: string) => Effect.Effect<LeaseState>
  /**
   * Emits whenever it is worth looking at a data set again: something was saved under its name by whichever process or is gone
   * from there, asking its source has fallen to this process, or the others are back in reach.
   */
  readonly changes: (source: string, name: string) => Stream.Stream<void>
  /** The budget of a source that all processes share. */
  readonly budget: (source: string, allowances: ReadonlyArray<Budget.Allowance>) => Budget.Shared
  /** The questions about a topic that all processes share. */
  readonly lookups: (topic: string) => Lookups
}

/** The other processes, if there are any. */
export const Replicas = Context.Reference<ReplicasService | undefined>("crypto-data-api/sources/dataset/Replicas", {
  defaultValue: () => undefined
})
