// The ratio of a mover's volume in the last 24 hours to a usual day of the last week, from exchange candles. A run
// never waits for an exchange: missing ratios are fetched for the next run.
import { Clock, Effect, FiberMap } from "effect"
import { volumeRatio } from "../../domain/CandleSeries.ts"
import { roundSignificant } from "../../domain/Decimal.ts"
import { bucketOf, lengthOf } from "../../history/model/Interval.ts"
import { CoinCandles } from "../CoinCandles.ts"

/** How long a ratio, or the lack of one, is cached; ms. */
const FRESH = 30 * 60_000

const HOUR = lengthOf("hour")

/** The known ratios of some coins, by id. Missing ones are fetched for the next time. */
export type VolumeRatios = (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, number>>

export const make = Effect.gen(function* () {
  const candles = yield* CoinCandles
  const fetching = yield* FiberMap.make<string>()
  let known: ReadonlyMap<string, { readonly at: number; readonly ratio: number | null }> = new Map()

  const fetched = Effect.fnUntraced(function* (id: string) {
    const now = yield* Clock.currentTimeMillis
    const last = bucketOf("hour", now) - HOUR
    const span = { interval: "hour", first: last - 167 * HOUR, last } as const
    const found = yield* Effect.option(candles.of(id, span, "on_demand", Effect.succeed([])))
    const ratio = found._tag === "Some" ? volumeRatio(found.value.candles, last) : null
    known = new Map([...known, [id, { at: now, ratio }]])
  })

  const ratiosOf: VolumeRatios = Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
    const now = yield* Clock.currentTimeMillis
    known = new Map([...known].filter(([id, { at }]) => ids.includes(id) && now - at < FRESH))
    for (const id of ids) {
      if (!known.has(id)) yield* FiberMap.run(fetching, id, fetched(id), { onlyIfMissing: true })
    }
    return new Map(
      [...known].flatMap(([id, { ratio }]) => (ratio === null ? [] : [[id, roundSignificant(ratio, 3)] as const]))
    )
  })
  return ratiosOf
})
