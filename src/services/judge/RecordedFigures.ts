// The newest recorded figure of a series, which first answers after a start are compared with.
import { Array as Arr, Clock, Effect, Result } from "effect"
import * as HistoryAccess from "../history/HistoryAccess.ts"
import { CurrentDependencies } from "../refresh/Dependencies.ts"
import type { Figures } from "./Figures.ts"

/** First answers wait this long for the database, which may still be opening. */
const PATIENCE = "1 second"

/** Series per query. */
const AT_ONCE = 500

/** The most keys that are looked up. */
const MOST = 10_000

export interface RecordedFigures {
  /** Looks up those of the keys that were not looked up before. */
  readonly recall: (keys: Iterable<string>) => Effect.Effect<void>
  /** What was found, if it is at most seven days old. */
  readonly of: (key: string) => Figures | undefined
}

/** `seriesOf`: the series of a key; without it nothing is recorded. */
export const make = Effect.fnUntraced(function* (
  seriesOf: ((key: string) => string) | undefined
): Effect.fn.Return<RecordedFigures> {
  const access = yield* HistoryAccess.make
  const found = new Map<string, Figures>()
  const asked = new Set<string>()

  const recall: RecordedFigures["recall"] = Effect.fnUntraced(function* (keys) {
    if (seriesOf === undefined || asked.size >= MOST) return
    const now = yield* Clock.currentTimeMillis
    for (const some of Arr.chunksOf(
      [...keys].filter((key) => !asked.has(key)),
      AT_ONCE
    )) {
      for (const key of some) asked.add(key)
      const recorded = yield* access.newest(new Map(some.map((key) => [seriesOf(key), now]))).pipe(
        Effect.timeout(PATIENCE),
        // An answer that needs the record once does not become outdated with it.
        Effect.provideService(CurrentDependencies, undefined),
        Effect.result
      )
      if (Result.isFailure(recorded)) continue
      for (const key of some) {
        const newest = recorded.success.get(seriesOf(key))
        if (newest !== undefined) found.set(key, [newest.value])
      }
    }
  })

  return { recall, of: (key) => found.get(key) }
})
