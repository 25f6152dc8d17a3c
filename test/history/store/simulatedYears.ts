// What the soak of the record records: observations of each series in each step of an hour, late ones among them; outages of all
// and silences of some series, of random length; and a rate a day that a source publishes. Everything follows from the number of the
// step, so that what is recorded can be compared with what was observed. Steps of quiet hours are written together, as those are that
// wait while a database is slow.
import { bucketOf, finalAt, type Interval } from "../../../src/history/model/Interval.ts"
import { type Observation, type Point } from "../../../src/history/model/Point.ts"
import * as SeriesName from "../../../src/history/store/SeriesName.ts"
import { observed, told } from "../records.ts"

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
export const START = Date.UTC(2024, 10, 22)

/** Two years. */
export const ALL_STEPS = 730 * 24

/** Series whose observations are kept for ever. */
export const KEPT = [SeriesName.p2p("NGN"), "kept/a", "kept/b"]

/** Series of which only buckets are kept. */
export const COINS = [SeriesName.coin("bitcoin"), SeriesName.coin("tether")]

/** A number from 0 to 1 that looks like chance. */
const chance = (...numbers: ReadonlyArray<number>): number => {
  let hash = 2_166_136_261
  for (const number of numbers) hash = Math.imul(hash ^ number, 16_777_619) ^ (hash >>> 13)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2_b2_ae_35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}

/** When a step is recorded. */
export const timeOf = (step: number): number => START + step * HOUR + 30_000

/** Whether a step lies in the random part of its block of steps that is silent; `share` of all blocks have one. */
const isWithin = (step: number, block: number, share: number, ...salt: ReadonlyArray<number>): boolean => {
  const number = Math.floor(step / block)
  const [first, length] = [chance(number, ...salt, 21), chance(number, ...salt, 22)]
  const at = (step % block) / block
  return chance(number, ...salt, 20) < share && at >= first && at < first + length
}

/** An outage of everything takes a random part of 40 hours, in one of six. */
const isDown = (step: number): boolean => isWithin(step, 40, 1 / 6)

/** The silence of a series takes a random part of 9 hours, in one of five. */
const isSilent = (step: number, index: number): boolean => isDown(step) || isWithin(step, 9, 1 / 5, index)

/** The most quiet steps that are written together. */
const TOGETHER = 12

/** Whether a step is written by itself: at the ends of days and outages, and where a rate is published. */
const isEventful = (step: number): boolean =>
  [23, 0, 1].includes(step % 24) || isDown(step) !== isDown(step + 1) || ratesOf(step).length > 0

/** The step after those that are written together with this one, at most `end`. */
export const afterWith = (step: number, end: number): number => {
  let next = step + 1
  if (!isEventful(step)) while (next < step + TOGETHER && !isEventful(next)) next++
  return Math.min(next, end)
}

/**
 * What is observed of some series in a step: each twelve times in the hour before. One in eight comes hours late, but not of the
 * naira, of which one in five minutes is kept, whichever came first.
 */
export const observationsOf = (step: number, names: ReadonlyArray<string>): ReadonlyArray<Observation> =>
  names.flatMap((series, index) =>
    Array.from({ length: isSilent(step, index) ? 0 : 12 }, (_, n): Observation => {
      const isLate = series !== SeriesName.p2p("NGN") && chance(step, index, n, 1) < 1 / 8
      const age = isLate ? 3 * HOUR + chance(step, index, n, 2) * 25 * HOUR : 0
      // A time of its own for each: 5 minutes apart, and as many ms as the step is late by hours.
      const observedAt =
        timeOf(step) - n * 5 * MINUTE - Math.floor(age / HOUR) * HOUR + (isLate ? 1 + (step % 1000) : 0)
      const value = 1 + Math.floor(chance(step, index, n, 3) * 1e6)
      return observed(series, observedAt, value, { recordedAt: timeOf(step) })
    })
  )

/** A series that a source publishes. */
export const FIAT = SeriesName.fiat("EUR")

/** The rate that is published in a step, at noon. */
export const ratesOf = (step: number): ReadonlyArray<Point> => {
  const day = Math.floor(step / 24)
  const rate = told(FIAT, "Frankfurter", START + day * DAY, 0.9 + chance(day, 7) / 10, { recordedAt: timeOf(step) })
  return step % 24 === 12 ? [rate] : []
}

/** An observation as far as it makes a bucket. */
export type Made = Pick<Observation, "observedAt" | "recordedAt" | "value">

/** A bucket: its start, first, highest, lowest and last value, and when the last was observed. */
export type Bucket = readonly [
  bucket: number,
  open: number | null,
  high: number | null,
  low: number | null,
  close: number,
  observedAt: number
]

/**
 * The buckets that observations make, by the rules of the contract: the first, highest and lowest value only where no gap is
 * longer than `longest`.
 */
export const bucketsOf = (
  interval: Interval,
  observations: ReadonlyArray<Made>,
  now: number,
  longest: number
): ReadonlyArray<Bucket> => {
  const buckets = new Map<number, readonly [number, number, number, number, number, number]>()
  const gappy = new Set<number>()
  for (const { observedAt, recordedAt, value } of observations.toSorted((a, b) => a.observedAt - b.observedAt)) {
    const bucket = bucketOf(interval, observedAt)
    if (recordedAt >= finalAt(interval, bucket)) continue
    const [, open, high, low, , before] = buckets.get(bucket) ?? [bucket, value, value, value, value, bucket]
    if (observedAt - before > longest) gappy.add(bucket)
    buckets.set(bucket, [bucket, open, Math.max(high, value), Math.min(low, value), value, observedAt])
  }
  return [...buckets.values()]
    .toSorted((a, b) => a[0] - b[0])
    .map(([bucket, open, high, low, close, observedAt]): Bucket => {
      const isCovered =
        !gappy.has(bucket) && Math.min(now, bucket + (interval === "hour" ? HOUR : DAY)) - observedAt <= longest
      return isCovered ? [bucket, open, high, low, close, observedAt] : [bucket, null, null, null, close, observedAt]
    })
}
