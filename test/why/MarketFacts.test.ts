import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { make as listOf } from "../../src/domain/CoinList.ts"
import type { PriceHistory } from "../../src/domain/PriceHistory.ts"
import { betaOf as betaOfReturns, categoriesOf, contextOf } from "../../src/why/MarketFacts.ts"
import { median, returnsByHour, slopeOf } from "../../src/why/Statistics.ts"
import { coin, instant, NOW } from "../services/scripted.ts"

const history = (id: string, returns: ReadonlyArray<number>, end = NOW): PriceHistory => ({
  id,
  end: instant(end),
  // Sums of returns from the first price on.
  prices: [0, ...returns].map((_, n) => 100 * Math.exp(returns.slice(0, n).reduce((sum, value) => sum + value, 0)))
})

const betaOf = (coin: PriceHistory, bitcoin: PriceHistory) => betaOfReturns(returnsByHour(coin), returnsByHour(bitcoin))

const wobble = (n: number): ReadonlyArray<number> =>
  Array.from({ length: n }, (_, i) => 0.01 * Math.sin(i * 1.7 + i * i))

const facts = (coins: ReadonlyArray<ReturnType<typeof coin>>, histories: ReadonlyArray<PriceHistory> = []) => ({
  coins: listOf(coins),
  global: null,
  history: new Map(histories.map((one) => [one.id, one]))
})

const ranked = (changes: ReadonlyArray<number | null>) =>
  changes.map((change_24h, n) => coin(`coin-${n}`, { market_cap: 1e9 - n, rank: n + 1, change_24h }))

describe("the market's facts", () => {
  const market = wobble(168)
  const scaled = (k: number, returns = market, end = NOW) =>
    history(
      "x",
      returns.map((r) => k * r),
      end
    )
  const ofMarket = (coin: PriceHistory) => betaOf(coin, history("bitcoin", market)) ?? Number.NaN

  it.prop(
    "the beta of k times bitcoin's returns is k",
    { k: Schema.Finite.check(Schema.isBetween({ minimum: -5, maximum: 5 })) },
    ({ k }) => assert.closeTo(ofMarket(scaled(k)), k, 1e-6)
  )

  it("lays histories that end at different hours side by side by the hour", () => {
    assert.closeTo(ofMarket(scaled(2, market.slice(5))), 2, 1e-6)
    assert.closeTo(ofMarket(scaled(2, market.slice(0, -7), NOW - 7 * 3_600_000)), 2, 1e-6)
  })

  it("has no beta with under four days in common, or of a market that stands still", () => {
    const still = history(
      "bitcoin",
      wobble(100).map(() => 0)
    )
    assert.isNull(betaOf(history("x", wobble(95)), history("bitcoin", wobble(95))))
    assert.isNotNull(betaOf(history("x", wobble(96)), history("bitcoin", wobble(96))))
    assert.isNull(betaOf(history("x", wobble(100)), still))
  })

  it("takes median and breadth of the top hundred without the coin, where the change is known", () => {
    const coins = ranked([50, ...Array.from({ length: 99 }, (_, n) => (n < 40 ? -2 : 3)), -90, -90])
    const first = coins[0] ?? coin("none")
    const seen = contextOf(first, facts(coins))
    assert.strictEqual(seen.top100MedianChange24h, 3)
    assert.strictEqual(seen.top100UpPct, Math.round((59 / 99) * 100))
    const unknown = contextOf(first, facts(ranked([50, null, null, 4])))
    assert.deepStrictEqual([unknown.top100MedianChange24h, unknown.top100UpPct], [4, 100])
    const alone = contextOf(first, facts([first]))
    assert.deepStrictEqual([alone.top100MedianChange24h, alone.top100UpPct], [null, null])
    assert.deepStrictEqual([median([]), median([1]), median([4, 1]), median([9, 1, 5])], [null, 1, 2.5, 5])
  })

  it("finds no slope where nothing varies", () => {
    const [rising, flat] = [Float64Array.of(1, 2, 3), Float64Array.of(3, 3, 3)]
    assert.deepStrictEqual([slopeOf(flat, rising), slopeOf(rising, Float64Array.of(2, 4, 6))], [null, 2])
  })

  it("takes a sector's median without the coin, and says of how many", () => {
    const privacy = ["monero", "zcash", "decred", "dash"]
    for (const id of privacy) assert.include(categoriesOf(id), "privacy-coins")
    const coins = privacy.map((id, n) => coin(id, { market_cap: 1e9 - n, change_24h: [-40, 1, 2, 3][n] ?? null }))
    const monero = coins[0] ?? coin("none")
    const sector = contextOf(monero, facts(coins)).sectors.find(({ id }) => id === "privacy-coins")
    assert.deepStrictEqual(sector, { id: "privacy-coins", change24h: 2, members: 3 })
    assert.isEmpty(contextOf(coin("in-no-sector"), facts(coins)).sectors)
  })
})
