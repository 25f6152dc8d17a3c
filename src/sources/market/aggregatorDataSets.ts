// The data sets of an aggregator with its own coin ids: a list of coins, and the global figures, polled at the same interval.
import { type Duration, Effect, Schema } from "effect"
import { Coin } from "../../domain/Coin.ts"
import { joinRegistry, type KnownCoin } from "../../domain/CoinRegistry.ts"
import { GlobalMarket } from "../../domain/GlobalMarket.ts"
import * as Plausible from "../../domain/PlausibleMarket.ts"
import type { Fetch, SourceClient } from "../client/SourceClient.ts"
import { Unusable } from "../client/SourceError.ts"

/** The figures that such lists lack. */
export const notListed = { high_24h: null, low_24h: null, image: null }

/** The data sets `coins` and `global`. A fetch of a list without any coin of the registry fails. */
export const aggregatorDataSets = Effect.fnUntraced(function* <
  Row extends { readonly id: string; readonly symbol: string; readonly name: string }
>(
  client: SourceClient,
  options: {
    readonly every: Duration.Input
    /** How often the aggregator publishes. */
    readonly lag: Duration.Input
    readonly coins: Fetch<ReadonlyArray<Row>>
    readonly byOwnId: (id: string) => KnownCoin | undefined
    readonly figuresOf: (row: Row) => Omit<Coin, "id" | "symbol" | "name">
    readonly global: Fetch<GlobalMarket>
  }
) {
  const { byOwnId, every, figuresOf, lag } = options
  const coins = Effect.gen(function* () {
    const { value: rows, ...times } = yield* options.coins
    const value = joinRegistry(rows, byOwnId, figuresOf)
    if (value.length === 0) return yield* client.error(new Unusable({ detail: "no coin of the registry" }))
    return { value, ...times }
  })
  return {
    coins: yield* client.dataSet("list", {
      every,
      lag,
      fetch: coins,
      check: Plausible.coinList,
      schema: Schema.Array(Coin)
    }),
    global: yield* client.dataSet("global", {
      every,
      lag,
      fetch: options.global,
      check: Plausible.globalMarket,
      schema: GlobalMarket
    })
  }
})
