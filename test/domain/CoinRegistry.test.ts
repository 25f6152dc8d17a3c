import { assert, it } from "@effect/vitest"
import { byId, byPaprikaId, identify, knownCoins } from "../../src/domain/CoinRegistry.ts"

it("knows at least 320 coins, each id once, in CoinGecko's spelling", () => {
  assert.isAtLeast(knownCoins.length, 320)
  assert.strictEqual(new Set(knownCoins.map((coin) => coin.id)).size, knownCoins.length)
  for (const coin of knownCoins) {
    assert.match(coin.id, /^[a-z0-9][a-z0-9-]*$/)
    assert.strictEqual(coin.symbol, coin.symbol.toLowerCase())
  }
})

it("is ordered by market cap, bitcoin first", () => {
  const caps = knownCoins.map((coin) => coin.price * coin.circulatingSupply)
  assert.deepStrictEqual(
    caps,
    caps.toSorted((a, b) => b - a)
  )
  assert.strictEqual(knownCoins[0]?.id, "bitcoin")
})

it("holds supplies that make sense: circulating ≤ total ≤ max", () => {
  for (const coin of knownCoins) {
    assert.isAbove(coin.price, 0, coin.id)
    assert.isAbove(coin.circulatingSupply, 0, coin.id)
    if (coin.totalSupply !== null) assert.isAtMost(coin.circulatingSupply, coin.totalSupply, coin.id)
    if (coin.maxSupply !== null) assert.isAtMost(coin.totalSupply ?? 0, coin.maxSupply, coin.id)
  }
})

it("pegs a coin only to a currency, to gold or to a coin it knows", () => {
  for (const { id, peg } of knownCoins) {
    if (peg !== null) assert.isTrue(["usd", "eur", "xau"].includes(peg) || byId(peg) !== undefined, id)
  }
})

it("identifies every coin by its own symbol and name", () => {
  for (const coin of knownCoins) assert.strictEqual(identify(coin.symbol, coin.name), coin.id)
})

it("reads names without regard to case, punctuation and spaces", () => {
  assert.strictEqual(identify("BTC", "BITCOIN"), "bitcoin")
  assert.strictEqual(identify("yfi", "Yearn Finance"), "yearn-finance")
  assert.strictEqual(identify("SHIB", " shiba-inu "), "shiba-inu")
})

it("knows the names that differ between aggregators", () => {
  assert.strictEqual(identify("TON", "Toncoin"), "the-open-network")
  assert.strictEqual(identify("TON", "The Open Network"), "the-open-network")
  assert.strictEqual(identify("BNB", "Binance Coin"), "binancecoin")
  assert.strictEqual(identify("USDC", "USD Coin"), "usd-coin")
  assert.strictEqual(identify("USDC", "USDC"), "usd-coin")
  assert.strictEqual(identify("XRP", "XRP"), "ripple")
  assert.strictEqual(identify("POL", "Polygon"), "polygon-ecosystem-token")
  assert.strictEqual(identify("MATIC", "Polygon"), "matic-network")
})

it("never identifies on the symbol or the name alone", () => {
  assert.isNull(identify("BTC", "Bitcoin Trust Coin"))
  assert.isNull(identify("FAKE", "Bitcoin"))
  assert.isNull(identify("BTC", ""))
  assert.isNull(identify("BTC", "比特币"))
})

it("joins the identifiers of CoinPaprika, each to one coin", () => {
  assert.strictEqual(byPaprikaId("ton-toncoin")?.id, "the-open-network")
  assert.strictEqual(byPaprikaId("bnb-binance-coin")?.id, "binancecoin")
  assert.isUndefined(byPaprikaId("btc-other"))
  const ids = knownCoins.flatMap((coin) => (coin.paprika === null ? [] : [coin.paprika]))
  assert.strictEqual(new Set(ids).size, ids.length)
})
