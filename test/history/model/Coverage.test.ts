import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { filled, gaps, latest } from "../../../src/history/model/Coverage.ts"
import { bucketsBetween } from "../../../src/history/model/Interval.ts"

const HOUR = 3_600_000
const range = { interval: "hour", first: 10 * HOUR, last: 29 * HOUR } as const
const Buckets = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 40 })))

const pointsOf = (hours: ReadonlyArray<number>) =>
  [...new Set(hours)].sort((a, b) => a - b).map((hour) => ({ bucket: hour * HOUR, observedAt: hour * HOUR + 7 }))

it.prop("points and gaps together are the range, each bucket once", { hours: Buckets }, ({ hours }) => {
  const points = pointsOf(hours)
  const inRange = points.filter(({ bucket }) => bucket >= range.first && bucket <= range.last)
  const missing = gaps(range, points)
  const all = [
    ...inRange.map(({ bucket }) => bucket),
    ...missing.flatMap(({ from, to }) => bucketsBetween("hour", from, to))
  ]
  assert.deepStrictEqual(
    all.sort((a, b) => a - b),
    bucketsBetween("hour", range.first, range.last)
  )
  for (const [n, gap] of missing.entries()) assert.isAbove(gap.from, (missing[n - 1]?.to ?? -Infinity) + HOUR)
})

it.prop("filling repeats the point before, with its own time of observation", { hours: Buckets }, ({ hours }) => {
  const points = pointsOf(hours)
  const all = filled(range, points)
  for (const { bucket, observedAt } of all) {
    const before = points.findLast((point) => point.bucket <= bucket)
    assert.strictEqual(observedAt, before?.observedAt)
  }
  const first = points.find(({ bucket }) => bucket <= range.last)
  const expected = first === undefined ? [] : bucketsBetween("hour", Math.max(range.first, first.bucket), range.last)
  assert.deepStrictEqual(
    all.map(({ bucket }) => bucket),
    expected
  )
})

it("finds the last value at or before a time, unless it is too old", () => {
  const find = latest(
    [1, 5, 9].map((bucket) => ({ bucket })),
    3
  )
  assert.deepStrictEqual(
    [0, 1, 4, 5, 8, 9, 12, 13].map((time) => find(time)?.bucket),
    [undefined, 1, 1, 5, 5, 9, 9, undefined]
  )
})

it("repeats a price and no volume: nothing was traded for a second time", () => {
  const points: ReadonlyArray<{ bucket: number; close: number; volume: number | null }> = [
    { bucket: 0, close: 5, volume: 100 }
  ]
  assert.deepStrictEqual(filled({ interval: "day", first: 0, last: 86_400_000 }, points), [
    { bucket: 0, close: 5, volume: 100 },
    { bucket: 86_400_000, close: 5, volume: null }
  ])
})
