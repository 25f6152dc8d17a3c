import { assert, describe, it } from "@effect/vitest"
import * as JumpFilter from "../../../src/domain/JumpFilter.ts"
import type { Snapshot } from "../../../src/domain/Snapshot.ts"
import { coinJumps, fxJumps, globalJumps, historyJumps, quoteJumps } from "../../../src/services/refresh/JumpFilters.ts"
import type { JumpFilter as Filter } from "../../../src/services/refresh/Refresher.ts"
import { coin, instant, NOW } from "../scripted.ts"

const snapshot = <A>(value: A, minute: number): Snapshot<A> => ({
  value,
  source: "A",
  observedAt: instant(NOW + minute * 60_000),
  retrievedAt: instant(NOW + minute * 60_000)
})

/** What is served after each of several answers, a minute apart. */
const served = <A>(filter: Filter<A>, first: A, ...later: ReadonlyArray<A>): ReadonlyArray<A> => {
  let held = snapshot(first, 0)
  let pending = JumpFilter.nothingPending
  return later.map((value, n) => {
    const reviewed = filter(held, snapshot(value, n + 1), pending)
    pending = reviewed.pending
    held = reviewed.snapshot
    return held.value
  })
}

describe("what is held back until it is confirmed", () => {
  it("is a coin's price that jumps, or that is no longer named", () => {
    const prices = (later: number | null) =>
      served(
        coinJumps,
        [coin("a", { price: 10 })],
        ...[1, 2, 3].map(() => [coin("a", { price: later }), coin("b", { price: 1 })])
      ).map((list) => list.map(({ price }) => price))
    assert.deepStrictEqual(prices(10_000), [
      [10, 1],
      [10, 1],
      [10_000, 1]
    ])
    assert.deepStrictEqual(prices(null), [
      [10, 1],
      [10, 1],
      [null, 1]
    ])
    assert.deepStrictEqual(prices(11), [
      [11, 1],
      [11, 1],
      [11, 1]
    ])
  })

  it("is a quote in a fiat, with its time, while the other fiat's goes on", () => {
    const quotes = (eur: number, jpy: number, minute: number) =>
      new Map([
        [
          "bitcoin",
          new Map([
            ["EUR", { price: eur, change_24h: 1, updated: instant(NOW + minute) }],
            ["JPY", { price: jpy, change_24h: 1, updated: instant(NOW + minute) }]
          ])
        ]
      ])
    const [after] = served(quoteJumps, quotes(80_000, 14e6, 0), quotes(80_000_000, 15e6, 1))
    assert.deepStrictEqual(after?.get("bitcoin")?.get("EUR"), quotes(80_000, 0, 0).get("bitcoin")?.get("EUR"))
    assert.deepStrictEqual(after?.get("bitcoin")?.get("JPY"), quotes(0, 15e6, 1).get("bitcoin")?.get("JPY"))
  })

  it("is the whole market's answer where its cap, its volume or a share jumps", () => {
    const market = {
      market_cap: 3e12,
      volume_24h: 1e11,
      market_cap_change_24h: 1,
      btc_dominance: 58,
      eth_dominance: 12,
      active_coins: 2000
    }
    for (const change of [{ market_cap: 3e13 }, { volume_24h: 0 }, { btc_dominance: 5 }, { eth_dominance: 90 }]) {
      const next = { ...market, ...change, active_coins: 2001 }
      assert.deepStrictEqual(served(globalJumps, market, next, next, next), [market, market, next])
    }
    const counted = { ...market, active_coins: 17_000 }
    assert.deepStrictEqual(served(globalJumps, market, counted), [counted])
  })

  it("is a coin's hourly prices, by the last of them", () => {
    const series = (last: number) => [{ id: "a", end: instant(NOW), prices: [last, last] }]
    assert.deepStrictEqual(served(historyJumps, series(10), series(10_000)), [series(10)])
    assert.deepStrictEqual(served(historyJumps, series(10), series(20)), [series(20)])
  })

  it("is a fiat rate, with its day", () => {
    const rates = (EUR: number, day: string) => ({ rates: { EUR }, observed: { EUR: day } })
    const before = rates(0.9, "2026-11-19")
    assert.deepStrictEqual(served(fxJumps, before, rates(9, "2026-11-20")), [before])
  })
})
