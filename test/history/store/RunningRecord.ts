// A record in use, and what is observed meanwhile of a series whose observations are kept for ever.
import { Effect, Exit, Layer, Scope } from "effect"
import * as History from "../../../src/history/store/History.ts"
import { observed } from "../records.ts"

/** Not a coin: observations of coins are purged after a day. */
export const SERIES = "kept"

export const START = Date.UTC(2026, 0, 1)

/** The observations with these numbers, one a millisecond. */
export const observations = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => observed(SERIES, START + from + n, from + n + 1))

/** The record of a layer in a scope of its own; `stop` is what the end of the process does. */
export const running = Effect.fnUntraced(function* (layer: Layer.Layer<never>) {
  const scope = yield* Effect.acquireRelease(Scope.make(), (open) => Scope.close(open, Exit.void))
  const context = yield* Layer.buildWithScope(Layer.fresh(layer), scope)
  const history = yield* Effect.provideContext(History.History, context)
  if (history === undefined) return yield* Effect.die("no history")
  return { history, stop: Scope.close(scope, Exit.void) }
})

/** Whether the observation with a number can be read. */
export const isThere = ({ ask }: History.HistoryService, n: number) =>
  Effect.map(
    ask(({ newestAt }) => newestAt(new Map([[SERIES, START + n]]), 0)),
    ({ observations: found }) => found.get(SERIES)?.[0]?.value === n + 1
  )
