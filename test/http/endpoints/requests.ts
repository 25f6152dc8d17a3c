import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import type { It } from "../../api/endpoints.ts"
import { Conversion } from "../../../src/api/ConversionApi.ts"
import { CoinDetail as Coin, Coins, Price } from "../../../src/api/MarketApi.ts"
import { conversion, fiats, read, refused } from "../support.ts"
import { rulesOf } from "../../rulesOf.ts"

/** CONTRACT, Requests: parameters, and how assets are named. */
export const requests = (it: It) => {
  const rule = rulesOf(it, Effect.void)

  describe("Requests: limit and page", () => {
    rule("are 100 and 1 by default", function* () {
      const bare = yield* read("/v1/coins", Coins)
      const full = yield* read("/v1/coins?limit=100&page=1", Coins)
      assert.deepStrictEqual(bare.data, full.data)
      const second = yield* read("/v1/coins?page=2", Coins)
      assert.strictEqual(second.data.limit, 100)
      assert.notStrictEqual(second.data.coins[0]?.id, full.data.coins[0]?.id)
    })

    rule("are accepted at their bounds", function* () {
      for (const limit of [1, 2, 249, 250]) {
        const { data } = yield* read(`/v1/coins?limit=${limit}`, Coins)
        assert.deepStrictEqual([data.coins.length, data.limit], [limit, limit])
      }
    })

    rule("names every wrong parameter at once", function* () {
      const { errors } = yield* refused("/v1/coins?limit=0&page=x", 400, "invalid_parameter")
      assert.sameMembers(errors?.map(({ parameter }) => parameter) ?? [], ["limit", "page"])
    })

    rule("answer an empty list past the end", function* () {
      for (const query of ["page=5", "page=5000", "limit=250&page=3", "limit=1&page=30000", "page=999999999999999"]) {
        const { data } = yield* read(`/v1/coins?${query}`, Coins)
        assert.deepStrictEqual(data.coins, [], query)
      }
    })

    rule("link to the first, the previous and the next page, keeping the limit", function* () {
      const links = Effect.fnUntraced(function* (path: string) {
        const { answer } = yield* read(path, Coins)
        const header = [answer.headers["link"]].flat().join(", ")
        return Object.fromEntries(
          [...header.matchAll(/<([^>]+)>;\s*rel="(\w+)"/g)].map(([, to = "", rel = ""]) => [rel, to])
        )
      })
      const first = yield* links("/v1/coins?limit=120")
      assert.deepStrictEqual(first, { first: "/v1/coins?limit=120&page=1", next: "/v1/coins?limit=120&page=2" })
      const second = yield* links("/v1/coins?limit=120&page=2")
      assert.deepStrictEqual(second, {
        first: "/v1/coins?limit=120&page=1",
        prev: "/v1/coins?limit=120&page=1",
        next: "/v1/coins?limit=120&page=3"
      })
      const past = yield* links("/v1/coins?limit=120&page=9")
      assert.hasAllKeys(past, ["first", "prev"])
      const followed = yield* read(first["next"] ?? "", Coins)
      assert.strictEqual(followed.data.page, 2)
    })
  })

  describe("Requests: how assets are named", () => {
    rule("ids and fiats are read in any case and answered in their own", function* () {
      const coin = yield* read("/v1/coins/BitCoin", Coin)
      assert.strictEqual(coin.data.id, "bitcoin")
      const price = yield* read("/v1/price/BITCOIN/Eur", Price)
      assert.deepStrictEqual([price.data.id, price.data.symbol, price.data.fiat], ["bitcoin", "BTC", "EUR"])
      const converted = yield* read(conversion("BiTcOiN", "nGn"), Conversion)
      assert.deepStrictEqual([converted.data.from, converted.data.to], ["bitcoin", "NGN"])
      for (const fiat of fiats) {
        const lower = yield* read(`/v1/price/solana/${fiat}`, Price)
        const upper = yield* read(`/v1/price/solana/${fiat.toUpperCase()}`, Price)
        assert.deepStrictEqual(lower.data, upper.data)
      }
    })

    rule("an unknown fiat in a path is a 400 that lists the nine", function* () {
      for (const fiat of ["xyz", "kes", "btc", "usdt", "u", "%20usd", "usdd"]) {
        const { errors } = yield* refused(`/v1/price/bitcoin/${fiat}`, 400, "invalid_parameter")
        assert.deepStrictEqual(
          errors?.map(({ parameter }) => parameter),
          ["fiat"]
        )
        for (const known of fiats) assert.match(errors?.[0]?.detail ?? "", new RegExp(`\\b${known}\\b`))
      }
    })
  })

  describe("Requests: the query", () => {
    rule("of a conversion requires from and to", function* () {
      const named = (path: string) =>
        Effect.map(refused(path, 400, "invalid_parameter"), ({ errors }) => errors?.map(({ parameter }) => parameter))
      assert.deepStrictEqual(yield* named("/v1/convert?from=bitcoin"), ["to"])
      assert.deepStrictEqual(yield* named("/v1/convert?to=bitcoin"), ["from"])
      assert.sameMembers((yield* named("/v1/convert")) ?? [], ["from", "to"])
      assert.deepStrictEqual(yield* named("/v1/convert?from=&to=usd"), ["from"])
      assert.sameMembers((yield* named("/v1/convert?from=%20&to=usd&amount=x")) ?? [], ["from", "amount"])
    })
  })
}
