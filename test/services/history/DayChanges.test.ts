// The change of a fiat on the exchanges over 24 hours, from what is recorded.
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { ofSpotFiats } from "../../../src/history/store/SnapshotRows.ts"
import * as Snapshot from "../../../src/domain/Snapshot.ts"
import * as DayChanges from "../../../src/services/history/DayChanges.ts"
import { layerRecord, newestOf } from "../../history/layerRecord.ts"
import { rule } from "../../rulesOf.ts"
import { atNoon, instant, NOW } from "../scripted.ts"

const HOUR = 3_600_000

const rateAt = (rate: number, at: number) =>
  Snapshot.make({
    value: { rate, confidence: "low" as const },
    source: "Kraken",
    observedAt: instant(at),
    retrievedAt: instant(at)
  })

/** The change of a euro at 0.88 now, if it was 0.8 some hours ago. */
const changeSince = Effect.fnUntraced(function* (hours: number) {
  yield* atNoon
  const [observation] = ofSpotFiats(new Map([["EUR", rateAt(0.8, NOW - hours * HOUR)]]))
  assert.isDefined(observation)
  const record = layerRecord({
    newestAt: newestOf((times) =>
      Effect.succeed({
        observations: new Map([...times.keys()].map((name) => [name, [observation]])),
        hours: new Map(),
        days: new Map()
      })
    )
  })
  const { series } = observation
  const now = { value: 0.88, kind: null, observedAt: NOW }
  const changeOf = yield* DayChanges.make({
    name: "the change of a test",
    inputs: [(react) => react],
    gather: () => "1 minute",
    times: Effect.succeed(new Map([[series, NOW]]))
  }).pipe(Effect.provide(record))
  assert.isUndefined(yield* changeOf(series, now))
  yield* TestClock.adjust("61 seconds")
  for (let turn = 0; turn < 20; turn++) yield* Effect.yieldNow
  return yield* changeOf(series, now)
})

describe("the change of a fiat on the exchanges", () => {
  rule("is against its recorded rate of 24 hours ago", function* () {
    assert.closeTo((yield* changeSince(24)) ?? 0, 10, 1e-9)
    assert.closeTo((yield* changeSince(24.9)) ?? 0, 10, 1e-9)
  })

  rule("is unknown where that is more than an hour older", function* () {
    assert.isUndefined(yield* changeSince(25.1))
  })
})
