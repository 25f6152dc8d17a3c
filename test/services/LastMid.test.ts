import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { usualMarket } from "../../src/domain/P2pMarket.ts"
import { Judgements } from "../../src/services/judge/Judgements.ts"
import * as LastMid from "../../src/services/LastMid.ts"
import { rule } from "../rulesOf.ts"

rule("the last mid of a market decides between venues for seven days", function* () {
  const last = yield* LastMid.make(usualMarket)
  last.replace(1400)
  yield* TestClock.adjust("6 days")
  assert.strictEqual(last.current(), 1400)
  // The same mid again is a newer one.
  last.replace(1400)
  yield* TestClock.adjust("7 days")
  assert.strictEqual(last.current(), 1400)
  yield* TestClock.adjust("1 minute")
  assert.isUndefined(last.current())
})

rule("a saved mid beyond the bounds of its market decides nothing", function* () {
  const saved = (mid: number) =>
    LastMid.make(usualMarket).pipe(
      Effect.provideService(Judgements, {
        join: (_name, { adopt }) => Effect.as(adopt(`[${mid},0]`), () => {}),
        note: () => {},
        passedOverOf: () => []
      })
    )
  assert.strictEqual((yield* saved(1400)).current(), 1400)
  assert.isUndefined((yield* saved(usualMarket.bounds.most + 1)).current())
})
