// Several equal processes that share one set of sources: one of them asks a source, the others read what it brought. On one
// machine there is nobody to share with, and every process asks for itself.
import { Context, type Effect, type Stream } from "effect"
import type * as Budget from "./Budget.ts"

/** Whose turn it is to ask a source. `alone`: the others cannot be reached, so nobody can say. */
export type Turn = "mine" | "anothers" | "alone"

/** What a process knows of the others. */
export interface ReplicasService {
  /** Whether it falls to this process to ask a source. */
  readonly turn: (source: string) => Effect.Effect<Turn>
  /** Emits whenever something was saved under a name in the shared store, by whichever process. */
  readonly saved: (name: string) => Stream.Stream<void>
  /**
   * Takes a call out of the budget that all processes share: milliseconds to wait, 0 when it was taken, `undefined` when
   * the shared budget cannot be asked.
   */
  readonly take: (
    source: string,
    allowances: ReadonlyArray<Budget.Allowance>,
    urgency: Budget.Urgency
  ) => Effect.Effect<number | undefined>
}

/** The other processes, if there are any. */
export const Replicas = Context.Reference<ReplicasService | undefined>("crypto-data-api/sources/Replicas", {
  defaultValue: () => undefined
})
