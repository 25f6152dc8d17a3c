// Figures that upstreams really gave, sent in their own wire formats to the whole service: what the HTTP API makes of them. Once
// over fixtures written for this project and, where they lie beside the repository, once over the recorded answers themselves.
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, References } from "effect"
import { memberOf } from "./faults/Answers.ts"
import * as SimulatedTime from "./faults/SimulatedTime.ts"
import { RunningService } from "./RunningService.ts"
import bybitAsks from "./sources/fixtures/bybit-asks.json" with { type: "json" }
import bybitBids from "./sources/fixtures/bybit-bids.json" with { type: "json" }
import global from "./sources/fixtures/coingecko-global.json" with { type: "json" }
import markets from "./sources/fixtures/coingecko-markets.json" with { type: "json" }
import currencyApi from "./sources/fixtures/currency-api-usd.json" with { type: "json" }
import fiats from "./sources/fixtures/frankfurter-rates.json" with { type: "json" }
import luno from "./sources/fixtures/luno-ticker.json" with { type: "json" }
import quidax from "./sources/fixtures/quidax-ticker.json" with { type: "json" }
import {
  hasRecordings,
  json,
  recording,
  type ScriptedAnswer,
  type ScriptedRequest,
  scriptedUpstream
} from "./sources/ScriptedUpstream.ts"

/** Answers by what the path begins with: the source, then its own path. What is not here is out of order. */
type Script = Readonly<Record<string, ScriptedAnswer | ((request: ScriptedRequest) => ScriptedAnswer)>>

const sources = [
  "COINGECKO",
  "COINPAPRIKA",
  "COINLORE",
  "FRANKFURTER",
  "CURRENCY_API",
  "BYBIT_P2P",
  "BITGET_P2P",
  "QUIDAX",
  "LUNO",
  "CBN"
]

/** What paths of the service answer at a time over upstreams that say so. */
const answersAt = (at: string, script: Script, paths: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const upstream = yield* scriptedUpstream((request) => {
      const match = Object.entries(script).find(([start]) => request.url.startsWith(`/${start}`))
      if (match === undefined) return { status: 503, body: "" }
      return typeof match[1] === "function" ? match[1](request) : match[1]
    })
    const time = yield* SimulatedTime.make(new Date(at).getTime())
    const config = {
      COINGECKO_PLAN: "demo",
      ...Object.fromEntries(sources.map((name) => [`${name}_BASE_URL`, `${upstream.url}/${name}`]))
    }
    const inside = Effect.gen(function* () {
      const service = Context.get(yield* Layer.build(RunningService.layer({ config })), RunningService)
      yield* time.pass("5 seconds")
      return yield* Effect.forEach(paths, (path) =>
        Effect.map(time.during(service.get(path)), ({ status, text }) => {
          const body: unknown = JSON.parse(text)
          return { status, body, data: memberOf(body, ["data"]), meta: memberOf(body, ["meta"]) }
        })
      )
    })
    const answers = yield* time.live(inside)
    return (index: number) => answers[index] ?? { status: 0, body: {}, data: {}, meta: {} }
  }).pipe(Effect.provideService(References.MinimumLogLevel, "None"))

const near = (actual: unknown, expected: number, digits = 1e-9) => assert.closeTo(Number(actual), expected, digits)

const asText = (body: string): ScriptedAnswer => ({ status: 200, body })

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

const bybit =
  (asks: ScriptedAnswer, bids: ScriptedAnswer) =>
  ({ body }: ScriptedRequest): ScriptedAnswer =>
    body.includes('"side":"1"') ? asks : bids

const emptyBook: Script = { "BITGET_P2P/": json({ code: "00000", msg: "success", data: { dataList: null } }) }

/** The venue of a name in a naira answer. */
const venue = (data: unknown, name: string): unknown => {
  const venues = memberOf(data, ["venues"])
  return Array.isArray(venues) ? venues.find((row) => String(memberOf(row, ["venue"])).startsWith(name)) : undefined
}

/** What the order books of 12 and 13 June 2026 come to: the mean of Quidax and Luno on either side. */
const assertJune = (data: unknown, official: number) => {
  near(memberOf(data, ["buy"]), (1391.75 + 1385.6695) / 2)
  near(memberOf(data, ["sell"]), (1386 + 1382.7796) / 2)
  near(memberOf(data, ["mid"]), 1386.549775)
  assert.strictEqual(memberOf(data, ["confidence"]), "medium")
  assert.strictEqual(memberOf(data, ["official"]), official)
  assert.strictEqual(memberOf(data, ["official_date"]), "2026-06-11")
  near(memberOf(data, ["premium"]), (1386.549775 / official - 1) * 100, 1e-6)
  assert.deepInclude(venue(data, "Quidax"), { buy: 1391.75, sell: 1386, kind: "order_book", ads_used: null })
  assert.deepInclude(venue(data, "Luno"), { buy: 1385.6695, sell: 1382.7796, kind: "order_book" })
}

