// What the soak of the record records: observations of each series in each step of an hour, late ones among them; outages of all
// and silences of some series, of random length; and days that sources publish, on the day after or in a backfill long after, which
// they correct later. Everything follows from the number of the step, so that what is recorded can be compared with what was
// observed. Steps of quiet hours are written together, as those are that wait while a database is slow.
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

/** Whether a step is written by itself: at the ends of days and outages, and where sources publish or correct. */
const isEventful = (step: number): boolean =>
  [23, 0, 1].includes(step % 24) ||
  isDown(step) !== isDown(step + 1) ||
  daysOf(step).length + closesOf(step, [...KEPT, ...COINS]).length > 0

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

const FIAT = SeriesName.fiat("EUR")

const rateOf = (day: number, revision: number): number => 0.9 + chance(day, revision, 7) / 10

/** How often the rate of a day was corrected by the time of a step. */
const isCorrected = (day: number) => chance(day, 5) < 0.2

const CORRECTED_AFTER = 10

/** How long after the end of a day a source's close of it comes, hours: before the day is final, after it, or in a backfill. */
const DELAYS = [0, 1, 5 * 24] as const

/** The close that a source published of a day of a series; none of some days, and of others one that it corrects later. */
const closeOf = (index: number, series: string, day: number, revision: number, recordedAt: number): Point => {
  const close = 1 + Math.floor(chance(day, index, revision, 31) * 1e6)
  const source = series === SeriesName.p2p("NGN") ? "Quidax" : "CoinGecko"
  return told(series, source, START + day * DAY, close, { observedAt: START + (day + 1) * DAY, recordedAt })
}

/** The closes of some series that sources publish or correct in a step. */
export const closesOf = (step: number, names: ReadonlyArray<string>): ReadonlyArray<Point> =>
  names.flatMap((series, index) =>
    DELAYS.flatMap((delay, n) => {
      const day = (step - delay) / 24 - 1
      const isOf = (day: number) => day >= 0 && Number.isInteger(day) && Math.floor(chance(day, index, 30) * 4) === n
      const corrected = day - CORRECTED_AFTER
      return [
        ...(isOf(day) ? [closeOf(index, series, day, 0, timeOf(step))] : []),
        ...(isOf(corrected) && isCorrected(corrected) ? [closeOf(index, series, corrected, 1, timeOf(step))] : [])
      ]
    })
  )

/** A day of the fiat. */
const published = (day: number, revision: number, recordedAt: number): Point =>
  told(FIAT, "Frankfurter", START + day * DAY, rateOf(day, revision), { recordedAt })

/** The rates published in a step: at noon that of the day, and the correction of one 10 days before. */
export const daysOf = (step: number): ReadonlyArray<Point> => {
  if (step % 24 !== 12) return []
  const day = Math.floor(step / 24)
  const corrected = day - CORRECTED_AFTER
  return [
    published(day, 0, timeOf(step)),
    ...(corrected >= 0 && isCorrected(corrected) ? [published(corrected, 1, timeOf(step))] : [])
  ]
}

/** Each rate that was published up to a step, its corrections among them. */
export const ratesUpTo = (last: number): ReadonlyArray<readonly [bucket: number, revision: number, close: number]> =>
  Array.from({ length: last + 1 }, (_, step) => step)
    .flatMap(daysOf)
    .map(({ bucket, close }): readonly [number, number, number] => {
      const day = (bucket - START) / DAY
      return [bucket, close === rateOf(day, 0) ? 0 : 1, close]
    })
    .toSorted((a, b) => a[0] - b[0] || a[1] - b[1])

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
