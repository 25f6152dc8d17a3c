// The change of a P2P market's mid over 24 hours, from the history. The mid of a day ago is read each minute, so that
// no request waits for the database. If there is none, the change is unknown.
import { Effect, Option } from "effect"
import { loop } from "../../domain/loop.ts"
import type { P2pMarket } from "../../domain/P2pMarket.ts"
import type { Snapshot } from "../../domain/Snapshot.ts"
import * as SeriesName from "../../history/store/SeriesName.ts"
import { VersionedRef, read } from "../refresh/Dependencies.ts"
import type { Unavailable } from "../refresh/Unavailable.ts"
import * as HistoryAccess from "./HistoryAccess.ts"
import { changeSince, dayBefore, type Newest } from "./NewestValues.ts"

/** Polls `mid`. Returns the change of a mid over 24 hours in percent, if a mid of that time is recorded. */
export const make = Effect.fnUntraced(function* (
  { fiat }: P2pMarket,
  mid: Effect.Effect<Snapshot<number>, Unavailable>
) {
  const access = yield* HistoryAccess.make
  const series = SeriesName.p2p(fiat)
  const dayOld = new VersionedRef<Newest | undefined>(undefined)
  const observedAt = (now: Snapshot<number>) => now.observedAt.epochMilliseconds

  const look = Effect.gen(function* () {
    const found = (yield* dayBefore(access, new Map([[series, observedAt(yield* mid)]]))).get(series)
    // Responses built from the same mid stay valid.
    if (found?.observedAt !== dayOld.value?.observedAt) dayOld.replace(found)
  })
  yield* loop(`the change of the ${fiat} market`, "1 minute", Effect.ignore(look)).pipe(
    Effect.forkScoped({ startImmediately: true })
  )

  return (now: Snapshot<number>) =>
    Effect.map(read(dayOld), (then) =>
      Option.fromUndefinedOr(changeSince(then, { value: now.value, observedAt: observedAt(now) }))
    )
})
