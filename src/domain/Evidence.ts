// A published item that may explain why a coin moved. Its source has removed the markup; the text is still untrusted.
import { Order, Schema } from "effect"

export const EvidenceType = Schema.Literals([
  "news",
  "exchange_announcement",
  "project_blog",
  "regulator",
  "incident_record"
])

export type EvidenceType = typeof EvidenceType.Type

/** `primary`: the acting party itself. `tier1` to `tier3`: news media, by editorial care. */
export const EvidenceTier = Schema.Literals(["primary", "tier1", "tier2", "tier3"])

export type EvidenceTier = typeof EvidenceTier.Type

/** One report that an explanation may cite: a notice, an article, an incident or a record of a regulator. */
export const EvidenceItem = Schema.Struct({
  /** Unique within a pool and stable between polls. */
  id: Schema.String,
  type: EvidenceType,
  tier: EvidenceTier,
  /** Plain text on one line: no markup, no control characters. */
  title: Schema.String,
  /** Plain text of at most 500 characters; may be empty. */
  summary: Schema.String,
  /** http or https, without tracking parameters. */
  url: Schema.String,
  publisher: Schema.String,
  /** By the publisher's clock, at most `firstSeenAt`. */
  publishedAt: Schema.DateTimeUtcFromString,
  /** When this service first fetched it, by its own clock. */
  firstSeenAt: Schema.DateTimeUtcFromString,
  /** `day`: only the day is known, and `publishedAt` is its midnight UTC. */
  precision: Schema.Literals(["instant", "day"]),
  /** Set if the item contains a prompt injection, visible or hidden in its markup. Such an item is never cited. */
  hidesInstructions: Schema.optionalKey(Schema.Literal(true))
})

export type EvidenceItem = typeof EvidenceItem.Type

export const newestFirst: Order.Order<EvidenceItem> = Order.combine(
  Order.mapInput(Order.flip(Order.Number), ({ publishedAt }: EvidenceItem) => publishedAt.epochMilliseconds),
  Order.mapInput(Order.String, ({ id }: EvidenceItem) => id)
)
