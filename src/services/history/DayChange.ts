// The change of a P2P market's mid over 24 hours, from the history. The mid of a day ago is read each minute, so that
// no request waits for the database. If there is none of the same kind, the change is unknown: a P2P mid is not compared with an order
// book's.
import { Effect, Option } from "effect"
import { loop } from "../../domain/loop.ts"
import type { P2pMarket } from "../../domain/P2pMarket.ts"
import * as SeriesName from "../../history/store/SeriesName.ts"
import { VersionedRef, read } from "../refresh/Dependencies.ts"
import type { Mid } from "../MarketRate.ts"
import type { Unavailable } from "../refresh/Unavailable.ts"
import * as HistoryAccess from "./HistoryAccess.ts"
import { changeSince, dayBefore, type Newest } from "./NewestValues.ts"

/** Polls `mid`. Returns the change of a mid over 24 hours in percent, if a mid of that time is recorded. */
export const make = Effect.fnUntraced(function* ({ fiat }: P2pMarket, mid: Effect.Effect<Mid, Unavailable>) {
  const access = yield* HistoryAccess.make
  const series = SeriesName.p2p(fiat)
  const dayOld = new VersionedRef<Newest | undefined>(undefined)
  const observedAt = (now: Mid) => now.observedAt.epochMilliseconds

  const look = Effect.gen(function* () {
    const found = (yield* dayBefore(access, new Map([[series, observedAt(yield* mid)]]))).get(series)
    // Responses built from the same mid stay valid.
    if (found?.observedAt !== dayOld.value?.observedAt) dayOld.replace(found)
  })
  yield* loop(`the change of the ${fiat} market`, "1 minute", Effect.ignore(look)).pipe(
    Effect.forkScoped({ startImmediately: true })
  )

  return (now: Mid) =>
    Effect.map(read(dayOld), (then) =>
      Option.fromUndefinedOr(
        changeSince(then, { value: now.value, kind: now.kind ?? "p2p", observedAt: observedAt(now) })
      )
    )
})
