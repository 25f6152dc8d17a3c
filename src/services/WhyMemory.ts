// What was said of each mover and since when: an explanation keeps its times while what it rests on stays the same, however its
// figures move, and what was said of a coin that left the list is remembered for some hours. All of it can be handed over.
import { DateTime, Duration, Schema } from "effect"
import { Explanation } from "../why/Explanation.ts"
import { emptyState, type Mover, type MoverCandidate, step } from "../why/Movers.ts"

/**
 * An explained mover and since when it is explained so.
 *
 * - `first_explained_at`: when this move was first explained; where it never was, when it was first listed.
 * - `revised_at`: when what is said of it last changed: its evidence, drivers, verdict or direction; not its figures.
 */
export const MoverView = Schema.Struct({
  ...Explanation.fields,
  first_explained_at: Schema.DateTimeUtcFromString,
  revised_at: Schema.DateTimeUtcFromString
})

/** {@link MoverView}. */
export type MoverView = typeof MoverView.Type

/** What was said of a coin that left the list is remembered this long. */
const REMEMBER = Duration.hours(6)

/** What is remembered of one coin. `explainedSince`: `null` until there were feeds enough to explain it. */
const Remembered = Schema.Struct({
  view: MoverView,
  substance: Schema.String,
  explainedSince: Schema.NullOr(Schema.DateTimeUtcFromString),
  listedAt: Schema.DateTimeUtcFromString
})

type Remembered = typeof Remembered.Type

/** A memory as it is handed over: who is listed since when, and what was said of whom. */
export const Saved = Schema.Struct({
  members: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      since: Schema.DateTimeUtcFromString,
      belowSince: Schema.NullOr(Schema.DateTimeUtcFromString)
    })
  ),
  said: Schema.Array(Remembered)
})

/** What makes an explanation another one: what is said to coincide, and who reported it. */
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

/** A memory of movers. */
export interface WhyMemory {
  /** Who is to be listed now, given who was. */
  readonly list: (candidates: ReadonlyArray<MoverCandidate>, now: DateTime.Utc) => ReadonlyArray<Mover>
  /** Dates what is said now. */
  readonly dated: (explanation: Explanation, now: DateTime.Utc) => MoverView
  /** Drops whoever left the list too long ago. */
  readonly forget: (now: DateTime.Utc) => void
  /** What was last said of a coin that was listed lately. */
  readonly last: (id: string, now: DateTime.Utc) => MoverView | null
  /** All of it. */
  readonly saved: () => typeof Saved.Type
  /** Remembers this, and nothing else. */
  readonly restore: (saved: typeof Saved.Type) => void
}

/** An empty memory. */
export const make = (): WhyMemory => {
  const remembered = new Map<string, Remembered>()
  let state = emptyState
  const isRecent = ({ listedAt }: Remembered, now: DateTime.Utc) =>
    DateTime.isGreaterThan(listedAt, DateTime.subtractDuration(now, REMEMBER))

  return {
    list: (candidates, now) => {
      const next = step(state, candidates, now)
      state = next.state
      return next.movers
    },
    dated: (explanation, now) => {
      const held = remembered.get(explanation.id)
      // The other way, or again after a night: another move.
      const before =
        held !== undefined && isRecent(held, now) && held.view.direction === explanation.direction ? held : undefined
      const substance = substanceOf(explanation)
      const explainedSince = before?.explainedSince ?? (explanation.status === "insufficient_coverage" ? null : now)
      const view: MoverView = {
        ...explanation,
        first_explained_at: explainedSince ?? before?.view.first_explained_at ?? now,
        revised_at: before?.substance === substance ? before.view.revised_at : now
      }
      remembered.set(view.id, { view, substance, explainedSince, listedAt: now })
      return view
    },
    forget: (now) => {
      for (const [id, one] of remembered) if (!isRecent(one, now)) remembered.delete(id)
    },
    last: (id, now) => {
      const held = remembered.get(id)
      return held !== undefined && isRecent(held, now) ? held.view : null
    },
    saved: () => ({
      members: [...state.members].map(([id, member]) => ({ id, ...member })),
      said: [...remembered.values()]
    }),
    restore: ({ members, said }) => {
      state = { members: new Map(members.map(({ id, ...member }) => [id, member])) }
      remembered.clear()
      for (const one of said) remembered.set(one.view.id, one)
    }
  }
}
