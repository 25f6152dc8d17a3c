import { assert, it } from "@effect/vitest"
import { choosePoints, type Preference } from "../../../src/history/model/choosePoints.ts"
import { type Point } from "../../../src/history/model/Point.ts"
import { told } from "../records.ts"

const DAY = 86_400_000
const HOUR = 3_600_000

const point = (fields: Partial<Point>) =>
  told("a series", "A", 0, 1, { origin: "record", observedAt: 1, recordedAt: 1, ...fields })

const MINUTE = 60_000

/** Our own values hold for ten minutes. */
const preference: Preference = { origins: ["record", "B", "C"], heldFor: () => 10 * MINUTE }

const closes = (points: ReadonlyArray<Point>) =>
  choosePoints("day", points, preference).map(({ bucket, close }) => [bucket / DAY, close])

/** The close of day 0 and when it was revised, whatever the order of its records. */
const chosen = (points: ReadonlyArray<Point>, some = preference) => {
  const [one, other] = [points, points.toReversed()].map((all) =>
    choosePoints("day", all, some).map(({ close, revisedAt }) => [close, revisedAt])
  )
  assert.deepStrictEqual(one, other)
  return one?.[0]
}

it("prefers, of the same moment, our own record to sources, and sources in their order", () => {
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

it("takes the latest observation of a bucket, whoever made it", () => {
  const own = point({ observedAt: 10 * MINUTE, recordedAt: 25 * HOUR })
  const source = point({ origin: "B", observedAt: DAY, recordedAt: 30 * HOUR, close: 2 })
  assert.deepStrictEqual(chosen([own]), [1, null])
  assert.deepStrictEqual(chosen([own, source]), [2, 30 * HOUR])
  const later = point({ observedAt: 23.9 * HOUR, recordedAt: 25 * HOUR })
  assert.deepStrictEqual(chosen([later, { ...source, observedAt: 23 * HOUR }]), [1, null])
})

it("takes another source's candle before a close alone, also one that is known later, and says since when", () => {
  const alone = point({ origin: "B", observedAt: DAY, recordedAt: 30 * HOUR, close: 2 })
  const candle = point({ origin: "C", observedAt: DAY - 1, recordedAt: 50 * HOUR, close: 3, high: 4 })
  assert.deepStrictEqual(chosen([alone, candle]), [3, 50 * HOUR])
  assert.deepStrictEqual(chosen([{ ...alone, recordedAt: 60 * HOUR }, candle]), [3, null])
  const own = point({ observedAt: DAY - MINUTE, recordedAt: 25 * HOUR })
  assert.deepStrictEqual(chosen([own, alone, candle]), [1, null], "what our own record knows stays")
})

it("has the volume of whichever origin knows it, beside our own close", () => {
  const own = point({ observedAt: DAY - MINUTE, recordedAt: 25 * HOUR })
  const candle = point({ origin: "C", observedAt: DAY - 1, recordedAt: 50 * HOUR, close: 3, high: 4, volume: 900 })
  const volumes = (all: ReadonlyArray<Point>) =>
    choosePoints("day", all, preference).map(({ close, revisedAt, volume }) => [close, volume, revisedAt])
  assert.deepStrictEqual(volumes([own, candle]), [[1, 900, null]])
  assert.deepStrictEqual(volumes([own]), [[1, null, null]])
})

it("keeps our own close that reaches the end of the bucket, when a source stamps that end", () => {
  const own = point({ observedAt: DAY - 9 * MINUTE, recordedAt: 25 * HOUR })
  const source = point({ origin: "B", observedAt: DAY + 7_000, recordedAt: 200 * HOUR, close: 2 })
  assert.deepStrictEqual(chosen([own, source]), [1, null])
})

it("takes no source's figure for the correction of another's, once the point is final", () => {
  const published = { origins: ["record", "B", "C"], heldFor: () => 0 }
  const copy = point({ origin: "C", observedAt: 0, recordedAt: HOUR, close: 3 })
  const window = point({ origin: "record", observedAt: 0, recordedAt: 26 * HOUR })
  assert.deepStrictEqual(chosen([copy, window], published), [3, null], "it was final with the copy")
  const inTime = { ...window, recordedAt: 20 * HOUR }
  assert.deepStrictEqual(chosen([copy, inTime], published), [1, null])
  const late = point({ origin: "C", revision: 1, observedAt: 0, recordedAt: 90 * HOUR, close: 4 })
  assert.deepStrictEqual(chosen([copy, late, window], published), [4, 90 * HOUR], "its own source corrects it")
  const [later, latest] = [window, copy].map((one) => ({ ...one, recordedAt: one.recordedAt + 40 * HOUR }))
  if (later !== undefined && latest !== undefined) assert.deepStrictEqual(chosen([later, latest], published), [3, null])
})

it("takes the preferred origin's figure, though it came later, as far as the series says", () => {
  const published: Preference = { origins: ["record", "B", "C"], heldFor: () => 0 }
  const copy = (recordedAt: number) => point({ origin: "C", observedAt: 0, recordedAt, close: 3 })
  const window = point({ origin: "record", observedAt: 0, recordedAt: 66 * HOUR })
  const late = { ...published, replaces: "late" } as const
  assert.deepStrictEqual(chosen([copy(41 * HOUR), window], late), [1, 66 * HOUR], "neither was known in time")
  assert.deepStrictEqual(chosen([copy(HOUR), window], late), [3, null], "it was final with the copy")
  assert.deepStrictEqual(chosen([copy(HOUR), window], { ...published, replaces: "always" }), [1, 66 * HOUR])
})

it("takes the newest correction, and says when a final point was corrected", () => {
  const corrected = (recordedAt: number) =>
    choosePoints("day", [point({ origin: "B" }), point({ origin: "B", revision: 1, close: 2, recordedAt })], preference)
  assert.deepStrictEqual(
    corrected(9 * DAY).map(({ close, revisedAt }) => [close, revisedAt]),
    [[2, 9 * DAY]]
  )
  assert.deepStrictEqual(
    corrected(DAY + HOUR - 1).map(({ close, revisedAt }) => [close, revisedAt]),
    [[2, null]]
  )
})
