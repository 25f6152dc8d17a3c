// Fiat rates against the US dollar. Sources in order: Frankfurter, currency-api. `NGN` here is an official rate, not the P2P one.
import { type Config, Context, Effect, Layer } from "effect"
import type { FxRates } from "../domain/FxRates.ts"
import type { Snapshot } from "../domain/Snapshot.ts"
import { dataSetsOf, layerWith, type SourcesWith } from "../sources/Sources.ts"
import { maxAges } from "./refresh/MaxAges.ts"
import * as Refresher from "./refresh/Refresher.ts"
import { fxJumps } from "./refresh/JumpFilters.ts"
import type { Unavailable } from "./refresh/Unavailable.ts"

/** Fiat rates: units of a fiat per 1 USD. */
export class ExchangeRates extends Context.Service<
  ExchangeRates,
  {
    /** Stamped with the start of the newest day observed, UTC; at most `MAX_AGE_FX` (7 days) old. */
    readonly current: Effect.Effect<Snapshot<FxRates>, Unavailable>
  }
>()("crypto-data-api/services/ExchangeRates") {
  static readonly layerNoDeps: Layer.Layer<ExchangeRates, Config.ConfigError, SourcesWith<"fx">> = Layer.effect(
    ExchangeRates,
    Effect.gen(function* () {
      const question = yield* Refresher.make({
        name: "fiat rates",
        sources: yield* dataSetsOf("fx"),
        maxAge: yield* maxAges.fx,
        grace: "6 hours",
        review: fxJumps
      })
      return ExchangeRates.of({ current: question.answer })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(layerWith("fx")))

  static readonly layerTest = (service: ExchangeRates["Service"]) => Layer.succeed(ExchangeRates, service)
}
