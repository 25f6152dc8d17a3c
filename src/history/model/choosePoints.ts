// Chooses one point for each bucket of a series: the latest observation among all origins. Only the newest revision of an origin counts;
// a value from another origin is not a correction. If the chosen point has no volume, it gets that of another origin.
import { finalAt, type Interval, lengthOf, STAMP_TOLERANCE } from "./Interval.ts"
import { type ChosenPoint, OWN_RECORD, type Point } from "./Point.ts"

/** How the points of a series are compared. */
export interface Preference {
  /** The order of origins whose points are valid at the same moment; others follow, by name. */
  readonly origins: ReadonlyArray<string>
  /**
   * When an origin replaces a later one in the order that was known first: `late` if both became known after the bucket was final;
   * `always` if all origins pass on the figures of one publisher. Default: never.
   */
  readonly replaces?: "late" | "always"
  /**
   * How long a value that we recorded stays valid, ms: two intervals of its source. A longer pause is a gap. 0 for
   * rates that are published for whole days.
   */
  readonly heldFor: (source: string) => number
}

/** A bucket by one origin: when its first point became known, and its newest revision. */
interface Candidate {
  readonly knownAt: number
  readonly point: Point
}

/**
 * The moment at which a point is valid, at most `end`. A stamp up to 60 s before `end` means `end`. If our own record
 * covers the end of the bucket without a gap, it is valid at `end` too, and a source's later close does not replace it.
 */
export const validAt = (
  { heldFor }: Preference,
  { observedAt, origin, source }: Pick<Point, "observedAt" | "origin" | "source">,
  end: number
): number => Math.min(end, observedAt + Math.max(STAMP_TOLERANCE, origin === OWN_RECORD ? heldFor(source) : 0))

/** The order of origins: lower goes first. */
const rankOf = ({ origins }: Preference, origin: string): number => {
  const rank = origins.indexOf(origin)
  return rank < 0 ? origins.length : rank
}

/** One point for each bucket, oldest first. */
export const choosePoints = (
  interval: Interval,
  recorded: Iterable<Point>,
  preference: Preference
): ReadonlyArray<ChosenPoint> => {
  const buckets = new Map<number, Array<Candidate>>()
  for (const point of recorded) {
    const candidates = buckets.get(point.bucket) ?? []
    if (candidates.length === 0) buckets.set(point.bucket, candidates)
    const same = candidates.findIndex((other) => other.point.origin === point.origin)
    const known = { knownAt: knownAt(preference, point), point }
    const other = candidates[same]
    if (other === undefined) candidates.push(known)
    else {
      const newest = other.point.revision > point.revision ? other.point : point
      candidates[same] = { knownAt: Math.min(other.knownAt, known.knownAt), point: newest }
    }
  }
  const chosen = Array.from(buckets, ([bucket, all]) => {
    const best = all.reduce((best, other) => (goesBefore(interval, preference, other, best) ? other : best))
    const volume = best.point.volume ?? all.find(({ point }) => point.volume !== null)?.point.volume ?? null
    return { ...best.point, volume, revisedAt: changedAt(interval, bucket, best, all) }
  })
  return chosen.toSorted((a, b) => a.bucket - b.bucket)
}

/** Our own buckets are known from their observations on, long before they are built. */
const knownAt = ({ heldFor }: Preference, { observedAt, origin, recordedAt, source }: Point): number =>
  origin === OWN_RECORD && heldFor(source) > 0 ? Math.min(observedAt, recordedAt) : recordedAt

/**
 * Prefers the later moment. At the same moment, a candle from a source beats a close alone from another one. Then the
 * one known first wins, if the other came after the bucket was final and does not replace it; else the preferred origin.
 */
const goesBefore = (interval: Interval, preference: Preference, a: Candidate, b: Candidate): boolean => {
  const { bucket } = a.point
  const end = bucket + lengthOf(interval)
  // A rate may be published before its day has begun.
  const moment = ({ point }: Candidate) => Math.max(bucket + STAMP_TOLERANCE, validAt(preference, point, end))
  const later = moment(a) - moment(b)
  if (later !== 0) return later > 0
  if (a.point.origin !== OWN_RECORD && b.point.origin !== OWN_RECORD) {
    const whole = Number(a.point.high !== null) - Number(b.point.high !== null)
    if (whole !== 0) return whole > 0
  }
  const final = finalAt(interval, bucket)
  const lateness = ({ knownAt }: Candidate) =>
    preference.replaces === undefined ? Math.max(final, knownAt) : Number(knownAt > final)
  const sooner = preference.replaces === "always" ? 0 : lateness(b) - lateness(a)
  if (sooner !== 0) return sooner > 0
  const rank = rankOf(preference, a.point.origin) - rankOf(preference, b.point.origin)
  return rank === 0 ? a.point.origin < b.point.origin : rank < 0
}

/** When the point of a bucket changed after it was final, by a correction of its source or a later observation; else null. */
const changedAt = (
  interval: Interval,
  bucket: number,
  { knownAt, point }: Candidate,
  all: ReadonlyArray<Candidate>
): number | null => {
  const since = point.revision > 0 ? point.recordedAt : knownAt
  const isChange = point.revision > 0 || all.some((other) => other.knownAt < knownAt)
  return isChange && since >= finalAt(interval, bucket) ? since : null
}
