import { assert, it } from "@effect/vitest"
import { Result } from "effect"
import { type HistoryQuery, rangeOf } from "../../../src/history/model/HistoryRange.ts"
import { bucketsBetween } from "../../../src/history/model/Interval.ts"

const NOW = Date.parse("2026-11-20T10:30:00Z")
const iso = (time: number) => new Date(time).toISOString()

const range = (query: HistoryQuery) =>
  Result.match(rangeOf(query, NOW), {
    onFailure: ({ detail, parameter }) => `${parameter} ${detail}`,
    onSuccess: ({ first, interval, last }) =>
      `${iso(first)} ${iso(last)} ${bucketsBetween(interval, first, last).length}`
  })

it("answers the last 30 days with today, for hours the last 2 up to now", () => {
  assert.strictEqual(range({ interval: "day" }), "2026-10-22T00:00:00.000Z 2026-11-20T00:00:00.000Z 30")
  assert.strictEqual(range({ interval: "hour" }), "2026-11-19T00:00:00.000Z 2026-11-20T10:00:00.000Z 35")
})

it("counts back from to where only that is given, and up to today where only from is", () => {
  assert.strictEqual(
    range({ interval: "day", to: "2026-03-01" }),
    "2026-01-31T00:00:00.000Z 2026-03-01T00:00:00.000Z 30"
  )
  assert.strictEqual(
    range({ interval: "hour", to: "2026-03-01" }),
    "2026-02-28T00:00:00.000Z 2026-03-01T23:00:00.000Z 48"
  )
  assert.strictEqual(
    range({ interval: "day", from: "2026-11-19" }),
    "2026-11-19T00:00:00.000Z 2026-11-20T00:00:00.000Z 2"
  )
})

it("includes both days", () => {
  const day = { from: "2026-03-01", to: "2026-03-01" }
  assert.strictEqual(range({ interval: "day", ...day }), "2026-03-01T00:00:00.000Z 2026-03-01T00:00:00.000Z 1")
  assert.strictEqual(range({ interval: "hour", ...day }), "2026-03-01T00:00:00.000Z 2026-03-01T23:00:00.000Z 24")
})

it("refuses more than 3,660 days or 2,160 hours, and says what is allowed", () => {
  const days = (from: string) => range({ interval: "day", from, to: "2026-11-20" })
  assert.match(days("2016-11-13"), / 3660$/)
  assert.match(days("2016-11-12"), /^from at most 3660 points .* 3659 days before to/)
  const hours = (from: string) => range({ interval: "hour", from, to: "2026-05-01" })
  assert.match(hours("2026-02-01"), / 2160$/)
  assert.match(hours("2026-01-31"), /^from at most 2160 points .* 89 days before to/)
})

it("refuses a from after to and a to after today", () => {
  assert.match(
    range({ interval: "day", from: "2026-03-02", to: "2026-03-01" }),
    /^from must not be after to, 2026-03-01/
  )
  assert.match(range({ interval: "day", from: "2026-11-21" }), /^from must not be after today, 2026-11-20/)
  assert.match(range({ interval: "day", to: "2026-11-21" }), /^to must not be after today, 2026-11-20/)
})
