// CONTRACT, Payloads: `/v1/global` is never mixed from two sources.
import { assert, describe } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import type { Coin } from "../../src/domain/Coin.ts"
import type { GlobalMarket } from "../../src/domain/GlobalMarket.ts"
import { GlobalMarkets } from "../../src/services/GlobalMarkets.ts"
import { CoinGecko } from "../../src/sources/market/CoinGecko.ts"
import { CoinPaprika } from "../../src/sources/market/CoinPaprika.ts"
import { atNoon, gecko, scripted } from "./scripted.ts"
import { rule } from "../rulesOf.ts"

const complete: GlobalMarket = {
  market_cap: 3.1e12,
  volume_24h: 1.2e11,
  market_cap_change_24h: -1.5,
  btc_dominance: 57,
  eth_dominance: 11,
  active_coins: 17_000
}

const unknown = { volume_24h: null, market_cap_change_24h: null, eth_dominance: null, active_coins: null }

const setup = Effect.gen(function* () {
  yield* atNoon
  const first = yield* scripted<GlobalMarket>("CoinGecko")
  const second = yield* scripted<GlobalMarket>("CoinPaprika")
  const coins = (yield* scripted<ReadonlyArray<Coin>>("another")).feed
  const { service } = yield* gecko({ global: first.feed })
  const start = Effect.gen(function* () {
    const context = yield* Layer.build(
      GlobalMarkets.layerNoDeps.pipe(
        Layer.provide([Layer.succeed(CoinGecko, service), CoinPaprika.layerTest({ coins: coins, global: second.feed })])
      )
    )
    yield* TestClock.adjust(1)
    return Context.get(context, GlobalMarkets).current
  })
  return { first, second, start }
})

describe("the figures of the whole market", () => {
  rule("are the first source's, and what it does not say stays unknown although others say it", function* () {
    const { first, second, start } = yield* setup
    const partial = { ...complete, ...unknown, market_cap: 3.2e12, btc_dominance: 56 }
    first.says(partial)
    second.says(complete)
    const { source, value } = yield* yield* start
    assert.deepStrictEqual([source, value], ["CoinGecko", partial])
  })
})
