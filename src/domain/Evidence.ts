// A published item that may explain why a coin moved. Its source has removed markup from the text; the content stays
// untrusted.
import { type DateTime, Order } from "effect"

export type EvidenceType = "news" | "exchange_announcement" | "project_blog" | "regulator" | "incident_record"

/** `primary`: the acting party itself. `tier1` to `tier3`: reporting, by editorial care. */
export type EvidenceTier = "primary" | "tier1" | "tier2" | "tier3"

/** One report that an explanation may cite: a notice, an article, an incident or a record of a regulator. */
export interface EvidenceItem {
  /** Unique within a pool and stable between polls. */
  readonly id: string
  readonly type: EvidenceType
  readonly tier: EvidenceTier
  /** Plain text on one line: no markup, no control characters. */
  readonly title: string
  /** Plain text of at most 500 characters; may be empty. */
  readonly summary: string
  /** http or https, without tracking parameters. */
  readonly url: string
  readonly publisher: string
  /** By the publisher's clock, at most `firstSeenAt`. */
  readonly publishedAt: DateTime.Utc
  /** When this service first fetched it, by its own clock. */
  readonly firstSeenAt: DateTime.Utc
  /** `day`: only the day is known, and `publishedAt` is its midnight UTC. */
  readonly precision: "instant" | "day"
  /** The item holds instructions to a machine, visible or hidden in its markup. It is never cited. */
  readonly hidesInstructions?: true
}

/** The newest first, then by id. */
export const newestFirst: Order.Order<EvidenceItem> = Order.combine(
  Order.mapInput(Order.flip(Order.Number), ({ publishedAt }: EvidenceItem) => publishedAt.epochMilliseconds),
  Order.mapInput(Order.String, ({ id }: EvidenceItem) => id)
)
