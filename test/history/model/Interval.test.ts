import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  bucketOf,
  bucketOfStamp,
  bucketsBetween,
  dayOf,
  finalAt,
  intervals,
  isFinal,
  lengthOf,
  startOfDay
} from "../../../src/history/model/Interval.ts"

const utc = (text: string) => Date.parse(text)
const Time = Schema.Int.check(
  Schema.isBetween({ minimum: utc("2000-01-01T00:00:00Z"), maximum: utc("2040-01-01T00:00:00Z") })
)

describe("buckets", () => {
  it.prop("a time is in its bucket and in no other", { time: Time }, ({ time }) => {
    for (const interval of intervals) {
      const bucket = bucketOf(interval, time)
      assert.isTrue(bucket <= time && time < bucket + lengthOf(interval))
      assert.strictEqual(bucketOf(interval, bucket), bucket)
    }
    assert.strictEqual(dayOf(time), new Date(time).toISOString().slice(0, 10))
    assert.strictEqual(startOfDay(dayOf(time)), bucketOf("day", time))
  })

  it("a source's stamp within 60 s after midnight closes the day before", () => {
    const day = (text: string) => dayOf(bucketOfStamp("day", utc(text)))
    assert.strictEqual(day("2026-11-20T00:00:00Z"), "2026-11-19")
    assert.strictEqual(day("2026-11-20T00:00:41.899Z"), "2026-11-19")
    assert.strictEqual(day("2026-11-20T00:01:00Z"), "2026-11-19")
    assert.strictEqual(day("2026-11-20T00:01:00.001Z"), "2026-11-20")
    assert.strictEqual(day("2026-11-19T23:59:22Z"), "2026-11-19")
  })

  it("jitter around full hours neither skips nor doubles an hour", () => {
    const start = utc("2026-11-20T00:00:00Z")
    const jitters = [-21_000, 38_000, 0, -59_000, 60_000, 12_000]
    const stamps = Array.from({ length: 48 }, (_, n) => start + n * 3_600_000 + (jitters[n % jitters.length] ?? 0))
    const hours = stamps.map((stamp) => bucketOfStamp("hour", stamp))
    assert.deepStrictEqual(hours, bucketsBetween("hour", start - 3_600_000, start + 46 * 3_600_000))
  })

  it("a day is final at 01:00 UTC of the next, an hour 5 minutes after its end", () => {
    const day = startOfDay("2026-11-19")
    assert.isFalse(isFinal("day", day, utc("2026-11-20T00:59:59.999Z")))
    assert.isTrue(isFinal("day", day, utc("2026-11-20T01:00:00Z")))
    assert.strictEqual(finalAt("hour", day), utc("2026-11-19T01:05:00Z"))
  })
})
