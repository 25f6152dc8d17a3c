import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as CoinIndex from "../../src/domain/CoinIndex.ts"
import { knownCoins } from "../../src/domain/CoinRegistry.ts"
import { byContract, MATCHES, ranksOf, search } from "../../src/domain/CoinSearch.ts"
import searches from "./searches.json" with { type: "json" }

const listed = (
  id: string,
  symbol: string,
  name: string,
  platforms: CoinIndex.ListedCoin["platforms"] = {}
): CoinIndex.ListedCoin => ({ id, symbol, name, platforms })

const USDT = "0xdAC17F958D2ee523a2206206994597C13D831ec7"
const USDC_SOLANA = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"

const platforms: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  tether: { ethereum: USDT.toLowerCase(), tron: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t" },
  "usd-coin": { ethereum: "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", solana: USDC_SOLANA }
}

/** The larger coins in the order of their caps, then coins without a rank whose ids, tickers and names are hard to find. */
const ranked = knownCoins.map((coin, at) => ({ ...coin, rank: at + 1, platforms: platforms[coin.id] ?? {} }))
const unranked = [
  listed("_", "_", "_"),
  listed("--3", "<3", "<3"),
  listed("0-5x-long", "half", "0.5X Long"),
  listed("fake-bitcoin", "BTC", "Bitcoin"),
  listed("another-bitcoin", "btc", "Another Bitcoin"),
  listed("lobster", "🦞", "Lobster"),
  listed("crab-2", "🦀", "🦀 Crab 🦀"),
  listed("bi-an-ren-sheng", "币安人生", "币安人生"),
  listed("neko", "ネコ", "ネコ コイン"),
  listed("street", "STR", "Straße"),
  listed("cafe-token", "CAFE", "Cafe\u0301 Token"),
  listed("odyssey", "ΟΔΟΣ", "ΟΔΟΣ"),
  listed("moon.inu", "moon.inu", "Moon Inu"),
  listed("moon-inu-2", "MINU", "Moon Inu"),
  listed("copycat-usdt", "USDT", "Copycat", {
    ethereum: USDT.toLowerCase(),
    base: "0x1111111111111111111111111111111111111111"
  }),
  listed("big-cat", "BIGCAT", "Big Cat"),
  listed("silent", "SLNT", "Silent Coin", {}),
  listed("nowhere", "NOW", "Nowhere", null)
]
const index = CoinIndex.make(
  [...unranked, ...ranked].map(({ id, name, platforms: at, symbol }) => listed(id, symbol, name, at))
)
const ranks = ranksOf(index, ranked)

const first = (word: string) => {
  const [hit] = search(index, ranks, word, 1)
  return hit === undefined ? "nothing" : `${hit.coin.id} (${hit.matched})`
}

/** What is asked, and the first hit. Ids, tickers, names, other scripts, beginnings, typing errors, contract addresses, nothing. */
const table = searches.map(([query = "", expected = ""]) => [query, expected] as const)

describe("a search", () => {
  for (const [query, expected] of table) {
    it(`${JSON.stringify(query)}: ${expected}`, () => assert.strictEqual(first(query), expected))
  }

  it("orders by kind of match, then rank, then id, and names each coin once", () => {
    const hits = search(index, ranks, "btc", 25)
    assert.deepStrictEqual(
      hits.slice(0, 3).map(({ coin }) => coin.id),
      ["bitcoin", "another-bitcoin", "fake-bitcoin"]
    )
    for (const word of ["btc", "bit", "moon", "coin", "usd", "e"]) {
      const found = search(index, ranks, word, 25)
      const kinds = found.map(({ matched }) => MATCHES.indexOf(matched))
      assert.deepStrictEqual(
        kinds,
        kinds.toSorted((a, b) => a - b),
        word
      )
      for (const [at, hit] of found.entries()) {
        const next = found[at + 1]
        if (next === undefined || next.matched !== hit.matched) continue
        assert.isTrue(
          (hit.rank ?? Infinity) < (next.rank ?? Infinity) || (hit.rank === next.rank && hit.coin.id < next.coin.id),
          `${word}: ${hit.coin.id} before ${next.coin.id}`
        )
      }
      assert.strictEqual(new Set(found.map(({ coin }) => coin.id)).size, found.length)
    }
  })

  it.prop(
    "gives at most as many as asked for, the same first ones for any limit, and only coins of the registry",
    {
      word: Schema.String.check(Schema.isMaxLength(100)),
      limit: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 25 }))
    },
    ({ limit, word }) => {
      const found = search(index, ranks, word, limit)
      assert.isAtMost(found.length, limit)
      assert.deepStrictEqual(found, search(index, ranks, word, 25).slice(0, limit))
      for (const { coin } of found) assert.include(index.coins, coin)
    }
  )

  it("finds every coin by its id, first, and by its name and ticker", () => {
    for (const coin of index.coins) {
      assert.strictEqual(search(index, ranks, coin.id, 25)[0]?.coin.id, coin.id)
      for (const word of [coin.name, coin.symbol]) {
        assert.include(
          search(index, ranks, word, 25).map((hit) => hit.coin.id),
          coin.id,
          word
        )
      }
    }
  })

  it("forgives one wrong, missing, doubled or swapped letter in a long word, wherever it is", () => {
    const [avalanche] = [CoinIndex.make([listed("avalanche", "avax", "Avalanche")])]
    const id = "avalanche"
    for (let at = 0; at < id.length; at++) {
      for (const typo of [
        `${id.slice(0, at)}q${id.slice(at + 1)}`,
        id.slice(0, at) + id.slice(at + 1),
        `${id.slice(0, at)}q${id.slice(at)}`,
        id.slice(0, at) + id.charAt(at + 1) + id.charAt(at) + id.slice(at + 2)
      ]) {
        const [hit] = search(avalanche, ranksOf(avalanche, []), typo, 1)
        assert.strictEqual(hit?.coin.id, id, typo)
      }
    }
  })
})

describe("a contract", () => {
  const idOf = (platform: string, address: string) => byContract(index, ranks, platform, address)?.id

  it("belongs to the coin of the better rank where two claim it", () => {
    assert.strictEqual(idOf("ethereum", USDT), "tether")
    assert.strictEqual(idOf("ethereum", USDT.toLowerCase()), "tether")
  })

  it("is found only on its own platform, and only in its own letters where letters have case", () => {
    assert.strictEqual(idOf("base", USDT), undefined)
    assert.strictEqual(idOf("base", "0x1111111111111111111111111111111111111111"), "copycat-usdt")
    assert.strictEqual(idOf("solana", USDC_SOLANA), "usd-coin")
    assert.strictEqual(idOf("solana", USDC_SOLANA.toLowerCase()), undefined)
    assert.strictEqual(idOf("constructor", USDT), undefined)
  })
})
