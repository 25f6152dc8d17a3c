import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { make as listOf } from "../../src/domain/CoinList.ts"
import type { Explanation } from "../../src/domain/Explanation.ts"
import { explain } from "../../src/why/Explain.ts"
import { inputOf, type RunFacts } from "../../src/why/RunFacts.ts"
import * as RunState from "../../src/why/RunState.ts"
import { asOf, inputFor, item } from "./support.ts"
import { coin } from "../services/scripted.ts"
import { figurePages } from "../../src/sources/catalog/SourceCatalog.ts"

const later = (minutes: number): DateTime.Utc => DateTime.add(asOf, { minutes })

const factsAt = (minutes: number, fields: Partial<RunFacts> = {}): RunFacts => ({
  asOf: later(minutes),
  market: { coins: listOf([]), global: null, history: new Map() },
  source: "CoinGecko",
  observedAt: later(minutes),
  figurePages,
  gathered: { items: [], sourcesOk: 12, sourcesFailed: [], freshShare: 1 },
  publicUrl: "https://api.example",
  ...fields
})

const exploit = item({ title: "Kadena bridge emptied of $40 million by unknown attacker" })

const kadena = (change: number, isExplained = false, freshShare = 1): Explanation => {
  const input = inputFor({ change, evidence: isExplained ? [exploit] : [] })
  return explain({ ...input, coverage: { ...input.coverage, freshShare } }).explanation
}

/** Minutes after the first run at which the coin was first explained, and last revised. */
const datesOf = ({ shown }: RunState.RunState): ReadonlyArray<number> => {
  const [view] = shown?.run.value.movers ?? []
  if (view === undefined) return assert.fail("nothing is shown")
  return [view.first_explained_at, view.revised_at].map(
    (time) => (time.epochMilliseconds - asOf.epochMilliseconds) / 60_000
  )
}

const shownAfter = (...runs: ReadonlyArray<readonly [minutes: number, explanation: Explanation]>): RunState.RunState =>
  runs.reduce((state, [minutes, one]) => RunState.show(state, factsAt(minutes), [one]), RunState.initial)

it("a coin's figures are cited at the page of their own source", () => {
  const market = { ...factsAt(0).market, coins: { ...listOf([]), figures: new Map([["kadena", "CoinPaprika"]]) } }
  const pageOf = (id: string) =>
    inputOf(coin(id), factsAt(0, { source: "CoinGecko + CoinPaprika", market }), []).figures.coinUrl
  assert.include(pageOf("kadena"), "coinpaprika.com")
  assert.include(pageOf("bitcoin"), "coingecko.com")
})

describe("the dates of an explanation", () => {
  it("stay while only the figures move", () => {
    assert.deepStrictEqual(datesOf(shownAfter([0, kadena(-20)], [5, kadena(-23)], [10, kadena(-17)])), [0, 0])
  })

  it("are revised by other evidence, and back again, but first explained once", () => {
    const explained = shownAfter([0, kadena(-20)], [5, kadena(-20, true)])
    assert.deepStrictEqual(datesOf(explained), [0, 5])
    assert.deepStrictEqual(datesOf(RunState.show(explained, factsAt(10), [kadena(-20)])), [0, 10])
  })

  it("begin again with a move the other way, and after six hours off the list", () => {
    assert.deepStrictEqual(datesOf(shownAfter([0, kadena(-20)], [5, kadena(20)])), [5, 5])
    assert.deepStrictEqual(datesOf(shownAfter([0, kadena(-20)], [355, kadena(-20)])), [0, 0])
    assert.deepStrictEqual(datesOf(shownAfter([0, kadena(-20)], [360, kadena(-20)])), [360, 360])
  })

  it("tell of no explanation before feeds enough were fresh", () => {
    const blind = shownAfter([0, kadena(-20, false, 0.3)])
    assert.deepStrictEqual(datesOf(blind), [0, 0])
    const explained = RunState.show(blind, factsAt(5), [kadena(-20, true)])
    assert.deepStrictEqual(datesOf(explained), [5, 5])
    const blindAgain = RunState.show(explained, factsAt(10), [kadena(-20, true, 0.3)])
    assert.deepStrictEqual(datesOf(blindAgain), [5, 10])
  })
})

describe("the state of a process", () => {
  it("has for six hours the last explanation of a coin that left the list", () => {
    const left = RunState.show(shownAfter([0, kadena(-20, true)]), factsAt(5), [])
    assert.deepStrictEqual(left.shown?.run.value.movers, [])
    assert.strictEqual(RunState.lastExplanationOf(left, "kadena", later(359))?.status, "explained")
    assert.isNull(RunState.lastExplanationOf(left, "kadena", later(360)))
    assert.isNull(RunState.lastExplanationOf(left, "radix", later(5)))
    assert.strictEqual(RunState.show(left, factsAt(360), []).explanations.size, 0)
  })

  it("stamps a run over figures that are more than half an hour old with their time", () => {
    const stampOf = (age: number) =>
      RunState.show(RunState.initial, factsAt(0, { observedAt: later(-age) }), []).shown?.run.observedAt
    assert.deepStrictEqual(stampOf(30), asOf)
    assert.deepStrictEqual(stampOf(31), later(-31))
  })
})
