import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { knownCoins } from "../../src/domain/CoinRegistry.ts"
import { MOST_SUGGESTIONS, suggest } from "../../src/domain/Suggestions.ts"

const ids = (word: string) => suggest(word, knownCoins).map(({ id }) => id)
const first = (word: string) => ids(word)[0]

const named = (id: string, symbol: string, name: string) => ({ id, symbol, name })

describe("suggest", () => {
  it("knows tickers, in any case, the larger coin first", () => {
    assert.strictEqual(first("btc"), "bitcoin")
    assert.strictEqual(first("ETH"), "ethereum")
    assert.strictEqual(first(" usdt "), "tether")
    const twins = [named("big", "x", "Big"), named("small", "X", "Small")]
    assert.deepStrictEqual(suggest("x", twins), twins)
  })

  it("knows names and misspelt ids", () => {
    assert.strictEqual(first("bitcion"), "bitcoin")
    assert.strictEqual(first("etherium"), "ethereum")
    assert.strictEqual(first("dogcoin"), "dogecoin")
    assert.strictEqual(first("litecoinn"), "litecoin")
    assert.strictEqual(first("Hedera"), "hedera-hashgraph")
    assert.strictEqual(first("sol ana"), "solana")
  })

  it("prefers a ticker to a likeness, and a likeness to a beginning", () => {
    const coins = [
      named("bitcoin-cash", "bch", "Bitcoin Cash"),
      named("bitcoin", "btc", "Bitcoin"),
      named("other", "bitcion", "Other")
    ]
    assert.deepStrictEqual(
      suggest("bitcion", coins).map(({ id }) => id),
      ["other", "bitcoin"]
    )
    assert.deepStrictEqual(
      suggest("bitc", coins).map(({ id }) => id),
      ["bitcoin-cash", "bitcoin", "other"]
    )
  })

  it("takes a single letter for a ticker and for nothing else", () => {
    for (const coin of suggest("s", knownCoins)) assert.strictEqual(coin.symbol, "s")
    assert.deepStrictEqual(suggest("b", [named("bitcoin", "btc", "Bitcoin"), named("b", "bb", "B")]), [])
  })

  it("has nothing to say to nonsense", () => {
    for (const word of ["", "   ", "zzzzqqqqxxxx", "比特币", "<script>", "\0", "x".repeat(300)]) {
      assert.deepStrictEqual(ids(word), [], word)
    }
  })

  it("finds every coin it knows by its id, its name and its ticker", () => {
    for (const coin of knownCoins) {
      const { id, name, symbol } = coin
      assert.include(
        suggest(id, knownCoins).map((found) => found.id),
        id
      )
      const rivals = (word: string) => knownCoins.filter((other) => other.symbol === word || other.id === word).length
      if (rivals(name.toLowerCase()) === 0 && name.length > 1) assert.include(ids(name), id)
      if (rivals(symbol) <= MOST_SUGGESTIONS) assert.include(ids(symbol), id)
    }
  })

  it.prop("names at most five, each once, each of those it was given", { word: Schema.String }, ({ word }) => {
    const found = suggest(word, knownCoins)
    assert.isAtMost(found.length, 5)
    assert.strictEqual(new Set(found).size, found.length)
    for (const coin of found) assert.include(knownCoins, coin)
  })

  it.prop(
    "one wrong, missing, doubled or swapped letter is forgiven in a long word",
    { at: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 6 })), letter: Schema.Literals(["x", "q", "é"]) },
    ({ at, letter }) => {
      const id = "avalanche"
      const coins = [named("avalanche", "avax", "Avalanche")]
      for (const typo of [
        id.slice(0, at) + letter + id.slice(at + 1),
        id.slice(0, at) + id.slice(at + 1),
        id.slice(0, at) + letter + id.slice(at),
        id.slice(0, at) + id.charAt(at + 1) + id.charAt(at) + id.slice(at + 2)
      ]) {
        assert.deepStrictEqual(suggest(typo, coins), coins, typo)
      }
    }
  )
})
