import { p2pMarkets } from "../../../src/domain/P2pMarket.ts"
import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import type { Close } from "../../../src/history/model/Close.ts"
import { closes, dayRates, marketCloses } from "../../../src/history/model/PlausiblePast.ts"

const circumstances = { now: DateTime.makeUnsafe("2026-11-20T12:00:00Z"), held: undefined }

const days = (...values: ReadonlyArray<number>): ReadonlyArray<Close> =>
  values.map((close, n) => ({
    bucket: n * 86_400_000,
    open: null,
    high: close * 1e7,
    low: null,
    volume: null,
    close,
    observedAt: (n + 1) * 86_400_000
  }))

const inNaira = marketCloses(p2pMarkets.NGN)

describe("plausible pasts", () => {
  it("a close out of bounds, and one that is many-fold off on both sides, are left out and counted", () => {
    const { leftOut, value } = closes(days(100, 101, 0, 2e9, 900, 102, 103), circumstances)
    assert.deepStrictEqual(
      value?.map(({ close }) => close),
      [100, 101, 102, 103]
    )
    assert.deepStrictEqual([...leftOut], [["past_price", 2]])
  })

  it("a jump that lasts stands", () => {
    assert.strictEqual(closes(days(1, 1, 9, 9, 9), circumstances).value?.length, 5)
  })

  it("an impossible high of a possible day is null", () => {
    assert.deepStrictEqual(
      inNaira(days(1400, 1410), circumstances).value?.map(({ close, high }) => [close, high]),
      [
        [1400, null],
        [1410, null]
      ]
    )
    assert.strictEqual(inNaira(days(1400, 100), circumstances).value?.length, 1)
  })

  it("a rate out of proportion to its currency, or to the day before, is left out", () => {
    const rows = [1380, 13, 1390, 30_000, 1385].map((rate, n) => ({ code: "NGN", date: `2026-11-1${n}`, rate }))
    const { leftOut, value } = dayRates([...rows, { code: "KWD", date: "2026-11-10", rate: 0.3 }], circumstances)
    assert.deepStrictEqual(
      value?.map(({ rate }) => rate),
      [1380, 1390, 1385, 0.3]
    )
    assert.deepStrictEqual([...leftOut], [["past_fiat_rate", 2]])
  })
})
