import { assert, it } from "@effect/vitest"
import { bucketCloses } from "../../../src/history/model/Close.ts"

const DAY = 86_400_000
const MIDNIGHT = Date.UTC(2026, 10, 20)
const NOW = MIDNIGHT + 14 * 3_600_000

const closesOf = (...stamps: ReadonlyArray<number>) =>
  bucketCloses(
    "day",
    stamps.map((stamp, n) => [stamp, 100 + n] as const),
    NOW
  ).map(({ bucket, close, observedAt }) => [(bucket - MIDNIGHT) / DAY, close, observedAt - MIDNIGHT])

it("a stamp up to 60 s after midnight is the close of the day before, as is one before it", () => {
  assert.deepStrictEqual(closesOf(MIDNIGHT - DAY - 20_000, MIDNIGHT + 60_000), [
    [-2, 100, -DAY - 20_000],
    [-1, 101, 60_000]
  ])
})

it("the last point, which is of now, is no close, and never a second point of a day", () => {
  assert.deepStrictEqual(closesOf(MIDNIGHT + 3000, NOW), [[-1, 100, 3000]])
  assert.deepStrictEqual(closesOf(NOW), [])
})

it("a stamp minutes after midnight, or in the middle of a day, closes no day", () => {
  assert.deepStrictEqual(closesOf(MIDNIGHT - DAY + 180_000, MIDNIGHT - DAY / 2), [])
})

it("of several points near the end of a day the last is the close, whatever their order", () => {
  assert.deepStrictEqual(closesOf(MIDNIGHT + 5000, MIDNIGHT - 600_000), [[-1, 100, 5000]])
})

it("an hour is closed by a stamp of its last 5 minutes, or up to 60 s after its end", () => {
  const HOUR = 3_600_000
  const stamps = [-6 * HOUR - 300_001, -5 * HOUR - 300_000, -4 * HOUR + 60_000, -3 * HOUR + 60_001, -600_000, -1]
  assert.deepStrictEqual(
    bucketCloses(
      "hour",
      stamps.map((stamp) => [NOW + stamp, 100] as const),
      NOW - 1
    ).map(({ bucket }) => (bucket - NOW) / HOUR),
    [-6, -5]
  )
})
