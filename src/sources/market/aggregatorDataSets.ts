// What CoinPaprika and CoinLore have in common: a list of coins under ids of their own, and totals, fetched equally often.
import { type Duration, Effect, Schema } from "effect"
import { Coin } from "../../domain/Coin.ts"
import { joinRegistry, type KnownCoin } from "../../domain/CoinRegistry.ts"
import { GlobalMarket } from "../../domain/GlobalMarket.ts"
import * as Plausible from "../../domain/PlausibleMarket.ts"
import type { Snapshot } from "../../domain/Snapshot.ts"
import type { SourceClient } from "../client/SourceClient.ts"
import { type SourceError, Undecodable, Unusable } from "../client/SourceError.ts"
import * as WireFormat from "../client/WireFormat.ts"

/** The rows of a list as read, how many did not fit, and the times of all of them. */
interface Listed<Row> extends Omit<Snapshot<ReadonlyArray<Row>>, "source"> {
  readonly bad: number
}

/** Figures that neither source has. */
export const notListed = { high_24h: null, low_24h: null, image: null }

/** The data sets `list` and `global`. A list without a row that fits, or without a coin of the registry, has failed. */
export const aggregatorDataSets = Effect.fnUntraced(function* <
  Row extends { readonly id: string; readonly symbol: string; readonly name: string }
>(
  client: SourceClient,
  options: {
    readonly every: Duration.Input
    readonly list: Effect.Effect<Listed<Row>, SourceError>
    readonly byOwnId: (id: string) => KnownCoin | undefined
    readonly figuresOf: (row: Row) => Omit<Coin, "id" | "symbol" | "name">
    readonly global: Effect.Effect<Omit<Snapshot<GlobalMarket>, "source">, SourceError>
  }
) {
  const { byOwnId, every, figuresOf } = options
  const source = client.name
  const list = Effect.gen(function* () {
    const { bad, value: rows, ...times } = yield* options.list
    yield* WireFormat.reportBad(source, "coins", bad)
    if (rows.length === 0 && bad > 0) return yield* client.error(new Undecodable({ detail: "no usable coin" }))
    const value = joinRegistry(rows, byOwnId, figuresOf)
    if (value.length === 0) return yield* client.error(new Unusable({ detail: "no coin of the registry" }))
    return { value, source, ...times }
  })
  return {
    list: yield* client.dataSet("list", { every, fetch: list, check: Plausible.coinList, schema: Schema.Array(Coin) }),
    global: yield* client.dataSet("global", {
      every,
      fetch: Effect.map(options.global, (totals) => ({ ...totals, source })),
      check: Plausible.globalMarket,
      schema: GlobalMarket
    })
  }
})
