// The aggregators' lists of the largest coins, polled, each with its own figures. `PricedCoins` decides which of them are believed.
import { type Config, Context, Duration, Effect, Layer } from "effect"
import type { Coin } from "../domain/Coin.ts"
import { CoinGecko } from "../sources/market/CoinGecko.ts"
import { dataSetsOf, layerWith, type SourcesWith } from "../sources/Sources.ts"
import { maxAges } from "./refresh/MaxAges.ts"
import * as Refresher from "./refresh/Refresher.ts"
import { coinRows } from "./refresh/Rows.ts"

/** Coins as aggregators list them, with their own prices. {@link Coins} has the prices that are served. */
export class CoinLists extends Context.Service<CoinLists, Refresher.Refresher<ReadonlyArray<Coin>, Coin>>()(
  "crypto-data-api/services/CoinLists"
) {
  static readonly layerNoDeps: Layer.Layer<CoinLists, Config.ConfigError, SourcesWith<"coins">> = Layer.effect(
    CoinLists,
    Effect.gen(function* () {
      const gecko = yield* CoinGecko
      return CoinLists.of(
        yield* Refresher.make({
          name: "coins",
          sources: yield* dataSetsOf("coins"),
          rows: coinRows,
          maxAge: yield* maxAges.coins,
          // CoinPaprika publishes every ten minutes and is polled as often, so its figures are up to 20 minutes old.
          staleAfter: Duration.sum(Duration.times(gecko.coins.every, 5), Duration.minutes(20))
        })
      )
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(layerWith("coins")))
}