describe("known answers", () => {
  it.live(
    "12 June 2026: order books make the naira over CBN's average, while bait and beginners do not make a book",
    () =>
      Effect.gen(function* () {
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
  )

  it.live("18 July 2026: a dollar is 0.8739 euros of the 17th, and everything has its own day", () =>
    Effect.gen(function* () {
      const answer = yield* answersAt("2026-07-18T12:00:00Z", { "FRANKFURTER/v2/rates": json(fiats) }, [
        "/v1/fx",
        "/v1/convert?from=usd&to=eur&amount=1000",
        "/v1/convert?from=eur&to=gbp"
      ])
      const { data, meta } = answer(0)
      assert.strictEqual(memberOf(data, ["rates", "EUR"]), 0.8739)
      assert.strictEqual(memberOf(data, ["rates", "NGN"]), 1365.42)
      assert.deepInclude(memberOf(data, ["observed"]), { EUR: "2026-07-17", NGN: "2026-07-16", NZD: "2026-07-18" })
      assert.deepInclude(meta, { source: "Frankfurter (sandbox)", updated: "2026-07-18T00:00:00.000Z" })
      assert.strictEqual(memberOf(answer(1).data, ["result"]), 873.9)
      assert.deepInclude(answer(1).meta, { updated: "2026-07-17T00:00:00.000Z" })
      near(memberOf(answer(2).data, ["rate"]), 0.7448 / 0.8739)
    })
  )

  it.live("13 September 2026: a rank that stands twice and a row of fifteen hours ago are passed on as they are", () =>
    Effect.gen(function* () {
      const answer = yield* answersAt(
        "2026-09-13T17:06:00Z",
        { "COINGECKO/coins/markets": json(markets), "COINGECKO/global": json(global) },
        ["/v1/coins", "/v1/coins/figure-heloc", "/v1/price/bitcoin/usd", "/v1/global"]
      )
      assertSeptember(answer)
      const { data, meta } = answer(3)
      assert.deepInclude(data, { market_cap: 2621040321355.0405, active_coins: 17_397 })
      assert.deepInclude(meta, { source: "CoinGecko (sandbox)", updated: "2026-09-13T17:00:00.000Z" })
    })
  )

  it.live("without Frankfurter currency-api has the rates, and no coin among them", () =>
    Effect.gen(function* () {
      const answer = yield* answersAt(
        `${currencyApi.date}T12:00:00Z`,
        { [`CURRENCY_API/currency-api@${currencyApi.date}`]: json(currencyApi) },
        ["/v1/fx"]
      )
      const { data, meta } = answer(0)
      const { usd } = currencyApi
      assert.strictEqual(memberOf(data, ["rates", "EUR"]), usd.eur)
      assert.strictEqual(memberOf(data, ["rates", "NGN"]), usd.ngn)
      assert.isUndefined(memberOf(data, ["rates", "BTC"]))
      assert.deepInclude(meta, { source: "currency-api (sandbox)", updated: `${currencyApi.date}T00:00:00.000Z` })
    })
  )
})

/** `/v1/coins`, `/v1/coins/figure-heloc` and `/v1/price/bitcoin/usd` of that evening. */
const assertSeptember = (answer: (index: number) => { readonly data: unknown; readonly meta: unknown }) => {
  const list = memberOf(answer(0).data, ["coins"])
  const rows: ReadonlyArray<unknown> = Array.isArray(list) ? list : []
  const row = (id: string) => rows.find((coin) => memberOf(coin, ["id"]) === id)
  assert.strictEqual(memberOf(row("figure-heloc"), ["rank"]), 9)
  assert.strictEqual(memberOf(row("zcash"), ["rank"]), 9)
  assert.isBelow(rows.indexOf(row("figure-heloc")), rows.indexOf(row("zcash")), "by market cap")
  const listed = new Date(String(memberOf(answer(0).meta, ["updated"]))).getTime()
  const stale = new Date(String(memberOf(row("figure-heloc"), ["updated"]))).getTime()
  assert.isAbove(listed - stale, 14 * 3_600_000)
  assert.strictEqual(memberOf(answer(1).meta, ["updated"]), memberOf(row("figure-heloc"), ["updated"]))
  assert.deepInclude(answer(2).data, { id: "bitcoin", symbol: "BTC", fiat: "USD", price: 77_301, change_24h: -0.0943 })
  assert.deepInclude(answer(2).meta, { source: "CoinGecko (sandbox)" })
}

describe.skipIf(!hasRecordings)(
  "known answers over the recordings themselves (skipped where they are not at hand)",
  () => {
    it.live("12 June 2026: CBN's table, Quidax and Luno", () =>
      Effect.gen(function* () {
        const answer = yield* answersAt(
          "2026-06-12T01:50:00Z",
          {
            "CBN/api/GetAllExchangeRates": asText(recording("cbn/GetAllExchangeRates.trimmed.json")),
            "QUIDAX/markets/tickers/usdtngn": asText(recording("quidax/ticker-usdtngn.json")),
            "LUNO/api/1/ticker": asText(recording("luno/ticker-USDTNGN.json")),
            ...emptyBook
          },
          ["/v1/naira"]
        )
        const { data, meta } = answer(0)
        assertJune(data, Number(memberOf(data, ["official"])))
        near(memberOf(data, ["official"]), 1363.33, 0.51)
        assert.deepInclude(meta, { updated: "2026-06-12T01:48:11.000Z" })
      })
    )

    it.live("13 June 2026: Quidax's quote of the day before takes no part any more", () =>
      Effect.gen(function* () {
        const answer = yield* answersAt(
          "2026-06-13T17:53:00Z",
          {
            "CBN/api/GetAllExchangeRates": asText(recording("cbn/GetAllExchangeRates.trimmed.json")),
            "QUIDAX/markets/tickers/usdtngn": asText(recording("quidax/ticker-usdtngn.json")),
            "LUNO/api/1/ticker": asText(recording("luno/ticker-USDTNGN.json")),
            ...emptyBook
          },
          ["/v1/naira"]
        )
        const { data, meta } = answer(0)
        near(memberOf(data, ["mid"]), (1385.6695 + 1382.7796) / 2)
        assert.strictEqual(memberOf(data, ["confidence"]), "low")
        assert.deepInclude(meta, { source: "Luno (sandbox) + CBN (sandbox)", updated: "2026-06-13T17:52:18.363Z" })
      })
    )

    it.live("21 May 2026: Bybit's bait in roubles is none of ours, and says so by count", () =>
      Effect.gen(function* () {
        const answer = yield* answersAt(
          "2026-05-21T22:46:00Z",
          {
            "CBN/api/GetAllExchangeRates": asText(recording("cbn/GetAllExchangeRates.recorded-2026-05-22.json")),
            "BYBIT_P2P/": bybit(
              asText(recording("bybit-p2p/api2-side1-makers-selling.RUB.2026-05.json")),
              asText(recording("bybit-p2p/api2-side0-makers-buying.RUB.2026-05.json"))
            ),
            ...emptyBook
          },
          ["/v1/naira", "/v1/price/bitcoin/ngn"]
        )
        const { data, status } = answer(0)
        assert.strictEqual(status, 200)
        assert.deepInclude(data, { mid: null, official: 1371.8079, official_date: "2026-05-21", premium: null })
        assert.deepInclude(venue(data, "Bybit P2P"), { reason: "too_few_ads", ads_rejected: { wrong_currency: 2 } })
        assert.strictEqual(answer(1).status, 503)
      })
    )

    it.live("13 September 2026: CoinGecko's page", () =>
      Effect.gen(function* () {
        const page = asText(recording("coingecko/coins-markets.recorded-2026-09-13.trimmed.json"))
        const answer = yield* answersAt("2026-09-13T17:06:00Z", { "COINGECKO/coins/markets": page }, [
          "/v1/coins",
          "/v1/coins/figure-heloc",
          "/v1/price/bitcoin/usd"
        ])
        assertSeptember(answer)
      })
    )

    it.live("29 September 2026: currency-api, where Frankfurter's answer has two currencies only", () =>
      Effect.gen(function* () {
        const answer = yield* answersAt(
          "2026-09-29T12:00:00Z",
          {
            "FRANKFURTER/v2/rates": asText(recording("frankfurter/v2-rates-USD-EUR-TWD.2026-07-03.json")),
            "CURRENCY_API/currency-api@2026-09-29": asText(recording("fawazahmed-currency-api/usd.trimmed.json"))
          },
          ["/v1/fx"]
        )
        assert.strictEqual(memberOf(answer(0).data, ["rates", "EUR"]), 0.88022588)
        assert.strictEqual(memberOf(answer(0).data, ["rates", "NGN"]), 1326.1643995)
        assert.deepInclude(answer(0).meta, { source: "currency-api (sandbox)" })
      })
    )
  }
)
