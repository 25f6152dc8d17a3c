// An explained mover with its dates. An explanation keeps its dates while its evidence stays the same, however the
// figures move; the other direction, or the same one after some hours off the list, is another move.
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

/**
 * The last explanation of a coin. `explainedSince`: `null` while too few feeds were fresh to explain the move. `listedAt`:
 * when the coin was last on the list.
 */
export interface LastExplanation {
  readonly view: MoverView
  readonly explainedSince: DateTime.Utc | null
  readonly listedAt: DateTime.Utc
}

/** An explanation is remembered this long after its coin left the list. */
const REMEMBERED = Duration.hours(6)

/** Whether the coin is on the list or left it lately. */
export const isRecent = ({ listedAt }: LastExplanation, now: DateTime.Utc): boolean =>
  DateTime.isGreaterThan(listedAt, DateTime.subtractDuration(now, REMEMBERED))

/** Dates an explanation by the coin's explanation before it. */
export const dated = (
  explanation: Explanation,
  before: LastExplanation | undefined,
  now: DateTime.Utc
): LastExplanation => {
  const isSameMove = before !== undefined && isRecent(before, now) && before.view.direction === explanation.direction
  const same = isSameMove ? before : undefined
  const explainedSince = same?.explainedSince ?? (explanation.status === "insufficient_coverage" ? null : now)
  const isRevised = same === undefined || evidenceOf(same.view) !== evidenceOf(explanation)
  return {
    view: {
      ...explanation,
      first_explained_at: explainedSince ?? same?.view.first_explained_at ?? now,
      revised_at: isRevised ? now : same.view.revised_at
    },
    explainedSince,
    listedAt: now
  }
}

/** Two explanations differ if this does: the events that coincide with the move, and who reported them. */
const evidenceOf = ({ citations, direction, drivers, status, verdict }: Explanation): string =>
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
