// An explained mover with its dates. What is said of a coin keeps its dates while its evidence stays the same, however
// the figures move; the other direction, or the same one after some hours off the list, is another move.
import { DateTime, Duration, Schema } from "effect"
import { Explanation } from "../domain/Explanation.ts"

/**
 * An explained mover.
 *
 * - `first_explained_at`: when this move was first explained; before it ever was, when it was first listed.
 * - `revised_at`: when its evidence, drivers, verdict or direction last changed; figures do not count.
 */
export const MoverView = Schema.Struct({
  ...Explanation.fields,
  first_explained_at: Schema.DateTimeUtcFromString,
  revised_at: Schema.DateTimeUtcFromString
})

export type MoverView = typeof MoverView.Type

/** What was said of a coin. `explainedSince` is `null` while too few feeds were fresh to explain the move. */
export const Said = Schema.Struct({
  view: MoverView,
  substance: Schema.String,
  explainedSince: Schema.NullOr(Schema.DateTimeUtcFromString),
  listedAt: Schema.DateTimeUtcFromString
})

export type Said = typeof Said.Type

/** What was said of a coin counts this long after it left the list. */
const REMEMBERED = Duration.hours(6)

/** Whether what was said of a coin still counts. */
export const isRecent = ({ listedAt }: Said, now: DateTime.Utc): boolean =>
  DateTime.isGreaterThan(listedAt, DateTime.subtractDuration(now, REMEMBERED))

/** An explanation dated by what was said of the coin before. */
export const dated = (explanation: Explanation, before: Said | undefined, now: DateTime.Utc): Said => {
  const same =
    before !== undefined && isRecent(before, now) && before.view.direction === explanation.direction
      ? before
      : undefined
  const substance = substanceOf(explanation)
  const explainedSince = same?.explainedSince ?? (explanation.status === "insufficient_coverage" ? null : now)
  return {
    view: {
      ...explanation,
      first_explained_at: explainedSince ?? same?.view.first_explained_at ?? now,
      revised_at: same?.substance === substance ? same.view.revised_at : now
    },
    substance,
    explainedSince,
    listedAt: now
  }
}

/** What tells one explanation from another: what is said to coincide, and who reported it. */
const substanceOf = ({ citations, direction, drivers, status, verdict }: Explanation): string =>
  JSON.stringify([
    status,
    verdict,
    direction,
    drivers.map(({ kind, role }) => [kind, role]),
    citations
      .filter(({ type }) => type !== "market_data" && type !== "coverage")
      .map(({ url }) => url)
      .toSorted()
  ])
