// What was said of each mover and since when: an explanation keeps its times while what it rests on stays the same, however its
// figures move, and what was said of a coin that left the list is remembered for some hours.
import { DateTime, Duration } from "effect"
import type { Explanation } from "../why/Explanation.ts"
import type { RewordedExplanation } from "./Rewording.ts"

/** An explained mover and since when it is explained so. */
export interface MoverView extends RewordedExplanation {
  /** When this move was first explained; where it never was, when it was first listed. */
  readonly first_explained_at: DateTime.Utc
  /** When what is said of it last changed: its evidence, drivers, verdict or direction; not its figures. */
  readonly revised_at: DateTime.Utc
}

/** What was said of a coin that left the list is remembered this long. */
const REMEMBER = Duration.hours(6)

interface Remembered {
  readonly view: MoverView
  /** What the engine's own explanation rests on, and what was shown rested on. */
  readonly engine: string
  readonly shown: string
  /** `null` until there were feeds enough to explain it. */
  readonly explainedSince: DateTime.Utc | null
  readonly listedAt: DateTime.Utc
}

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
  /** Dates what is said now. `engine` is the engine's own explanation; `isFinal` unless a model may still reword it. */
  readonly dated: (reworded: RewordedExplanation, engine: Explanation, now: DateTime.Utc, isFinal: boolean) => MoverView
  /** Drops whoever left the list too long ago. */
  readonly forget: (now: DateTime.Utc) => void
  /** What was last said of a coin that was listed lately. */
  readonly last: (id: string, now: DateTime.Utc) => MoverView | null
}

/** An empty memory. */
export const make = (): WhyMemory => {
  const remembered = new Map<string, Remembered>()
  const isRecent = ({ listedAt }: Remembered, now: DateTime.Utc) =>
    DateTime.isGreaterThan(listedAt, DateTime.subtractDuration(now, REMEMBER))

  return {
    dated: (reworded, explanation, now, isFinal) => {
      const held = remembered.get(reworded.id)
      // The other way, or again after a night: another move.
      const before =
        held !== undefined && isRecent(held, now) && held.view.direction === reworded.direction ? held : undefined
      const engine = substanceOf(explanation)
      // Until the model has answered, nothing is known to have changed in what it may say.
      const isPending = !isFinal && before?.engine === engine
      const shown = isPending ? before.shown : substanceOf(reworded)
      const isSame = before !== undefined && before.engine === engine && before.shown === shown
      const explainedSince = before?.explainedSince ?? (reworded.status === "insufficient_coverage" ? null : now)
      const view: MoverView = {
        ...reworded,
        first_explained_at: explainedSince ?? before?.view.first_explained_at ?? now,
        revised_at: isSame ? before.view.revised_at : now
      }
      remembered.set(view.id, { view, engine, shown, explainedSince, listedAt: now })
      return view
    },
    forget: (now) => {
      for (const [id, one] of remembered) if (!isRecent(one, now)) remembered.delete(id)
    },
    last: (id, now) => {
      const held = remembered.get(id)
      return held !== undefined && isRecent(held, now) ? held.view : null
    }
  }
}
