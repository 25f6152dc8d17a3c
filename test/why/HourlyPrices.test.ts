// Hourly prices of coins whose histories end at different hours are laid side by side.
import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { inCommon, pricesByHour, returnsByHour } from "../../src/why/HourlyPrices.ts"

const historyOf = (end: string, prices: ReadonlyArray<number>) => ({ id: "x", end: DateTime.makeUnsafe(end), prices })

const early = historyOf("2026-11-22T10:20:00Z", [1, 2, 4, 8])
const late = historyOf("2026-11-22T12:40:00Z", [10, 30, 90])

const bothOf = (...both: Parameters<typeof inCommon>) => inCommon(...both).map((values) => Array.from(values))

describe("hourly values of two coins", () => {
  it("are compared at the hours that both have", () => {
    assert.deepStrictEqual(bothOf(pricesByHour(early), pricesByHour(late)), [[8], [10]])
    assert.deepStrictEqual(bothOf(pricesByHour(late), pricesByHour(early)), [[10], [8]])
    assert.deepStrictEqual(bothOf(pricesByHour(early), pricesByHour(historyOf("2026-11-23T10:00:00Z", [1]))), [[], []])
    assert.deepStrictEqual(bothOf(pricesByHour(early), pricesByHour(historyOf("2026-11-22T10:00:00Z", []))), [[], []])
  })

  it("give returns that belong to the hour in which they end", () => {
    const prices = pricesByHour(early)
    const returns = returnsByHour(early)
    assert.strictEqual(returns.first, prices.first + 1)
    assert.deepStrictEqual(Array.from(returns.values), [Math.log(2), Math.log(2), Math.log(2)])
    assert.strictEqual(inCommon(returns, returnsByHour(late))[0].length, 0)
    assert.strictEqual(returnsByHour(early), returns)
  })
})
