// What the page's script computes without a browser. Its lines for other programs are in `Documents.test.ts`.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { quotedFiats } from "../../src/domain/QuotedFiat.ts"
import { timeLabels, valueAxis } from "../../src/http/page/browser/ChartAxes.ts"
import { fiats } from "../../src/http/page/browser/Fiats.ts"

const Price = Schema.Finite.check(Schema.isBetween({ minimum: 1e-12, maximum: 1e9 }))

const DAY = 86_400_000

describe("the axes of a chart", () => {
  it.effect.prop(
    "span all prices by a few equal steps, with a label of its own for each",
    { one: Price, other: Price },
    ({ one, other }) =>
      Effect.sync(() => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)]
        const { labels, values } = valueAxis(low, high)
        const [first = NaN, second = NaN] = values
        const last = values.at(-1) ?? NaN
        assert.isAtMost(first, low * (1 + 1e-12))
        assert.isAtLeast(last, high * (1 - 1e-12))
        assert.isAtLeast(values.length, 2)
        assert.isAtMost(values.length, 7)
        assert.strictEqual(new Set(labels).size, labels.length, labels.join())
        for (const [n, value] of values.entries()) {
          assert.closeTo(value, first + n * (second - first), Math.abs(last) * 1e-12)
        }
      })
  )

  it("label hours by six, a month by its Mondays and a year by its months, in UTC and no closer than there is room", () => {
    const noon = Date.UTC(2026, 10, 21, 12)
    assert.deepStrictEqual(timeLabels(noon, 3_600_000, 24, 9), [
      [0, "12:00"],
      [6, "18:00"],
      [12, "22 Nov"],
      [18, "06:00"]
    ])
    const october = Date.UTC(2026, 9, 24)
    assert.deepStrictEqual(
      timeLabels(october, DAY, 30, 9).map(([slot]) => new Date(october + slot * DAY).getUTCDay()),
      [1, 1, 1, 1]
    )
    const year = Date.UTC(2025, 10, 23)
    const months = timeLabels(year, DAY, 365, 12).map(([, label]) => label)
    assert.deepStrictEqual(months.slice(0, 3), ["Dec", "2026", "Feb"])
    assert.isAtMost(timeLabels(year, DAY, 365, 4).length, 4)
  })
})

it("the page offers the fiats of the contract", () => assert.sameMembers([...fiats], [...quotedFiats]))
