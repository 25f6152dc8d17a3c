// Figures that upstreams really gave, in fixtures of their wire formats: what the HTTP API makes of them.
import { assert, describe } from "@effect/vitest"

import { memberOf } from "../faults/Answers.ts"
import bybitAsks from "../sources/fixtures/bybit-asks.json" with { type: "json" }
import bybitBids from "../sources/fixtures/bybit-bids.json" with { type: "json" }
import global from "../sources/fixtures/coingecko-global.json" with { type: "json" }
import markets from "../sources/fixtures/coingecko-markets.json" with { type: "json" }
import luno from "../sources/fixtures/luno-ticker.json" with { type: "json" }
import quidax from "../sources/fixtures/quidax-ticker.json" with { type: "json" }
import { json } from "../sources/ScriptedUpstream.ts"
import { answersAt, assertJune, assertSeptember, bybit, emptyBook, venue } from "./answersAt.ts"
import { liveRule } from "../rulesOf.ts"

const windowRow = (ratedate: string, weightedAvgRate: string) => ({
  id: "1",
  ratedate,
  weightedAvgRate,
  simpleAvgRate: weightedAvgRate,
  highestrate: "",
  lowestrate: "",
  closingrate: "",
  interBank_Total_Turnover: "",
  noOfDeals_InterBank: "94",
  nfeM_Total_Turnover: "",
  noOfDeals: "310"
})

const nfem = [
  windowRow("June-09-2026", "1366.1200"),
  windowRow("June-11-2026", "1363.3300"),
  windowRow("June-10-2026", "1364.9500"),
  windowRow("June-11-2026", "1363.3300"),
  windowRow("June-08-2026", "")
]

describe("known answers", () => {
  liveRule("12 June 2026: the naira is the order books' mean while a P2P book has bait and newcomers", function* () {
    const now = "2026-06-12T01:50:00Z"
    const time_now = String(new Date(now).getTime() / 1000)
    const answer = yield* answersAt(
      now,
      {
        "CBN/api/GetAllNFEM_Rates": json(nfem),
        "BYBIT_P2P/": bybit(json({ ...bybitAsks, time_now }), json({ ...bybitBids, time_now })),
        "QUIDAX/markets/tickers/usdtngn": json(quidax),
        "LUNO/api/1/ticker": json({ ...luno, timestamp: new Date("2026-06-12T01:49:40Z").getTime() }),
        ...emptyBook
      },
      ["/v1/naira"]
    )
    const { data, meta, status } = answer(0)
    assert.strictEqual(status, 200)
    assertJune(data, 1363.33)
    assert.deepInclude(meta, { source: "Quidax (sandbox) + Luno (sandbox) + CBN (sandbox)" })
    // Quidax's own time, in whole seconds.
    assert.deepInclude(meta, { updated: "2026-06-12T01:48:11.000Z" })
    assert.deepInclude(venue(data, "Luno"), { updated: "2026-06-12T01:49:40.000Z" })
    const book = venue(data, "Bybit P2P")
    assert.deepInclude(book, { buy: null, sell: null, mid: null, reason: "too_few_ads" })
    const rejected = memberOf(book, ["ads_rejected"])
    // The ad of 40 USDT left that takes exactly 2,090 NGN, and another for a single amount.
    assert.strictEqual(memberOf(rejected, ["not_executable_size"]), 2)
    assert.isAbove(Number(memberOf(rejected, ["thin_merchant"])), 0)
  })

  liveRule("13 September 2026: a row 15 hours old is passed over", function* () {
    const answer = yield* answersAt(
      "2026-09-13T17:06:00Z",
      { "COINGECKO/coins/markets": json(markets), "COINGECKO/global": json(global) },
      ["/v1/coins", "/v1/coins/zcash", "/v1/price/bitcoin/usd", "/v1/global"]
    )
    assertSeptember(answer)
    const { data, meta } = answer(3)
    assert.deepInclude(data, { market_cap: 2621040321355.0405, active_coins: 17_397 })
    assert.deepInclude(meta, { source: "CoinGecko (sandbox)", updated: "2026-09-13T17:00:00.000Z" })
  })
})
