// A value with its source and two times. All served data comes from snapshots.
import { DateTime, Schema } from "effect"

/** A value from one source, or from several. */
export interface Snapshot<out A> {
  readonly value: A
  /** Public names of the sources, joined with ` + `. */
  readonly source: string
  /** By the source's clock, at most `retrievedAt`. */
  readonly observedAt: DateTime.Utc
  /** By our clock. */
  readonly retrievedAt: DateTime.Utc
}

/** Makes a snapshot. A source's clock that runs ahead is clamped to ours. */
export const make = <A>(fields: Snapshot<A>): Snapshot<A> => ({
  ...fields,
  observedAt: DateTime.min(fields.observedAt, fields.retrievedAt)
})

/** The schema of stored and shared snapshots. */
export const schemaOf = <A>(value: Schema.Codec<A, unknown>): Schema.Codec<Snapshot<A>, unknown> =>
  Schema.Struct({
    value,
    source: Schema.String,
    observedAt: Schema.DateTimeUtcFromString,
    retrievedAt: Schema.DateTimeUtcFromString
  })

/** Maps the value; source and times are unchanged. */
export const map = <A, B>(self: Snapshot<A>, f: (value: A) => B): Snapshot<B> => ({ ...self, value: f(self.value) })

/** The later observation with the later `retrievedAt`, so that an older observation never replaces a newer one. */
export const newerOf = <A>(held: Snapshot<A>, next: Snapshot<A>): Snapshot<A> => {
  const newest = DateTime.isGreaterThan(held.observedAt, next.observedAt) ? held : next
  const retrievedAt = DateTime.max(held.retrievedAt, next.retrievedAt)
  return DateTime.Equivalence(newest.retrievedAt, retrievedAt) ? newest : { ...newest, retrievedAt }
}

/** Whether both were observed and retrieved at the same times. */
export const hasTimesOf = (one: Snapshot<unknown>, other: Snapshot<unknown>): boolean =>
  DateTime.Equivalence(one.observedAt, other.observedAt) && DateTime.Equivalence(one.retrievedAt, other.retrievedAt)

/** Joins source names with ` + `, without duplicates, in order of first use. */
export const joinSources = (names: Iterable<string>): string => {
  const all = new Set<string>()
  for (const name of names) for (const one of name.split(" + ")) all.add(one)
  return [...all].join(" + ")
}

/** Sorts joined names alphabetically. */
export const sortSources = (joined: string): string =>
  joined.includes(" + ") ? joined.split(" + ").sort().join(" + ") : joined

/** Combines two snapshots: joined sources, and the older of each time. */
export const combine = <A, B, C>(a: Snapshot<A>, b: Snapshot<B>, f: (a: A, b: B) => C): Snapshot<C> => ({
  value: f(a.value, b.value),
  source: joinSources([a.source, b.source]),
  observedAt: DateTime.min(a.observedAt, b.observedAt),
  retrievedAt: DateTime.min(a.retrievedAt, b.retrievedAt)
})
