// Fiat rates against the US dollar, from the first source that has them. `NGN` here is an official rate, not the P2P one.
import { type Config, Context, Effect, Layer } from "effect"
import type { FxRates } from "../domain/FxRates.ts"
import type { Snapshot } from "../domain/Snapshot.ts"
import { CurrencyApi } from "../sources/fx/CurrencyApi.ts"
import { Frankfurter } from "../sources/fx/Frankfurter.ts"
import { maxAges } from "./refresh/MaxAges.ts"
import * as Refresher from "./refresh/Refresher.ts"
import { fxJumps } from "./refresh/JumpFilters.ts"
import type { Unavailable } from "./refresh/Unavailable.ts"

/** Fiat rates. */
export class ExchangeRates extends Context.Service<
  ExchangeRates,
  {
    /** Stamped with the start of the newest day observed. Banks rest at weekends and holidays: up to a week old. */
    readonly current: Effect.Effect<Snapshot<FxRates>, Unavailable>
  }
>()("crypto-data-api/services/ExchangeRates") {
  static readonly layerNoDeps: Layer.Layer<ExchangeRates, Config.ConfigError, Frankfurter | CurrencyApi> = Layer.effect(
    ExchangeRates,
    Effect.gen(function* () {
      const frankfurter = yield* Frankfurter
      const currencyApi = yield* CurrencyApi
      const question = yield* Refresher.make({
        name: "fiat rates",
        sources: [frankfurter.rates, currencyApi.rates],
        maxAge: yield* maxAges.fx,
        grace: "6 hours",
        review: fxJumps
      })
      return ExchangeRates.of({ current: question.answer })
    })
  )

  static readonly layer: Layer.Layer<ExchangeRates, Config.ConfigError> = this.layerNoDeps.pipe(
    Layer.provide([Frankfurter.layer, CurrencyApi.layer])
  )

  static readonly layerTest = (service: ExchangeRates["Service"]) => Layer.succeed(ExchangeRates, service)
}
