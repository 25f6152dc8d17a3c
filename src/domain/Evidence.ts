// A published item that may explain why a coin moved. Text has been cleaned by the source that fetched it; it is still untrusted
// as to what it says.
import type { DateTime } from "effect"

/** What kind of publication an item is. */
export type EvidenceType = "news" | "exchange_announcement" | "project_blog" | "regulator" | "incident_record"

/** `primary`: who did it says so. `tier1` to `tier3`: reporting, by how carefully it is edited. */
export type EvidenceTier = "primary" | "tier1" | "tier2" | "tier3"

/** One item. */
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
  /** By the publisher's clock, never after `firstSeenAt`. */
  readonly publishedAt: DateTime.Utc
  /** When we first saw it, by our clock. */
  readonly firstSeenAt: DateTime.Utc
  /** Some records only know the day; then `publishedAt` is its midnight UTC. */
  readonly precision: "instant" | "day"
  /** Whether the markup held instructions to a machine, in what a reader sees or does not see. Such an item is never cited. */
  readonly hidesInstructions?: true
}
