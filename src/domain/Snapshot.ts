// A value together with who said so and when. Everything that is served comes out of one of these.
import { DateTime, Schema } from "effect"

/**
 * A value as one source (or several, joined) published it.
 *
 * `observedAt` is the source's own clock, never later than `retrievedAt`, which is ours.
 */
export interface Snapshot<out A> {
  readonly value: A
  /** Public names of the sources, joined with ` + `. */
  readonly source: string
  readonly observedAt: DateTime.Utc
  readonly retrievedAt: DateTime.Utc
}

/** A snapshot whose `observedAt` is clamped: a source whose clock runs ahead cannot make its data look fresher than now. */
export const make = <A>(fields: {
  readonly value: A
  readonly source: string
  readonly observedAt: DateTime.Utc
  readonly retrievedAt: DateTime.Utc
}): Snapshot<A> => ({ ...fields, observedAt: DateTime.min(fields.observedAt, fields.retrievedAt) })

/** Snapshots as they are passed on, by how their value is. */
export const schemaOf = <A>(value: Schema.Codec<A, unknown>): Schema.Codec<Snapshot<A>, unknown> =>
  Schema.Struct({
    value,
    source: Schema.String,
    observedAt: Schema.DateTimeUtcFromString,
    retrievedAt: Schema.DateTimeUtcFromString
  })

/** The same stamp on another value. */
export const map = <A, B>(self: Snapshot<A>, f: (value: A) => B): Snapshot<B> => ({ ...self, value: f(self.value) })

/** The names of several sources as one stamp, each named once, in order of first use. */
export const joinSources = (names: Iterable<string>): string =>
  [...new Set([...names].flatMap((name) => name.split(" + ")))].join(" + ")

/** An answer made of two snapshots: both sources are named, the older time of each kind counts. */
export const combine = <A, B, C>(a: Snapshot<A>, b: Snapshot<B>, f: (a: A, b: B) => C): Snapshot<C> => ({
  value: f(a.value, b.value),
  source: joinSources([a.source, b.source]),
  observedAt: DateTime.min(a.observedAt, b.observedAt),
  retrievedAt: DateTime.min(a.retrievedAt, b.retrievedAt)
})
