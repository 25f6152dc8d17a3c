// The saved form of a judge's state: the figures, the claims, and those last rows that no source has any longer. What is read back is
// checked like what is fetched, because the text may have been changed.
import { DateTime, Option, Schema } from "effect"
import * as Age from "../../sources/dataset/Age.ts"
import type { Former, Source, State } from "./Judge.ts"
import type { Row, Rules } from "./Verdict.ts"

const Figures = Schema.Array(Schema.NullOr(Schema.Finite))

/** What is saved of a state. */
export type Kept<R> = Pick<State<R>, "former" | "claims">

/** Writes and reads states of these rules. A text that cannot be read gives `none`. */
export const savedState = <R>({ plausible = (row) => row, saved }: Pick<Rules<R>, "plausible" | "saved">) => {
  const SavedRow = Schema.Struct({
    value: saved ?? (Schema.Never as Schema.Codec<R, unknown>),
    key: Schema.String,
    source: Schema.String,
    observedAt: Schema.DateTimeUtcFromString,
    retrievedAt: Schema.DateTimeUtcFromString
  })
  const Saved = Schema.fromJsonString(
    Schema.toCodecJson(
      Schema.Struct({
        former: Schema.Array(Schema.Tuple([Schema.String, Schema.NullOr(Figures), Schema.NullOr(SavedRow)])),
        claims: Schema.Array(Schema.Tuple([Schema.String, Figures, Schema.Finite, Schema.Finite]))
      })
    )
  )
  /** The row, if its figures and times can be true. */
  const believable = (key: string, row: typeof SavedRow.Type, now: DateTime.Utc): Row<R> | undefined => {
    const value = plausible(row.value, key, row.retrievedAt)
    const isTimely = !Age.isAhead(row, now) && !DateTime.isGreaterThan(row.observedAt, row.retrievedAt)
    return value === null || !isTimely ? undefined : { ...row, value }
  }
  const encode = Schema.encodeOption(Saved)
  const decode = Schema.decodeOption(Saved)
  return {
    /** `sources`: those that the state was made from. */
    text: ({ claims, former }: Kept<R>, sources: ReadonlyArray<Source<R>>): string => {
      const isThere = (key: string, { row }: Former<R>) => sources.some(({ rows }) => rows.get(key) === row)
      const rowOf = (key: string, one: Former<R>) =>
        saved === undefined || one.row === undefined || isThere(key, one) ? null : one.row
      return Option.getOrElse(
        encode({
          former: Array.from(former, ([key, one]) => [key, one.figures ?? null, rowOf(key, one)] as const),
          claims: Array.from(claims, ([name, one]) => [name, one.figures, one.observedAt, one.repeated] as const)
        }),
        () => ""
      )
    },
    from: (text: string, now: DateTime.Utc): Option.Option<Kept<R>> =>
      Option.map(decode(text), ({ claims, former }) => ({
        former: new Map(
          former.map(([key, figures, row]) => [
            key,
            { figures: figures ?? undefined, row: row === null ? undefined : believable(key, row, now) }
          ])
        ),
        claims: new Map(
          claims
            .filter(([, , observedAt]) => observedAt <= now.epochMilliseconds)
            .map(([name, figures, observedAt, repeated]) => [name, { figures, observedAt, repeated }])
        )
      }))
  }
}
