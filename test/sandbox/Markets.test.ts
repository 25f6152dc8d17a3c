import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { byPaprikaId, identify } from "../../src/domain/CoinRegistry.ts"
import { hourMs } from "../../src/sandbox/Calendar.ts"
import { Sandbox } from "../../src/sandbox/SandboxUpstreams.ts"
import * as Shapes from "./shapes.ts"
import { call, friday, rows, SandboxTest, isFriday, read } from "./support.ts"
import { rulesOf } from "../rulesOf.ts"

layer(SandboxTest)("the wire of", (it) => {
  const rule = rulesOf(it, isFriday)

  const markets = (query: string) =>
    rows(Shapes.MarketRow, "COINGECKO", `/coins/markets?vs_currency=usd&price_change_percentage=1h,24h,7d&${query}`)

  rule("CoinGecko's markets has pages by market cap, and [] past the end", function* () {
    const { price } = yield* (yield* Sandbox).truth
    const pages = yield* Effect.all([
      markets("per_page=250&page=1"),
      markets("per_page=250&page=2"),
      markets("per_page=250&page=3")
    ])
    const all = pages.flat()
    assert.deepStrictEqual(
      pages.map((page) => page.length),
      [250, all.length - 250, 0]
    )
    assert.isAtLeast(all.length, 320)
    assert.strictEqual(new Set(all.map((row) => row.id)).size, all.length)
    for (const row of all) {
      if (row.current_price === null || row.id === "figure-heloc") continue
      assert.closeTo(row.current_price / (price(row.id) ?? 0), 1, 0.005, row.id)
    }
  })

  rule("CoinGecko's markets keeps the real one's traps", function* () {
    const all = [...(yield* markets("per_page=250&page=1")), ...(yield* markets("per_page=250&page=2"))]
    const ranks = all.flatMap((row) => (row.market_cap_rank === null ? [] : [row.market_cap_rank]))
    assert.strictEqual(ranks.length - new Set(ranks).size, 1)
    const stale = all.filter((row) => friday - Date.parse(row.last_updated) > hourMs / 4)
    assert.deepStrictEqual(
      stale.map((row) => row.id),
      ["figure-heloc"]
    )
    assert.closeTo((friday - Date.parse(stale[0]?.last_updated ?? "")) / hourMs, 0.5, 0.01)
    assert.isTrue(all.some((row) => row.current_price === null))
    assert.isTrue(all.some((row) => row.market_cap === null && row.current_price !== null))
    assert.isTrue(all.some((row) => row.price_change_percentage_7d_in_currency === null && row.current_price !== null))
  })

  rule("CoinGecko's markets answers for ids, leaves out unknown ones, and refuses a currency it has not", function* () {
    const some = yield* markets("ids=solana,bitcoin,nope")
    assert.deepStrictEqual(
      some.map((row) => row.id),
      ["bitcoin", "solana"]
    )
    const refused = yield* call("COINGECKO", "/coins/markets?vs_currency=xxx")
    assert.deepStrictEqual([refused.status, refused.text], [400, '{"error":"invalid vs_currency"}'])
  })

  rule("CoinGecko's global and list", function* () {
    const global = yield* read(Shapes.CoinGeckoGlobal, "COINGECKO", "/global")
    assert.isBelow(friday / 1000 - global.data.updated_at, 120)
    const list = yield* rows(Shapes.ListRow, "COINGECKO", "/coins/list")
    assert.isAtLeast(list.length, 320)
  })

  rule("CoinPaprika can be joined to CoinGecko by name or id, but for one impostor", function* () {
    const { price } = yield* (yield* Sandbox).truth
    const tickers = yield* rows(Shapes.PaprikaTicker, "COINPAPRIKA", "/tickers?quotes=USD")
    const strangers = tickers.filter(
      (row) => byPaprikaId(row.id) === undefined && identify(row.symbol, row.name) === null
    )
    assert.deepStrictEqual(
      strangers.map((row) => [row.symbol, row.rank]),
      [["BTC", 0]]
    )
    assert.strictEqual(new Set(tickers.map((row) => row.id)).size, tickers.length)
    for (const row of tickers) {
      const id = byPaprikaId(row.id)?.id ?? identify(row.symbol, row.name)
      if (id !== null) assert.strictEqual(row.quotes.USD.price, id === "velas" ? 0 : price(id))
    }
  })
})
