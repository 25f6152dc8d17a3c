import { assert } from "@effect/vitest"
import { TestClock } from "effect/testing"
import { usualMarket } from "../../src/domain/P2pMarket.ts"
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
