// The saved form of a judge's state: the figures, the claims, and those last rows that no source has any longer.
import { Option, Schema } from "effect"
import type { Former, Source, State } from "./Judge.ts"
import type { Rules } from "./Verdict.ts"

const Figures = Schema.Array(Schema.NullOr(Schema.Finite))

/** What is saved of a state. */
export type Kept<R> = Pick<State<R>, "former" | "claims">

/** Writes and reads states of these rules. A text that cannot be read gives `none`. */
export const savedState = <R>({ saved }: Pick<Rules<R>, "saved">) => {
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
    from: (text: string): Option.Option<Kept<R>> =>
      Option.map(decode(text), ({ claims, former }) => ({
        former: new Map(
          former.map(([key, figures, row]) => [key, { figures: figures ?? undefined, row: row ?? undefined }])
        ),
        claims: new Map(
          claims.map(([name, figures, observedAt, repeated]) => [name, { figures, observedAt, repeated }])
        )
      }))
  }
}
