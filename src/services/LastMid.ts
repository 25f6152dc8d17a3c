// The last mid of a P2P market, which decides between venues that contradict each other. It is saved and shared; without a saved one it
// is the newest in the own record.
import { Clock, Effect, Option, Schema } from "effect"
import type { P2pMarket } from "../domain/P2pMarket.ts"
import { isWithin } from "../domain/Plausibility.ts"
import * as SeriesName from "../history/store/SeriesName.ts"
import { Judgements } from "./judge/Judgements.ts"
import * as RecordedFigures from "./judge/RecordedFigures.ts"

/** A mid and its time. */
const Saved = Schema.fromJsonString(Schema.Tuple([Schema.Finite, Schema.Finite]))
const [encode, decode] = [Schema.encodeSync(Saved), Schema.decodeOption(Saved)]

/** An older mid decides nothing, ms: as for the newest in the record. */
const OLDEST = 7 * 86_400_000

/** A mid that stays the same is saved again after this time, ms. */
const SAVED_AGAIN = 3_600_000

export const make = Effect.fnUntraced(function* ({ bounds, fiat }: P2pMarket) {
  const clock = yield* Clock.Clock
  let last: readonly [mid: number, time: number] | undefined
  const take = (found: number | undefined, time: number) => {
    if (found !== undefined && isWithin(found, bounds)) last = [found, time]
  }
  /** A time ahead of the clock counts as now: the clock was set back. */
  const current = () =>
    last !== undefined && clock.currentTimeMillisUnsafe() - last[1] <= OLDEST ? last[0] : undefined
  const record = yield* RecordedFigures.make(() => SeriesName.p2p(fiat))
  const changed = yield* (yield* Judgements).join(`the mid of ${fiat}`, {
    text: () => (last === undefined ? "" : encode(last)),
    adopt: (text) => Effect.sync(() => Option.map(decode(text), ([mid, time]) => take(mid, time)))
  })
  return {
    current,
    /** Reads the record if there is no mid. */
    recall: Effect.suspend(() => (last === undefined ? record.recall([fiat]) : Effect.void)).pipe(
      Effect.andThen(
        Effect.sync(() => {
          if (last === undefined) take(record.of(fiat)?.[0] ?? undefined, clock.currentTimeMillisUnsafe())
        })
      )
    ),
    replace: (next: number | null) => {
      const now = clock.currentTimeMillisUnsafe()
      if (next === null || (next === last?.[0] && Math.abs(now - last[1]) < SAVED_AGAIN)) return
      take(next, now)
      changed()
    }
  }
})
