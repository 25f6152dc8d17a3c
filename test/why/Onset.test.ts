// When a move began, by the hours up to the time of the explanation.
import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { findOnset } from "../../src/why/Onset.ts"

const start = DateTime.makeUnsafe("2026-11-22T00:00:00Z")

/** Flat for a day, then up 12 % within one hour, the last. */
const prices = [...Array.from({ length: 25 }, () => 100), 112]

const onsetAt = (hour: number, price = prices) =>
  findOnset(DateTime.add(start, { hours: hour }), 1, {
    id: "x",
    end: DateTime.add(start, { hours: price.length - 1 }),
    prices: price
  })

describe("the start of a move", () => {
  it("is in the hour that has just ended, if that is when the price moved", () => {
    assert.deepStrictEqual(onsetAt(25), {
      at: DateTime.toEpochMillis(DateTime.add(start, { hours: 24 })),
      sharp: true,
      known: true
    })
  })

  it("is sharp only where the first hours rise further than the hours before usually do", () => {
    const restless = Array.from({ length: 30 }, (_, hour) => (hour % 2 === 0 ? 100 : 103))
    const flat = Array.from({ length: 25 }, () => 100)
    assert.deepInclude(onsetAt(55, [...restless, ...flat, 106]), { sharp: false, known: true })
    assert.deepInclude(onsetAt(55, [...restless, ...flat, 125]), { sharp: true, known: true })
  })

  it("is in the first large leg of a move that rested, not in the last", () => {
    const rested = [...Array.from({ length: 25 }, () => 100), 104, 106, 106, 106, 106, 106, 106, 112, 116]
    assert.strictEqual(onsetAt(33, rested).at, DateTime.toEpochMillis(DateTime.add(start, { hours: 24 })))
  })

  it("is not in a drift of less than a tenth of the move", () => {
    const drifted = [...Array.from({ length: 25 }, () => 100), 100.3, 100.5, 100.6, 100.7, 106, 112, 116]
    assert.strictEqual(onsetAt(31, drifted).at, DateTime.toEpochMillis(DateTime.add(start, { hours: 28 })))
  })

  it("is not in a first rise of less than two fifths of the largest leg", () => {
    const crept = [...Array.from({ length: 25 }, () => 100), 102, 102, 102, 106, 112, 116]
    assert.strictEqual(onsetAt(30, crept).at, DateTime.toEpochMillis(DateTime.add(start, { hours: 27 })))
  })

  it("is after the lowest price: a rise that was lost again is another move", () => {
    const lost = [...Array.from({ length: 25 }, () => 100), 106, 112, 100, 94, 100, 106, 112]
    assert.strictEqual(onsetAt(31, lost).at, DateTime.toEpochMillis(DateTime.add(start, { hours: 28 })))
  })

  it("is not in an hour that has not ended", () => {
    assert.isFalse(onsetAt(24).known)
  })

  it("is not where a price is 0", () => {
    assert.deepStrictEqual(onsetAt(25, prices.with(12, 0)), onsetAt(25))
  })
})
