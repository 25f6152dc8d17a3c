// The last mid of a P2P market, which decides between venues that contradict each other. It is saved and shared; without a saved one it
// is the newest in the own record.
import { Effect, Option, Schema } from "effect"
import type { P2pMarket } from "../domain/P2pMarket.ts"
import { isWithin } from "../domain/Plausibility.ts"
import * as SeriesName from "../history/store/SeriesName.ts"
import { Judgements } from "./judge/Judgements.ts"
import * as RecordedFigures from "./judge/RecordedFigures.ts"

const decode = Schema.decodeOption(Schema.fromJsonString(Schema.Finite))

export const make = Effect.fnUntraced(function* ({ bounds, fiat }: P2pMarket) {
  let mid: number | undefined
  const take = (found: number | null | undefined) => {
    if (typeof found === "number" && isWithin(found, bounds)) mid = found
  }
  const record = yield* RecordedFigures.make(() => SeriesName.p2p(fiat))
  const changed = yield* (yield* Judgements).join(`the mid of ${fiat}`, {
    text: () => String(mid),
    adopt: (text) => Effect.sync(() => take(Option.getOrNull(decode(text))))
  })
  return {
    current: () => mid,
    /** Reads the record if there is no mid. */
    recall: Effect.suspend(() => (mid === undefined ? record.recall([fiat]) : Effect.void)).pipe(
      Effect.andThen(Effect.sync(() => (mid === undefined ? take(record.of(fiat)?.[0]) : undefined)))
    ),
    replace: (next: number | null) => {
      if (next === null || next === mid) return
      take(next)
      changed()
    }
  }
})
