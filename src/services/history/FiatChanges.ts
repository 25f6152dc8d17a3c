// The changes over 24 hours of fiats on the exchanges, from the history. The rates of a day ago are read after new ones, so that no request
// waits for the database.
import { Effect, Result } from "effect"
import * as SeriesName from "../../history/store/SeriesName.ts"
import type { Snapshot } from "../../domain/Snapshot.ts"
import type { FiatRate, SpotPrices } from "../SpotPrices.ts"
import * as Derived from "../refresh/Derived.ts"
import * as HistoryAccess from "./HistoryAccess.ts"
import { changeSince, dayBefore, type Newest } from "./NewestValues.ts"

const observedAt = (rate: Snapshot<unknown>) => rate.observedAt.epochMilliseconds

/** Returns the change of a fiat's rate over 24 hours in percent; `undefined` if none of that time is recorded. */
export const make = Effect.fnUntraced(function* ({ fiats, listen }: Pick<SpotPrices["Service"], "fiats" | "listen">) {
  const access = yield* HistoryAccess.make
  const dayOld = yield* Derived.make<ReadonlyMap<string, Newest>>({
    name: "the changes of fiats",
    initial: new Map(),
    inputs: [listen],
    gather: () => "1 minute",
    compute: Effect.fnUntraced(function* () {
      const times = Array.from(yield* fiats, ([code, rate]) => [SeriesName.spot(code), observedAt(rate)] as const)
      if (times.length === 0) return undefined
      const found = yield* Effect.result(dayBefore(access, new Map(times)))
      return Result.isFailure(found) ? undefined : { value: found.success }
    })
  })

  return (code: string, now: Snapshot<FiatRate>): Effect.Effect<number | undefined> =>
    Effect.map(dayOld.current, (known) =>
      changeSince(known.get(SeriesName.spot(code)), { value: now.value.rate, kind: null, observedAt: observedAt(now) })
    )
})
