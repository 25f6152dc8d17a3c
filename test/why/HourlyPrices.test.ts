// Hourly prices of coins whose histories end at different hours are laid side by side.
import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { inCommon, returnsByHour } from "../../src/why/Statistics.ts"

const historyOf = (end: string, prices: ReadonlyArray<number>) => ({ id: "x", end: DateTime.makeUnsafe(end), prices })

const early = historyOf("2026-11-22T10:00:00Z", [1, 2, 4, 8])

const bothOf = (...both: Parameters<typeof inCommon>) => inCommon(...both).map((values) => Array.from(values))

describe("hourly returns of two coins", () => {
  it("belong to the hour in which they end", () => {
    const returns = returnsByHour(early)
    assert.strictEqual(returns.first, early.end.epochMilliseconds / 3_600_000 - 2)
    assert.deepStrictEqual(Array.from(returns.values), [Math.log(2), Math.log(2), Math.log(2)])
    assert.strictEqual(returnsByHour(early), returns)
  })

  it("are compared at the hours that both have", () => {
    const own = returnsByHour(early)
    const led = returnsByHour(historyOf("2026-11-22T11:40:00Z", [10, 30, 90]))
    assert.deepStrictEqual(bothOf(own, led), [[Math.log(2)], [Math.log(3)]])
    assert.deepStrictEqual(bothOf(led, own), [[Math.log(3)], [Math.log(2)]])
    assert.deepStrictEqual(bothOf(own, returnsByHour(historyOf("2026-11-23T10:00:00Z", [1, 2]))), [[], []])
    assert.deepStrictEqual(bothOf(own, returnsByHour(historyOf("2026-11-22T10:00:00Z", []))), [[], []])
  })
})
