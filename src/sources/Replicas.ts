// Several equal processes that share one set of sources: one of them asks a source, the others read what it brought. On one
// machine there is nobody to share with, and every process asks for itself.
import { Context, type Effect, type Stream } from "effect"
import type * as Budget from "./Budget.ts"

/** Whose turn it is to ask a source. `alone`: the others cannot be reached, so nobody can say. */
export type Turn = "mine" | "anothers" | "alone"

/** What a process knows of the others. */
export interface ReplicasService {
  /** Whether it falls to this process to ask a source. Whoever has asked for a turn once is in line for it from then on. */
  readonly turn: (source: string) => Effect.Effect<Turn>
  /**
   * Emits whenever it is worth looking at a data set again: something was saved under its name by whichever process or is gone
   * from there, asking its source has fallen to this process, or the others are back in reach.
   */
  readonly news: (source: string, name: string) => Stream.Stream<void>
  /** The budget of a source that all processes share. */
  readonly budget: (source: string, allowances: ReadonlyArray<Budget.Allowance>) => Budget.Shared
}

/** The other processes, if there are any. */
export const Replicas = Context.Reference<ReplicasService | undefined>("crypto-data-api/sources/Replicas", {
  defaultValue: () => undefined
})
