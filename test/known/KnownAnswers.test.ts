// Figures that upstreams really gave, in fixtures of their wire formats: what the HTTP API makes of them.
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { sourceCatalog } from "../../src/sources/catalog/SourceCatalog.ts"
import { withoutEvidence } from "../RunningService.ts"
import { inTime } from "../SimulatedService.ts"

import { memberOf } from "../faults/Answers.ts"
import bybitAsks from "../sources/fixtures/bybit-asks.json" with { type: "json" }
import bybitBids from "../sources/fixtures/bybit-bids.json" with { type: "json" }
import global from "../sources/fixtures/coingecko-global.json" with { type: "json" }
import markets from "../sources/fixtures/coingecko-markets.json" with { type: "json" }
import luno from "../sources/fixtures/luno-ticker.json" with { type: "json" }
import quidax from "../sources/fixtures/quidax-ticker.json" with { type: "json" }
import { json, type ScriptedAnswer, type ScriptedRequest, scriptedUpstream } from "../sources/ScriptedUpstream.ts"
import { liveRule } from "../rulesOf.ts"

/** Answers by the beginning of the path, which is the source and then its own path. Every other request is a 503. */
type Script = Readonly<Record<string, ScriptedAnswer | ((request: ScriptedRequest) => ScriptedAnswer)>>

/** What the service answers to these paths at a moment, 5 seconds after its start; the index is the path's. */
const answersAt = (at: string, script: Script, paths: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const upstream = yield* scriptedUpstream((request) => {
      const match = Object.entries(script).find(([start]) => request.url.startsWith(`/${start}`))
      if (match === undefined) return { status: 503, body: "" }
      return typeof match[1] === "function" ? match[1](request) : match[1]
    })
    const config = {
      ...withoutEvidence,
      COINGECKO_PLAN: "demo",
      ...Object.fromEntries(sourceCatalog.map(({ id }) => [`${id}_BASE_URL`, `${upstream.url}/${id}`]))
    }
    const answers = yield* inTime(
      ({ service, time }) =>
        Effect.andThen(
          time.pass("5 seconds"),
          Effect.forEach(paths, (path) =>
            Effect.map(time.during(service.get(path)), ({ status, text }) => {
              const body: unknown = JSON.parse(text)
              return { status, body, data: memberOf(body, ["data"]), meta: memberOf(body, ["meta"]) }
            })
          )
        ),
      { config, start: new Date(at).getTime() }
    )
    return (index: number) => answers[index] ?? { status: 0, body: {}, data: {}, meta: {} }
  })

/** Whether a figure is as expected, but for rounding. */
const near = (actual: unknown, expected: number, digits = 1e-9) => assert.closeTo(Number(actual), expected, digits)

/** Bybit answers a request by its side. */
const bybit =
  (asks: ScriptedAnswer, bids: ScriptedAnswer) =>
  ({ body }: ScriptedRequest): ScriptedAnswer =>
    body.includes('"side":"1"') ? asks : bids

/** Bitget has no ads. */
const emptyBook: Script = { "BITGET_P2P/": json({ code: "00000", msg: "success", data: { dataList: null } }) }

/** The venue of this name in a naira answer. */
const venue = (data: unknown, name: string): unknown => {
  const venues = memberOf(data, ["venues"])
  return Array.isArray(venues) ? venues.find((row) => String(memberOf(row, ["venue"])).startsWith(name)) : undefined
}

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
    near(memberOf(data, ["buy"]), (1391.75 + 1385.6695) / 2)
    near(memberOf(data, ["sell"]), (1386 + 1382.7796) / 2)
    near(memberOf(data, ["mid"]), 1386.549775)
    assert.deepInclude(data, { confidence: "medium", official: 1363.33, official_date: "2026-06-11" })
    near(memberOf(data, ["premium"]), (1386.549775 / 1363.33 - 1) * 100, 1e-6)
    assert.deepInclude(venue(data, "Quidax"), { buy: 1391.75, sell: 1386, kind: "order_book", ads_used: null })
    assert.deepInclude(venue(data, "Luno"), { buy: 1385.6695, sell: 1382.7796, kind: "order_book" })
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
    const list = memberOf(answer(0).data, ["coins"])
    const rows: ReadonlyArray<unknown> = Array.isArray(list) ? list : []
    const row = (id: string) => rows.find((coin) => memberOf(coin, ["id"]) === id)
    assert.isUndefined(row("figure-heloc"), "fifteen hours old")
    assert.strictEqual(memberOf(row("zcash"), ["rank"]), 9)
    assert.strictEqual(memberOf(answer(1).meta, ["updated"]), memberOf(row("zcash"), ["updated"]))
    const price = { id: "bitcoin", symbol: "BTC", fiat: "USD", price: 77_301, change_24h: -0.0943 }
    assert.deepInclude(answer(2).data, price)
    assert.deepInclude(answer(2).meta, { source: "CoinGecko (sandbox)" })
    const { data, meta } = answer(3)
    assert.deepInclude(data, { market_cap: 2621040321355.0405, active_coins: 17_397 })
    assert.deepInclude(meta, { source: "CoinGecko (sandbox)", updated: "2026-09-13T17:00:00.000Z" })
  })
})
