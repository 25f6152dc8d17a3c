import { assert, describe } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { MATCHES } from "../../src/domain/CoinSearch.ts"
import { friday, RunningService, withoutEvidence, get, pass } from "../RunningService.ts"
import { CoinDetail as Coin } from "../../src/api/MarketApi.ts"
import { problemOf, read, refused } from "./support.ts"
import { rulesIn } from "../rulesOf.ts"

const Search = Schema.Struct({
  query: Schema.String,
  coins: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      symbol: Schema.String,
      name: Schema.String,
      rank: Schema.NullOr(Schema.Finite),
      matched: Schema.Literals(MATCHES),
      platforms: Schema.NullOr(Schema.Record(Schema.String, Schema.String))
    })
  )
})

const USDT = "0xdac17f958d2ee523a2206206994597c13d831ec7"
const USDC_SOLANA = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"

const search = (query: string) => read(`/v1/search?${query}`, Search)

rulesIn(RunningService.layer({ at: friday, config: { COINGECKO_PLAN: "pro", ...withoutEvidence } }))(
  "search",
  (rule, it) => {
    describe("Finding: /v1/search", () => {
      rule("works before the registry is held, from the list of coins, with platforms unknown", function* () {
        const { data, meta } = yield* search("q=usdt&limit=1")
        assert.strictEqual(data.coins[0]?.id, "tether")
        assert.isNull(data.coins[0]?.platforms)
        assert.strictEqual(meta.source, "CoinGecko (sandbox)")
      })

      rule("counts a query in code points and repeats it as it was sent", function* () {
        yield* pass("10 seconds")
        const longest = "🦀".repeat(100)
        const { data } = yield* search(`q=${encodeURIComponent(longest)}`)
        assert.deepStrictEqual([data.query, data.coins], [longest, []])
        for (const query of ["", "q=", `q=${encodeURIComponent("🦀".repeat(101))}`, "q=a&limit=0", "q=a&limit=26"]) {
          yield* refused(`/v1/search?${query}`, 400, "invalid_parameter")
        }
        const { detail } = yield* refused("/v1/search?q=a&limit=26", 400, "invalid_parameter")
        assert.include(detail, "1 to 25")
      })
    })

    describe("Finding: /v1/contract/{platform}/{address}", () => {
      rule("is the coin as /v1/coins/{id} answers it; 0x addresses are read in any case, others exactly", function* () {
        yield* pass("10 seconds")
        const { data, meta } = yield* read("/v1/coins/tether", Coin)
        assert.strictEqual(data.platforms?.["ethereum"], USDT)
        assert.notProperty(data.platforms, "")
        for (const address of [USDT, USDT.toUpperCase(), `0x${USDT.slice(2).toUpperCase()}`]) {
          assert.deepInclude(yield* read(`/v1/contract/ethereum/${address}`, Coin), { data, meta }, address)
        }
        assert.strictEqual((yield* read(`/v1/contract/solana/${USDC_SOLANA}`, Coin)).data.id, "usd-coin")
        yield* refused(`/v1/contract/solana/${USDC_SOLANA.toLowerCase()}`, 404, "unknown_coin")
      })

      rule("is unknown on another platform; the coin that has the address elsewhere is suggested", function* () {
        const { suggestions } = yield* refused(`/v1/contract/base/${USDT}`, 404, "unknown_coin")
        assert.deepStrictEqual(suggestions?.[0]?.id, "tether")
        for (const platform of ["__proto__", "constructor", "%20", "a%2Fb"]) {
          yield* refused(`/v1/contract/${platform}/${USDT}`, 404, "unknown_coin")
        }
      })

      it.effect("a coin with a chain of its own has no platforms", () =>
        Effect.map(read("/v1/coins/bitcoin", Coin), ({ data }) => assert.deepStrictEqual(data.platforms, {}))
      )
    })

    rule("the suggestions of a 404 are what the search finds", function* () {
      for (const word of ["usdt", "bitcion", "shiba"]) {
        const { suggestions } = yield* problemOf(yield* get(`/v1/coins/${word}`))
        const { data } = yield* search(`q=${word}&limit=5`)
        assert.deepStrictEqual(
          suggestions,
          data.coins.map(({ id, name, symbol }) => ({ id, symbol, name }))
        )
        assert.isNotEmpty(data.coins)
      }
    })
  }
)
