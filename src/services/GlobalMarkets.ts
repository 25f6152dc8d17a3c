// Figures of the whole market, never mixed from two sources. Sources in order: CoinGecko, CoinPaprika.
import { type Config, Context, Duration, Effect, Layer, type Option } from "effect"
import type { GlobalMarket } from "../domain/GlobalMarket.ts"
import type { Snapshot } from "../domain/Snapshot.ts"
import { dataSetsOf, layerWith, type SourcesWith } from "../sources/Sources.ts"
import { maxAges } from "./refresh/MaxAges.ts"
import * as Rules from "./judge/Rules.ts"
import * as Refresher from "./refresh/Refresher.ts"
import { whole } from "./refresh/Rows.ts"
import type { Unavailable } from "./refresh/Unavailable.ts"

/** Market cap, volume and dominance of the whole market. */
export class GlobalMarkets extends Context.Service<
  GlobalMarkets,
  {
    /** Money in USD; at most `MAX_AGE_GLOBAL` (6 hours) old. */
    readonly current: Effect.Effect<Snapshot<GlobalMarket>, Unavailable>
    /** The same without waiting for a first answer. */
    readonly known: Effect.Effect<Option.Option<Snapshot<GlobalMarket>>>
  }
>()("crypto-data-api/services/GlobalMarkets") {
  static readonly layerNoDeps: Layer.Layer<GlobalMarkets, Config.ConfigError, SourcesWith<"global">> = Layer.effect(
    GlobalMarkets,
    Effect.gen(function* () {
      const sources = yield* dataSetsOf("global")
      const question = yield* Refresher.make({
        name: "global market figures",
        sources,
        maxAge: yield* maxAges.global,
        // An aggregator's figures may be half an hour old when it answers.
        staleAfter: Duration.sum(Duration.times(sources[0].every, 3), Duration.minutes(30)),
        rows: whole<GlobalMarket>(),
        rules: Rules.global
      })
      return GlobalMarkets.of({ current: question.answer, known: question.current })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(layerWith("global")))

  static readonly layerTest = ({ current }: Pick<GlobalMarkets["Service"], "current">) =>
    Layer.succeed(GlobalMarkets, { current, known: Effect.option(current) })
}
