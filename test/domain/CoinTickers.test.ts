// The pairs of a coin: which are used for its price, with what weight, and why the others are not.
import { assert, describe, it } from "@effect/vitest"
import { tickersOf } from "../../src/domain/CoinTickers.ts"
import type { Pair } from "../../src/domain/Pair.ts"
import type { Identity } from "../../src/domain/PairIdentity.ts"

const NOW = 1e9

const pair = (market: string, fields: Partial<Pair> = {}): Pair => {
  const [base = "", quote = ""] = market.split("/")
  return { market, base, quote, bid: null, ask: null, last: 100, turnover: 1e6, observedAt: NOW, ...fields }
}

const identity = (id: string, unit = 1): Identity => ({ id, symbol: "", name: "", unit, unlistedSince: null })

const found = (pairs: Readonly<Record<string, ReadonlyArray<Pair>>>, isPriced = true, unit = 1) =>
  tickersOf("bitcoin", {
    tickers: Object.entries(pairs).map(([exchange, pairs]) => ({ exchange, pairs })),
    identities: new Map(
      Object.entries(pairs).flatMap(([exchange, some]) =>
        some.flatMap(({ base, market, quote }) =>
          quote === "EUR"
            ? []
            : [[`${exchange} ${market}`, identity(base === "BTC" ? "bitcoin" : "other", unit)] as const]
        )
      )
    ),
    dollars: new Map([
      ["USD", 1],
      ["USDT", 0.5],
      ["EUR", 1.25]
    ]),
    isPriced,
    now: NOW
  })

const reasonOf = (fields: Partial<Pair>, market = "BTC/USD") => found({ Kraken: [pair(market, fields)] })[0]?.reason

describe("the pairs of a coin", () => {
  it("are used with weights that add up to 100 %, the heaviest first, at prices in dollars", () => {
    const rows = found({
      Kraken: [pair("BTC/USD", { turnover: 2e6 }), pair("ETH/USD")],
      Binance: [pair("BTC/USDT", { turnover: 9e6 })],
      OKX: [pair("BTC/USDC"), pair("BTC/USDT")]
    })
    assert.deepStrictEqual(
      rows.map(({ exchange, price, reason, turnover }) => [exchange, price, turnover, reason]),
      [
        ["Binance", 50, 4.5e6, null],
        ["Kraken", 100, 2e6, null],
        ["OKX", 50, 5e5, null],
        ["OKX", null, null, "no_dollar_rate"]
      ]
    )
    assert.closeTo(
      rows.reduce((sum, { weight }) => sum + (weight ?? 0), 0),
      100,
      1e-9
    )
    assert.isNull(rows.at(-1)?.weight)
  })

  it("are not used where they are stale, without a price, hardly traded, or in a fiat", () => {
    assert.isNull(reasonOf({}))
    assert.strictEqual(reasonOf({ observedAt: NOW - 121_000 }), "stale")
    assert.strictEqual(reasonOf({ last: null }), "no_price")
    assert.strictEqual(reasonOf({ bid: 101, ask: 100 }), "no_price")
    assert.strictEqual(reasonOf({ turnover: 49_999 }), "low_turnover")
    assert.strictEqual(reasonOf({ turnover: 99_999 }, "BTC/USDT"), "low_turnover")
    assert.strictEqual(reasonOf({}, "BTC/EUR"), "prices_fiat")
    assert.strictEqual(found({ Kraken: [pair("BTC/USD")] }, false)[0]?.reason, "too_few_exchanges")
  })

  it("are priced by the coin where the exchange trades units of many", () => {
    assert.strictEqual(found({ Kraken: [pair("BTC/USD")] }, true, 1000)[0]?.price, 0.1)
  })
})
