import { assert, describe, it } from "@effect/vitest"
import { make as listOf } from "../../src/domain/CoinList.ts"
import type { Coin } from "../../src/domain/Coin.ts"
import { knownCoins } from "../../src/domain/CoinRegistry.ts"
import type { PriceHistory } from "../../src/domain/PriceHistory.ts"
import { barrierOf, candidatesAt, type MoverCandidate, moversIn } from "../../src/why/Movers.ts"
import { coin, instant, NOW } from "../services/scripted.ts"

const HOUR = 3_600_000

const history = (id: string, price: (hour: number) => number): PriceHistory => ({
  id,
  end: instant(NOW),
  prices: Array.from({ length: 168 }, (_, hour) => price(hour))
})

const noise = (hour: number, seed: number): number => Math.sin(hour * 12.9898 * seed + hour * hour * 0.37 * seed)

const bitcoin = history("bitcoin", (hour) => 60_000 * (1 + 0.01 * noise(hour, 1)))
const ether = history("ethereum", (hour) => 3000 * (1 + 0.01 * noise(hour, 2)))

const read = (one: Coin, own?: PriceHistory, now = NOW, leaders = [bitcoin, ether]) =>
  candidatesAt(
    {
      coins: listOf([one]),
      global: null,
      history: new Map([...leaders, ...(own === undefined ? [] : [own])].map((row) => [row.id, row]))
    },
    instant(now)
  )(one)

const isExcluded = (candidate: MoverCandidate): boolean => barrierOf(candidate) === "excluded_category"

const liquid = (id: string, fields: Partial<Coin> = {}): Coin =>
  coin(id, { rank: 50, market_cap: 1e9, volume_24h: 1e8, change_24h: -30, ...fields })

const free = (id: string, judged = 0): PriceHistory =>
  history(id, (hour) => 5 * (1 + 0.004 * noise(hour, 3)) * (hour >= 144 ? 1 + judged * noise(hour, 5) : 1))

describe("candidates", () => {
  it("have a sigma of the days before the one that is judged", () => {
    const calm = read(liquid("x"), free("x"))
    const wild = read(liquid("x"), free("x", 0.5))
    assert.isAbove(calm.sigma ?? 0, 1)
    assert.strictEqual(wild.sigma, calm.sigma)
    assert.isNull(read(liquid("x"), { ...free("x"), prices: free("x").prices.slice(0, 60) }).sigma)
  })

  it("have a sigma for bitcoin too", () => {
    assert.isAbove(read(liquid("bitcoin"), bitcoin).sigma ?? 0, 1)
  })

  it("leave out what follows bitcoin or ether, at any multiple", () => {
    const wrapped = history("new-btc", (hour) => (bitcoin.prices[hour] ?? 0) * (1 + 0.0004 * noise(hour, 7)))
    const receipt = history("new-eth", (hour) => (ether.prices[hour] ?? 0) * (1.17 + 0.000_01 * hour))
    for (const own of [wrapped, receipt]) {
      assert.isTrue(isExcluded(read(liquid(own.id), own)), own.id)
    }
    assert.isFalse(isExcluded(read(liquid("x"), free("x"))))
  })

  it("work out what a coin follows again when the leaders' prices change", () => {
    const own = history("new-btc", (hour) => bitcoin.prices[hour] ?? 0)
    const first = read(liquid(own.id), own)
    assert.isTrue(isExcluded(first))
    const later = history("bitcoin", (hour) => 60_000 * (1 + 0.01 * noise(hour, 11)))
    const again = read(liquid(own.id), own, NOW, [later, ether])
    assert.isFalse(isExcluded(again))
    assert.notStrictEqual(again.sigma, first.sigma)
    assert.isFalse(isExcluded(read(liquid(own.id), own, NOW, [ether])))
  })

  it("leave out what the registry says is pegged, without any history", () => {
    for (const { id, name, peg } of knownCoins) {
      if (peg !== null) assert.isTrue(isExcluded(read(liquid(id, { name }))), id)
    }
    for (const id of ["solana", "monero", "chainlink"]) assert.isFalse(isExcluded(read(liquid(id), free(id))), id)
  })

  it("leave out a row observed over two hours ago, and a coin without hourly prices", () => {
    const movers = (updated: number, own?: PriceHistory) =>
      moversIn(new Set(), [read(liquid("x", { updated: instant(updated) }), own)])
    assert.deepStrictEqual(movers(NOW - 110 * 60_000, free("x")), ["x"])
    assert.deepStrictEqual(movers(NOW - 15 * HOUR, free("x")), [])
    assert.deepStrictEqual(movers(NOW), [])
    assert.strictEqual(
      barrierOf(read(liquid("x", { updated: instant(NOW - 3 * HOUR) }), free("x"))),
      "unreliable_price"
    )
  })
})

it("a coin whose sources disagree about its price is no mover", () => {
  const one = liquid("a")
  const facts = { coins: listOf([one]), global: null, history: new Map() }
  assert.strictEqual(candidatesAt(facts, instant(NOW))(one).change24h, -30)
  assert.isNull(candidatesAt({ ...facts, disputed: new Set(["a"]) }, instant(NOW))(one).change24h)
})
