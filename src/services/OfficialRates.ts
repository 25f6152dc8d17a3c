// The naira's official rate with the day it was published for. Sources in order: CBN's interbank window (NFEM), CBN's table of
// all rates, Frankfurter's copy of CBN.
import { type Config, Context, Duration, Effect, Layer, Option } from "effect"
import { dayObserved, STALE_DAYS } from "../domain/FxRates.ts"
import type { OfficialRate } from "../domain/OfficialRate.ts"
import type { Snapshot } from "../domain/Snapshot.ts"
import { memoized } from "../domain/rememberEach.ts"
import { dataSetsOf, layerWith, type SourcesWith } from "../sources/Sources.ts"
import { maxAges } from "./refresh/MaxAges.ts"
import * as Rules from "./judge/Rules.ts"
import * as Refresher from "./refresh/Refresher.ts"
import { whole } from "./refresh/Rows.ts"

/** The official rate, or why none is served: none has arrived, or the latest is older than `MAX_AGE_OFFICIAL`. */
export type Official =
  | { readonly _tag: "Published"; readonly snapshot: Snapshot<OfficialRate> }
  | { readonly _tag: "Missing"; readonly reason: "official_rate_missing" | "official_rate_too_old" }

const names = ["nfem", "all_rates", "official_rate"] as const

/** The rate with the day on which it was observed. */
const dated = memoized((rate: Snapshot<OfficialRate>): Snapshot<OfficialRate> => {
  const date = dayObserved(rate.value.date, rate.retrievedAt)
  return date === rate.value.date ? rate : { ...rate, value: { ...rate.value, date } }
})

/** The official naira rate, NGN per USD. */
export class OfficialRates extends Context.Service<
  OfficialRates,
  {
    /** Units per USD. Waits for the first refresh. */
    readonly current: Effect.Effect<Official>
    /** The same without waiting, for answers that can do without it. */
    readonly known: Effect.Effect<Official>
  }
>()("crypto-data-api/services/OfficialRates") {
  static readonly layerNoDeps: Layer.Layer<OfficialRates, Config.ConfigError, SourcesWith<(typeof names)[number]>> =
    Layer.effect(
      OfficialRates,
      Effect.gen(function* () {
        const rate = yield* Refresher.make({
          name: "official naira rate",
          sources: yield* dataSetsOf(...names),
          maxAge: yield* maxAges.official,
          staleAfter: Duration.days(STALE_DAYS),
          rows: whole<OfficialRate>(),
          rules: Rules.official
        })
        const known = Effect.gen(function* (): Effect.fn.Return<Official> {
          const current = yield* rate.current
          if (Option.isSome(current)) return { _tag: "Published", snapshot: dated(current.value) }
          const isTooOld = Option.isSome(yield* rate.last)
          return { _tag: "Missing", reason: isTooOld ? "official_rate_too_old" : "official_rate_missing" }
        })
        const current = Effect.andThen(Effect.exit(rate.answer), known)
        return OfficialRates.of({ current, known })
      })
    )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(layerWith(...names)))

  static readonly layerTest = ({ current }: Pick<OfficialRates["Service"], "current">) =>
    Layer.succeed(OfficialRates, { current, known: current })
}
