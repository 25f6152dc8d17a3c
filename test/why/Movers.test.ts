import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { barrierOf, type MoverCandidate, step, thresholdOf } from "../../src/why/Movers.ts"
import { asOf } from "./support.ts"

const coin = (id: string, change: number, more: Partial<MoverCandidate> = {}): MoverCandidate => ({
  id,
  name: `Coin ${id}`,
  rank: 50,
  categories: ["layer-1"],
  marketCap: 1e9,
  volume24h: 5e7,
  change24h: change,
  sigma: 2,
  hourly: Array.from({ length: 49 }, (_, i) => 100 + (change * i) / 48),
  isFollower: false,
  ...more
})

const later = (minutes: number): DateTime.Utc => DateTime.makeUnsafe(DateTime.toEpochMillis(asOf) + minutes * 60_000)

describe("movers", () => {
  it("must reach five percent, or two of their own sigmas", () => {
    assert.strictEqual(thresholdOf(coin("a", 0)), 5)
    assert.strictEqual(thresholdOf(coin("a", 0, { sigma: 4 })), 8)
    assert.strictEqual(thresholdOf(coin("a", 0, { sigma: null })), 5)
    const { movers } = step(new Map(), [coin("a", 4.9), coin("b", 5), coin("c", -7, { sigma: 4 })], asOf)
    assert.deepStrictEqual(
      movers.map(({ id }) => id),
      ["b"]
    )
  })

  it("are at most five up and five down, listed by size", () => {
    const coins = Array.from({ length: 16 }, (_, i) =>
      coin(`c${String(i).padStart(2, "0")}`, (i % 2 === 0 ? 1 : -1) * (6 + i))
    )
    const { movers } = step(new Map(), coins, asOf)
    assert.strictEqual(movers.length, 10)
    assert.strictEqual(movers.filter(({ change24h }) => change24h > 0).length, 5)
    assert.deepStrictEqual(
      movers.map(({ change24h }) => Math.abs(change24h)),
      [21, 20, 19, 18, 17, 16, 15, 14, 13, 12]
    )
  })

  it("leave out what has no price of its own", () => {
    const excluded = [
      coin("a", 20, { categories: ["stablecoins"] }),
      coin("b", 20, { name: "Wrapped Bitcoin" }),
      coin("c", 20, { name: "Jito Staked SOL" }),
      coin("d", 20, { categories: ["tokenized-stock"] }),
      coin("e", 20, { isFollower: true }),
      coin("figure-heloc", 20)
    ]
    for (const one of excluded) assert.strictEqual(barrierOf(one), "excluded_category", one.id)
    assert.isNull(barrierOf(coin("f", 20)))
  })

  it("are large, traded and priced soundly", () => {
    assert.strictEqual(barrierOf(coin("a", 20, { rank: 400 })), "below_rank_floor")
    assert.strictEqual(barrierOf(coin("a", 20, { rank: null })), "below_rank_floor")
    assert.strictEqual(barrierOf(coin("a", 20, { volume24h: 1e6 })), "below_liquidity_floor")
    assert.strictEqual(barrierOf(coin("a", 20, { volume24h: 6e6, marketCap: 5e9 })), "below_liquidity_floor")
    assert.strictEqual(barrierOf(coin("a", 20, { hourly: [1, 2] })), "unreliable_price")
    const slip = [...Array.from({ length: 48 }, () => 100), 170]
    assert.strictEqual(barrierOf(coin("a", 70, { hourly: slip })), "unreliable_price")
    assert.isNull(barrierOf(coin("a", 39, { hourly: [...slip.slice(0, -1), 139] })))
  })

  it("have had a price for 48 hours", () => {
    const known = (hours: number) => coin("a", 20, { hourly: Array.from({ length: hours }, () => 100) })
    assert.strictEqual(barrierOf(known(47)), "unreliable_price")
    assert.isNull(barrierOf(known(48)))
  })

  it("stay until they have been under 0.8 of the threshold for half an hour", () => {
    const first = step(new Map(), [coin("a", 5.2)], asOf)
    const second = step(first.state, [coin("a", 4.2)], later(5))
    assert.strictEqual(second.movers.length, 1)
    const third = step(second.state, [coin("a", 3.9)], later(10))
    assert.strictEqual(third.movers.length, 1)
    const back = step(third.state, [coin("a", 4.1)], later(35))
    assert.strictEqual(back.movers.length, 1)
    const under = step(third.state, [coin("a", 3.9)], later(39))
    assert.strictEqual(under.movers.length, 1)
    const gone = step(under.state, [coin("a", 3.9)], later(40))
    assert.deepStrictEqual(gone.movers, [])
    assert.strictEqual(step(gone.state, [coin("a", 4.9)], later(45)).movers.length, 0)
  })
})
