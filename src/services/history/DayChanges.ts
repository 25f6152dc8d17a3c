// Changes over 24 hours, from the history. The values of a day ago are read after new ones, so that no request waits for the database.
import { Effect, Result } from "effect"
import * as Derived from "../refresh/Derived.ts"
import * as HistoryAccess from "./HistoryAccess.ts"
import { changeSince, dayBefore, type Newest, type Valued } from "./NewestValues.ts"

type DayOld = ReadonlyMap<string, Newest>

interface Inputs extends Pick<Parameters<typeof Derived.make<DayOld>>[0], "name" | "inputs" | "gather"> {
  /** When the value of now of each series was observed, epoch milliseconds. */
  readonly times: Effect.Effect<ReadonlyMap<string, number>, unknown>
}

/** Returns the change of a series in percent; `undefined` if no value of its kind and of 24 hours before is recorded. */
export const make = Effect.fnUntraced(function* ({ times, ...inputs }: Inputs) {
  const access = yield* HistoryAccess.make
  const dayOld = yield* Derived.make<DayOld>({
    ...inputs,
    initial: new Map(),
    compute: Effect.fnUntraced(function* (known) {
      const found = yield* Effect.result(Effect.flatMap(times, (now) => dayBefore(access, now)))
      if (Result.isFailure(found)) return undefined
      const value = found.success
      const isSame = ([series, { observedAt }]: readonly [string, Newest]) =>
        known.get(series)?.observedAt === observedAt
      // Responses built from the same values stay valid.
      return { value: value.size === known.size && value.entries().every(isSame) ? known : value }
    })
  })
  return (series: string, now: Valued) => Effect.map(dayOld.current, (known) => changeSince(known.get(series), now))
})
