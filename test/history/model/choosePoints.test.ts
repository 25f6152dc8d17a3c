import { assert, describe, it } from "@effect/vitest"
import { choosePoints } from "../../../src/history/model/choosePoints.ts"
import { noSides, type RecordedPoint } from "../../../src/history/model/Point.ts"

const DAY = 86_400_000
const HOUR = 3_600_000

const point = (fields: Partial<RecordedPoint>): RecordedPoint => ({
  bucket: 0,
  origin: "record",
  revision: 0,
  source: "A",
  observedAt: 1,
  recordedAt: 1,
  open: null,
  high: null,
  low: null,
  close: 1,
  ...noSides,
  ...fields
})

const closes = (points: ReadonlyArray<RecordedPoint>) =>
  choosePoints("day", points, ["record", "B", "C"]).map(({ bucket, close }) => [bucket / DAY, close])

describe("choosePoints", () => {
  it("prefers our own record to sources, and sources in their order, in whatever order they come", () => {
    const all = [
      point({ bucket: DAY, origin: "C", close: 3 }),
      point({ bucket: DAY, origin: "B", close: 2 }),
      point({ bucket: 0, origin: "C", close: 3 }),
      point({ bucket: 0, close: 1 }),
      point({ bucket: 2 * DAY, origin: "E", close: 5 }),
      point({ bucket: 2 * DAY, origin: "D", close: 4 })
    ]
    const expected = [
      [0, 1],
      [1, 2],
      [2, 4]
    ]
    assert.deepStrictEqual(closes(all), expected)
    assert.deepStrictEqual(closes(all.toReversed()), expected)
  })

  it("takes the newest correction, and says when a final point was corrected", () => {
    const corrected = (recordedAt: number) =>
      choosePoints("day", [point({ origin: "B" }), point({ origin: "B", revision: 1, close: 2, recordedAt })], ["B"])
    assert.deepStrictEqual(
      corrected(9 * DAY).map(({ close, revisedAt }) => [close, revisedAt]),
      [[2, 9 * DAY]]
    )
    assert.deepStrictEqual(
      corrected(DAY + HOUR - 1).map(({ close, revisedAt }) => [close, revisedAt]),
      [[2, null]]
    )
  })
})
