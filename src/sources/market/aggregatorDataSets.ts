// The data sets of an aggregator with ids of its own: a list of coins, and totals, fetched equally often.
import { type Duration, Effect, Schema } from "effect"
import { Coin } from "../../domain/Coin.ts"
import { joinRegistry, type KnownCoin } from "../../domain/CoinRegistry.ts"
import { GlobalMarket } from "../../domain/GlobalMarket.ts"
import * as Plausible from "../../domain/PlausibleMarket.ts"
import type { Fetch, SourceClient } from "../client/SourceClient.ts"
import { Unusable } from "../client/SourceError.ts"

/** Figures that such a list lacks. */
export const notListed = { high_24h: null, low_24h: null, image: null }

/** The data sets `coins` and `global`. A list without a row that fits, or without a coin of the registry, has failed. */
export const aggregatorDataSets = Effect.fnUntraced(function* <
  Row extends { readonly id: string; readonly symbol: string; readonly name: string }
>(
  client: SourceClient,
  options: {
    readonly every: Duration.Input
    readonly coins: Fetch<ReadonlyArray<Row>>
    readonly byOwnId: (id: string) => KnownCoin | undefined
    readonly figuresOf: (row: Row) => Omit<Coin, "id" | "symbol" | "name">
    readonly global: Fetch<GlobalMarket>
  }
) {
  const { byOwnId, every, figuresOf } = options
  const coins = Effect.gen(function* () {
    const { value: rows, ...times } = yield* options.coins
    const value = joinRegistry(rows, byOwnId, figuresOf)
    if (value.length === 0) return yield* client.error(new Unusable({ detail: "no coin of the registry" }))
    return { value, ...times }
  })
  return {
    coins: yield* client.dataSet("list", {
      every,
      fetch: coins,
      check: Plausible.coinList,
      schema: Schema.Array(Coin)
    }),
    global: yield* client.dataSet("global", {
      every,
      fetch: options.global,
      check: Plausible.globalMarket,
      schema: GlobalMarket
    })
  }
})
