import { assert, describe, it } from "@effect/vitest"
import type { Coin } from "../../src/domain/Coin.ts"
import { barrierOf, type MoverCandidate, moversIn, thresholdOf } from "../../src/why/Movers.ts"

const candidate = (
  id: string,
  change: number,
  more: Partial<MoverCandidate> = {},
  coin: Partial<Coin> = {}
): MoverCandidate => ({
  coin: { id, name: `Coin ${id}`, rank: 50, market_cap: 1e9, volume_24h: 5e7, ...coin },
  change24h: change,
  sigma: 2,
  hourly: Array.from({ length: 49 }, (_, i) => 100 + (change * i) / 48),
  isFollower: false,
  ...more
})

const none: ReadonlySet<string> = new Set()

describe("movers", () => {
  it("must reach five percent, or two of their own sigmas", () => {
    assert.strictEqual(thresholdOf(candidate("a", 0)), 5)
    assert.strictEqual(thresholdOf(candidate("a", 0, { sigma: 4 })), 8)
    assert.strictEqual(thresholdOf(candidate("a", 0, { sigma: null })), 5)
    const coins = [candidate("a", 4.9), candidate("b", 5), candidate("c", -7, { sigma: 4 })]
    assert.deepStrictEqual(moversIn(none, coins), ["b"])
  })

  it("are at most five up and five down, listed by size", () => {
    const sizes = Array.from({ length: 16 }, (_, i) => (i % 2 === 0 ? 1 : -1) * (6 + i))
    const movers = moversIn(
      none,
      sizes.map((size) => candidate(`c${size}`, size))
    )
    assert.deepStrictEqual(
      movers.map((id) => Number(id.slice(1))),
      [-21, 20, -19, 18, -17, 16, -15, 14, -13, 12]
    )
  })

  it("leave out what has no price of its own", () => {
    const excluded = [
      candidate("b", 20, {}, { name: "Wrapped Bitcoin" }),
      candidate("c", 20, {}, { name: "Jito Staked SOL" }),
      candidate("e", 20, { isFollower: true }),
      candidate("figure-heloc", 20)
    ]
    for (const one of excluded) assert.strictEqual(barrierOf(one), "excluded_category", one.coin.id)
    assert.isNull(barrierOf(candidate("f", 20)))
  })

  it("are large, traded and priced soundly", () => {
    const barrier = (coin: Partial<Coin>) => barrierOf(candidate("a", 20, {}, coin))
    assert.strictEqual(barrier({ rank: 400 }), "below_rank_floor")
    assert.strictEqual(barrier({ rank: null }), "below_rank_floor")
    assert.strictEqual(barrier({ volume_24h: 1e6 }), "below_liquidity_floor")
    assert.strictEqual(barrier({ volume_24h: 6e6, market_cap: 5e9 }), "below_liquidity_floor")
    assert.isNull(barrier({ volume_24h: 6e6, market_cap: null }))
    const slip = [...Array.from({ length: 48 }, () => 100), 170]
    assert.strictEqual(barrierOf(candidate("a", 70, { hourly: slip })), "unreliable_price")
    assert.isNull(barrierOf(candidate("a", 39, { hourly: [...slip.slice(0, -1), 139] })))
  })

  it("have had a price for 48 hours", () => {
    const known = (hours: number) => candidate("a", 20, { hourly: Array.from({ length: hours }, () => 100) })
    assert.strictEqual(barrierOf(known(47)), "unreliable_price")
    assert.isNull(barrierOf(known(48)))
  })

  it("stay until they are under 0.8 of the threshold, and before others of their size", () => {
    assert.deepStrictEqual(moversIn(none, [candidate("a", 4.1)]), [])
    assert.deepStrictEqual(moversIn(new Set(["a"]), [candidate("a", 4.1)]), ["a"])
    assert.deepStrictEqual(moversIn(new Set(["a"]), [candidate("a", 3.9)]), [])
    const crowd = ["b", "c", "d", "e", "f"].map((id) => candidate(id, 6))
    assert.notInclude(moversIn(none, [...crowd, candidate("z", 5.5)]), "z")
    assert.include(moversIn(new Set(["z"]), [...crowd, candidate("z", 5.5)]), "z")
  })
})
