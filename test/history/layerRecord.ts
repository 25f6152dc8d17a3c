// A record in which nothing is found, but for what a test says.
import { Effect, Layer } from "effect"
import type { Observation, Point } from "../../src/history/model/Point.ts"
import type { BySeries } from "../../src/history/store/HistoryReader.ts"
import { asking, History, type HistoryService, type Stored } from "../../src/history/store/History.ts"

const nothing: Stored = {
  observedUntil: Effect.succeed(0),
  points: () => Effect.succeed(new Map()),
  lastBucket: () => Effect.undefined,
  newestAt: () => Effect.succeed({ observations: new Map(), hours: new Map(), days: new Map() }),
  spans: () => Effect.succeed(new Map()),
  names: () => Effect.succeed([]),
  count: () => Effect.succeed({ buckets: 0, missing: 0 }),
  fixings: () => Effect.succeed([]),
  fixingSpan: () => Effect.succeed({ first: null, last: null }),
  recordPiece: () => Effect.succeed([]),
  backfilled: () => 0,
  claim: () => Effect.succeed(true),
  unclaim: () => Effect.void,
  pieces: () => Effect.succeed(new Map())
}

interface Rows {
  readonly observations: BySeries<Observation>
  readonly hours: BySeries<Point>
  readonly days: BySeries<Point>
}

/** What the record says of the newest rows of each series. */
export type FindNewest = (times: ReadonlyMap<string, number>, reach: number) => Effect.Effect<Rows>

/** The rows that are found, for the times that were asked for. */
export const newestOf =
  (find: FindNewest): Stored["newestAt"] =>
  (pairs, reach) => {
    const times = new Map(pairs)
    const timed = <A extends { readonly series: string }>(rows: BySeries<A>) =>
      new Map(
        Array.from(rows, ([series, some]) => [
          series,
          some.map((row) => ({ ...row, askedFor: times.get(series) ?? 0 }))
        ])
      )
    return Effect.map(find(times, reach), ({ days, hours, observations }) => {
      return { observations: timed(observations), hours: timed(hours), days: timed(days) }
    })
  }

export const layerRecord = (stored: Partial<Stored>, service: Partial<HistoryService> = {}): Layer.Layer<never> =>
  Layer.succeed(History, {
    offer: () => Effect.succeed(true),
    ask: asking({ ...nothing, ...stored }),
    version: () => 0,
    backfilled: () => 0,
    pendingSince: () => undefined,
    ...service
  })
