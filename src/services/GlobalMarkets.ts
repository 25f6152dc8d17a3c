// The whole market's figures, from the first source that has them, never mixed from two.
import { type Config, Context, Duration, Effect, Layer } from "effect"
import type { GlobalMarket } from "../domain/GlobalMarket.ts"
import type { Snapshot } from "../domain/Snapshot.ts"
import { CoinGecko } from "../sources/market/CoinGecko.ts"
import { CoinLore } from "../sources/market/CoinLore.ts"
import { CoinPaprika } from "../sources/market/CoinPaprika.ts"
import { maxAges } from "./refresh/MaxAges.ts"
import * as Refresher from "./refresh/Refresher.ts"
import { figureJumps } from "./refresh/JumpFilters.ts"
import type { Unavailable } from "./refresh/Unavailable.ts"

/** Global market statistics. */
export class GlobalMarkets extends Context.Service<
  GlobalMarkets,
  {
    readonly current: Effect.Effect<Snapshot<GlobalMarket>, Unavailable>
  }
>()("crypto-data-api/services/GlobalMarkets") {
  static readonly layerNoDeps: Layer.Layer<GlobalMarkets, Config.ConfigError, CoinGecko | CoinPaprika | CoinLore> =
    Layer.effect(
      GlobalMarkets,
      Effect.gen(function* () {
        const gecko = yield* CoinGecko
        const paprika = yield* CoinPaprika
        const lore = yield* CoinLore
        const question = yield* Refresher.make({
          name: "global market figures",
          sources: [gecko.global, paprika.global, lore.global],
          maxAge: yield* maxAges.global,
          grace: Duration.times(gecko.global.every, 3),
          staleAfter: Duration.sum(Duration.times(gecko.global.every, 3), Duration.minutes(30)),
          review: figureJumps((market: GlobalMarket) => market.market_cap)
        })
        return GlobalMarkets.of({ current: question.answer })
      })
    )

  static readonly layer: Layer.Layer<GlobalMarkets, Config.ConfigError> = this.layerNoDeps.pipe(
    Layer.provide([CoinGecko.layer, CoinPaprika.layer, CoinLore.layer])
  )

  static readonly layerTest = (service: GlobalMarkets["Service"]) => Layer.succeed(GlobalMarkets, service)
}
