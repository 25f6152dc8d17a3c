// A record in which nothing is found, but for what a test says.
import { Effect, Layer } from "effect"
import { asking, History, type HistoryService, type Stored } from "../../src/history/store/History.ts"

const nothing: Stored = {
  points: () => Effect.succeed(new Map()),
  lastBucket: () => Effect.undefined,
  newest: () => Effect.succeed({ observations: new Map(), hours: new Map(), days: new Map() }),
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

export const layerRecord = (stored: Partial<Stored>, service: Partial<HistoryService> = {}): Layer.Layer<never> =>
  Layer.succeed(History, {
    offer: () => Effect.succeed(true),
    ask: asking({ ...nothing, ...stored }),
    version: () => 0,
    backfilled: () => 0,
    pendingSince: () => undefined,
    ...service
  })
