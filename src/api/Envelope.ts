// The shape of every answer: `{ data, meta }`.
import { Schema, SchemaTransformation } from "effect"
import { Tier } from "./Caller.ts"

/** An instant, RFC 3339 with `Z`, with a description. */
export const when = (description?: string) =>
  Schema.String.annotate({ format: "date-time", ...(description !== undefined && { description }) }).pipe(
    Schema.decodeTo(Schema.DateTimeUtc, SchemaTransformation.dateTimeUtcFromString)
  )

/** A time, RFC 3339 with `Z`. */
export const Instant = when()

/** A day, `YYYY-MM-DD`. */
export const Day = Schema.String.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}$/)).annotate({
  identifier: "Day",
  description: "A day, YYYY-MM-DD"
})

/**
 * The sources and the time of the data, by the source's clock. Never the time of the request, unless a list has no data at all: its source
 * is then this service.
 */
export const Meta = Schema.Struct({
  source: Schema.String.annotate({
    description: "Public names of the sources that served, joined with ` + `; simulated data says `(sandbox)`"
  }),
  updated: when(
    "When the data was observed, by the source's clock; with several sources, of the oldest part. The time of the request only if a list has no data at all"
  ),
  tier: Tier
}).annotate({ identifier: "Meta", description: "Sources, time of the data, and plan" })

/** The signature of an answer, where the operator has a key. */
export const Signature = Schema.optionalKey(
  Schema.String.annotate({
    description:
      "`ed25519:`, the public key and the signature over the bytes of the answer without this member. `crypto-data-api verify FILE` checks it"
  })
)

/** The schema of an answer: `{ data, meta }`. */
export const envelope = <Fields extends Schema.Struct.Fields>(identifier: string, data: Schema.Struct<Fields>) =>
  Schema.Struct({ data, meta: Meta }).annotate({ identifier })
