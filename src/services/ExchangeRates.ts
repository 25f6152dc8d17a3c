// Fiat rates against the US dollar. Sources in order: Frankfurter, currency-api. All are official rates, not those of P2P markets.
import { type Config, Context, Effect, Layer, type Option } from "effect"
import type { FxRates } from "../domain/FxRates.ts"
import type { Snapshot } from "../domain/Snapshot.ts"
import { dataSetsOf, layerWith, type SourcesWith } from "../sources/Sources.ts"
import { maxAges } from "./refresh/MaxAges.ts"
import * as Refresher from "./refresh/Refresher.ts"
import { fxRows } from "./refresh/Rows.ts"
import type { Unavailable } from "./refresh/Unavailable.ts"

/** Fiat rates: units of a fiat per 1 USD. */
export class ExchangeRates extends Context.Service<
  ExchangeRates,
  {
    /**
     * Each currency by the first source whose rate of it is at most `MAX_AGE_FX` (7 days) old; stamped with the start of the newest
     * day observed, UTC.
     */
    readonly current: Effect.Effect<Snapshot<FxRates>, Unavailable>
    /** The same without waiting, for answers that can do without it. */
    readonly known: Effect.Effect<Option.Option<Snapshot<FxRates>>>
    /** Whether a source has a rate of the currency that is too old, or may have one but has not answered yet. */
    readonly mayHave: (code: string) => Effect.Effect<boolean>
  }
>()("crypto-data-api/services/ExchangeRates") {
  static readonly layerNoDeps: Layer.Layer<ExchangeRates, Config.ConfigError, SourcesWith<"fx">> = Layer.effect(
    ExchangeRates,
    Effect.gen(function* () {
      const question = yield* Refresher.make({
        name: "fiat rates",
        sources: yield* dataSetsOf("fx"),
        rows: fxRows,
        maxAge: yield* maxAges.fx,
        grace: "6 hours"
      })
      const mayHave = (code: string) =>
        Effect.map(question.held, (held) => held.some((rates) => rates.size === 0 || rates.has(code)))
      return ExchangeRates.of({ current: question.answer, known: question.current, mayHave })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(layerWith("fx")))

  static readonly layerTest = ({ current }: Pick<ExchangeRates["Service"], "current">) =>
    Layer.succeed(ExchangeRates, { current, known: Effect.option(current), mayHave: () => Effect.succeed(false) })
}
