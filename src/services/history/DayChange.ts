// The change of a P2P market's mid over 24 hours, from the history. The mid of a day ago is read after new books, so that no request waits
// for the database. If there is none of the same kind, the change is unknown: a P2P mid is not compared with an order book's.
import { Effect, Option, Result } from "effect"
import type { P2pMarket } from "../../domain/P2pMarket.ts"
import * as SeriesName from "../../history/store/SeriesName.ts"
import type { Mid } from "../MarketRate.ts"
import * as Derived from "../refresh/Derived.ts"
import type { Unavailable } from "../refresh/Unavailable.ts"
import * as HistoryAccess from "./HistoryAccess.ts"
import { changeSince, dayBefore, type Newest } from "./NewestValues.ts"

const observedAt = (now: Mid) => now.observedAt.epochMilliseconds

/** `inputs`: what `mid` changes with. Returns the change of a mid over 24 hours in percent, if a mid of that time is recorded. */
export const make = Effect.fnUntraced(function* (
  { fiat }: P2pMarket,
  mid: Effect.Effect<Mid, Unavailable>,
  inputs: ReadonlyArray<Derived.Listen>
) {
  const access = yield* HistoryAccess.make
  const series = SeriesName.p2p(fiat)
  const dayOld = yield* Derived.make<Newest | undefined>({
    name: `the change of the ${fiat} market`,
    initial: undefined,
    inputs,
    // Books come every minute, each at its own time.
    gather: (known) => (known === undefined ? "1 second" : "1 minute"),
    compute: Effect.fnUntraced(function* (known) {
      const found = yield* Effect.result(
        Effect.flatMap(mid, (now) => dayBefore(access, new Map([[series, observedAt(now)]])))
      )
      if (Result.isFailure(found)) return undefined
      const value = found.success.get(series)
      // Responses built from the same mid stay valid.
      return { value: value?.observedAt === known?.observedAt ? known : value }
    })
  })

  return (now: Mid) =>
    Effect.map(dayOld.current, (then) =>
      Option.fromUndefinedOr(
        changeSince(then, { value: now.value, kind: now.kind ?? "p2p", observedAt: observedAt(now) })
      )
    )
})
