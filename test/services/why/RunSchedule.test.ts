import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration } from "effect"
import { make as listOf } from "../../../src/domain/CoinList.ts"
import { dueAt, pauseAfter } from "../../../src/services/why/RunSchedule.ts"
import type { RunFacts } from "../../../src/why/RunFacts.ts"
import * as RunState from "../../../src/why/RunState.ts"
import { figurePages } from "../../../src/sources/catalog/SourceCatalog.ts"

const minute = 60_000
const at = DateTime.makeUnsafe("2026-11-20T12:00:00Z")

const factsOf = (freshShare: number): RunFacts => ({
  asOf: at,
  market: {
    coins: listOf([]),
    global: null,
    history: new Map([["bitcoin", { id: "bitcoin", end: at, prices: [1] }]])
  },
  source: "CoinGecko",
  observedAt: at,
  figurePages,
  gathered: { items: [], sourcesOk: 1, sourcesFailed: ["OKX"], freshShare },
  publicUrl: "https://api.example"
})

/** A state that is next due a minute after what it shows. */
const stateOf = (freshShare: number): RunState.RunState => ({
  ...RunState.show(RunState.initial, factsOf(freshShare), []),
  nextAt: at.epochMilliseconds + minute
})

describe("the schedule of runs", () => {
  it("is every five minutes once everything is there, sooner after a start and while something is missing", () => {
    const pauses = (complete: boolean) =>
      [0, 19_999, 20_000, 179_999, 180_000, Infinity].map((uptime) => Duration.toSeconds(pauseAfter(uptime, complete)))
    assert.deepStrictEqual(pauses(true), [5, 5, 300, 300, 300, 300])
    assert.deepStrictEqual(pauses(false), [1, 1, 5, 5, 60, 60])
  })

  it("is due a quarter of an hour later where another process explains, or is out of reach and had everything", () => {
    const due = (freshShare: number) =>
      (["mine", "other", "unknown"] as const).map(
        (lease) => (dueAt(stateOf(freshShare), lease) - at.epochMilliseconds) / minute
      )
    assert.deepStrictEqual(due(1), [1, 15, 15])
    assert.deepStrictEqual(due(0.5), [1, 15, 1])
  })

  it("is due at once where nothing is shown, with the lease or without", () => {
    for (const lease of ["mine", "other", "unknown"] as const) assert.strictEqual(dueAt(RunState.initial, lease), 0)
  })
})
