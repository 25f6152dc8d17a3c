// The naira's official rate with the day it was published for: CBN's interbank window, then its table of all rates, then
// Frankfurter's copy of it.
import { type Config, Context, Effect, Layer, Option } from "effect"
import type { OfficialRate } from "../domain/OfficialRate.ts"
import type { Snapshot } from "../domain/Snapshot.ts"
import { Cbn } from "../sources/naira/Cbn.ts"
import { Frankfurter } from "../sources/fx/Frankfurter.ts"
import { maxAges } from "./refresh/MaxAges.ts"
import * as Refresher from "./refresh/Refresher.ts"
import { figureJumps } from "./refresh/JumpFilters.ts"

/** What is known of the official rate, or why nothing is. */
export type Official =
  | { readonly _tag: "Published"; readonly snapshot: Snapshot<OfficialRate> }
  | { readonly _tag: "Missing"; readonly reason: "official_rate_missing" | "official_rate_too_old" }

/** The official rate. */
export class OfficialRates extends Context.Service<
  OfficialRates,
  {
    readonly current: Effect.Effect<Official>
  }
>()("crypto-data-api/services/OfficialRates") {
  static readonly layerNoDeps: Layer.Layer<OfficialRates, Config.ConfigError, Cbn | Frankfurter> = Layer.effect(
    OfficialRates,
    Effect.gen(function* () {
      const cbn = yield* Cbn
      const frankfurter = yield* Frankfurter
      const question = yield* Refresher.make({
        name: "official naira rate",
        sources: [cbn.nfem, cbn.all, frankfurter.official],
        maxAge: yield* maxAges.official,
        grace: "1 day",
        review: figureJumps((official: OfficialRate) => official.rate)
      })
      const current = question.answer.pipe(
        Effect.map((snapshot): Official => ({ _tag: "Published", snapshot })),
        Effect.catch(() =>
          Effect.map(question.last, (held): Official => ({
            _tag: "Missing",
            reason: Option.isSome(held) ? "official_rate_too_old" : "official_rate_missing"
          }))
        )
      )
      return OfficialRates.of({ current })
    })
  )

  static readonly layer: Layer.Layer<OfficialRates, Config.ConfigError> = this.layerNoDeps.pipe(
    Layer.provide([Cbn.layer, Frankfurter.layer])
  )

  static readonly layerTest = (service: OfficialRates["Service"]) => Layer.succeed(OfficialRates, service)
}
