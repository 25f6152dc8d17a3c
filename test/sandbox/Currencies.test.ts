import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { isWithinFactor } from "../../src/domain/Plausibility.ts"
import { releaseRates } from "../../src/domain/releaseRates.ts"
import { firstRate } from "../../src/domain/Thresholds.ts"
import { hourMs } from "../../src/sandbox/Calendar.ts"
import { currencies } from "../../src/sandbox/Fiats.ts"
import { Sandbox } from "../../src/sandbox/SandboxUpstreams.ts"
import { upstreamNames } from "../../src/sandbox/Wires.ts"
import * as Shapes from "./shapes.ts"
import { bitget, bybit, call, friday, json, rows, SandboxTest, isFriday, read } from "./support.ts"
import { rulesOf } from "../rulesOf.ts"

layer(SandboxTest)("the wire of", (it) => {
  const rule = rulesOf(it, isFriday)

  rule("Frankfurter dates each rate, refuses a bad code and leaves pegs out of a provider's", function* () {
    const rates = (query: string) => rows(Shapes.FrankfurterRow, "FRANKFURTER", `/v2/rates?${query}`)
    const all = yield* rates("base=USD")
    assert.isAtLeast(all.length, 31)
    assert.deepInclude(all, { date: "2026-11-20", base: "USD", quote: "USD", rate: 1 })
    assert.deepInclude(all, { date: "2026-11-20", base: "USD", quote: "AED", rate: 3.6725 })
    const { fiat, official } = yield* (yield* Sandbox).truth
    const [euro] = yield* rates("base=USD&quotes=EUR")
    assert.closeTo(euro?.rate ?? 0, fiat("EUR") ?? 0, 1e-5)
    const cbn = yield* rates("base=USD&providers=CBN")
    assert.isFalse(cbn.some((row) => row.quote === "AED"))
    const naira = cbn.find((row) => row.quote === "NGN")
    assert.strictEqual(naira?.date, official.date)
    assert.closeTo(naira?.rate ?? 0, official.rate - 0.5, 0.001)
    const bad = yield* call("FRANKFURTER", "/v2/rates?base=USD&quotes=EUR,XXX")
    assert.deepStrictEqual([bad.status, bad.text], [422, '{"status":422,"message":"invalid currency: XXX"}'])
    assert.strictEqual((yield* call("FRANKFURTER", "/v2/rates?base=USD&symbols=EUR")).status, 422)
  })

  rule("the release's table expects each rate, so that a first answer is served", function* () {
    const { fiat } = yield* (yield* Sandbox).truth
    const unexpected = currencies.filter((code) => {
      const [rate, expected] = [fiat(code), releaseRates[code]]
      return rate === undefined || expected === undefined || !isWithinFactor(rate, expected, firstRate.factor)
    })
    assert.deepStrictEqual(unexpected, [])
  })

  it.effect("Frankfurter shows Friday's rates at the weekend", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(friday + 48 * hourMs)
      const decoded = yield* rows(Shapes.FrankfurterRow, "FRANKFURTER", "/v2/rates?base=USD&quotes=EUR,NGN")
      assert.deepStrictEqual(
        decoded.map((row) => row.date),
        ["2026-11-20", "2026-11-20"]
      )
    })
  )

  it.effect("currency-api has a day's file from 04:00 UTC", () =>
    Effect.gen(function* () {
      const path = (version: string) => `/currency-api@${version}/v1/currencies/usd.min.json`
      yield* TestClock.setTime(friday - 9 * hourMs)
      assert.strictEqual((yield* call("CURRENCY_API", path("2026-11-20"))).status, 404)
      const latest = yield* read(Shapes.CurrencyApi, "CURRENCY_API", path("latest"))
      assert.strictEqual(latest.date, "2026-11-19")
      yield* TestClock.setTime(friday - 8 * hourMs)
      const today = yield* read(Shapes.CurrencyApi, "CURRENCY_API", path("2026-11-20"))
      assert.strictEqual(today.date, "2026-11-20")
      assert.strictEqual(today.usd["aed"], 3.6725)
      const { official } = yield* (yield* Sandbox).truth
      assert.closeTo((today.usd["ngn"] ?? 0) / official.rate, 0.997, 0.003)
      assert.strictEqual((yield* call("CURRENCY_API", path("2026-11-21"))).status, 404)
    })
  )

  rule("Bybit's side is the advertiser's: 1 sells, ascending; 0 buys, descending", function* () {
    const page = (side: string, more: object = {}) =>
      read(Shapes.BybitPage, "BYBIT_P2P", "/fiat/otc/item/online", bybit(side, more))
    const [asks, bids] = yield* Effect.all([page("1"), page("0")])
    const prices = (items: typeof asks.result.items) => items.map((item) => Number(item.price))
    assert.deepStrictEqual(
      prices(asks.result.items),
      prices(asks.result.items).toSorted((a, b) => a - b)
    )
    assert.deepStrictEqual(
      prices(bids.result.items),
      prices(bids.result.items).toSorted((a, b) => b - a)
    )
    assert.isTrue(asks.result.items.every((item) => item.side === 1))
    assert.isTrue(bids.result.items.every((item) => item.side === 0))
    const sound = (items: typeof asks.result.items) =>
      prices(
        items.filter(
          (item) =>
            item.isOnline &&
            item.recentOrderNum >= 50 &&
            Number(item.lastQuantity) > 100 &&
            item.payments.includes("14")
        )
      )
    const { p2pMid } = yield* (yield* Sandbox).truth
    assert.isAbove(Math.min(...sound(asks.result.items)), p2pMid)
    assert.isBelow(Math.max(...sound(bids.result.items)), p2pMid)
    const second = yield* page("1", { size: "5", page: "2" })
    assert.deepStrictEqual(second.result.items, asks.result.items.slice(5, 10))
    assert.strictEqual(second.result.count, asks.result.count)
  })

  rule("Bybit has no GET, no other currency, and refuses a malformed request with a 200", function* () {
    assert.strictEqual((yield* call("BYBIT_P2P", "/fiat/otc/item/online")).status, 404)
    const rubles = yield* json("BYBIT_P2P", "/fiat/otc/item/online", bybit("1", { currencyId: "RUB" }))
    assert.deepInclude(rubles, { ret_code: 0, result: { count: 0, items: [] } })
    assert.deepInclude(yield* json("BYBIT_P2P", "/fiat/otc/item/online", bybit("1", { side: 1 })), {
      ret_code: 10_001,
      result: {}
    })
  })

  rule("Bitget: side 1 sells, 2 buys; an empty book is null", function* () {
    const page = (side: number, more: object = {}) =>
      read(Shapes.BitgetPage, "BITGET_P2P", "/v1/p2p/pub/adv/queryAdvList", bitget(side, more))
    const { p2pMid } = yield* (yield* Sandbox).truth
    const sound = (list: Shapes.BitgetPage["data"]["dataList"]) =>
      (list ?? []).filter((ad) => ad.certifiedMerchant === 1).map((ad) => Number(ad.price))
    assert.isAbove(Math.min(...sound((yield* page(1)).data.dataList)), p2pMid)
    assert.isBelow(Math.max(...sound((yield* page(2)).data.dataList)), p2pMid)
    assert.isNull((yield* page(1, { fiatCode: "RUB" })).data.dataList)
    assert.deepInclude(yield* json("BITGET_P2P", "/v1/p2p/pub/adv/queryAdvList", {}), { code: "40002" })
  })

  rule("Quidax and Luno stand around the true mid", function* () {
    const { p2pMid } = yield* (yield* Sandbox).truth
    const { data } = yield* read(Shapes.Quidax, "QUIDAX", "/markets/tickers/usdtngn")
    const luno = yield* read(Shapes.Luno, "LUNO", "/api/1/ticker?pair=USDTNGN")
    assert.closeTo((Number(data.ticker.buy) + Number(data.ticker.sell)) / 2 / p2pMid, 1, 0.003)
    assert.closeTo((Number(luno.bid) + Number(luno.ask)) / 2 / p2pMid, 1, 0.003)
    assert.isBelow(friday / 1000 - data.at, 10)
    assert.isBelow(friday - luno.timestamp, 10_000)
    assert.strictEqual((yield* call("LUNO", "/api/1/ticker?pair=XBTNGN")).status, 400)
  })

  rule("the CBN: NFEM in no order with a row twice, all rates with a mislabelled one and blanks", function* () {
    const { official } = yield* (yield* Sandbox).truth
    const nfem = yield* rows(Shapes.Nfem, "CBN", "/api/GetAllNFEM_Rates")
    const dates = nfem.map((row) => row.ratedate)
    assert.strictEqual(nfem.length, 61)
    assert.strictEqual(new Set(nfem.map((row) => JSON.stringify(row))).size, 60)
    assert.notDeepEqual(
      dates,
      dates.toSorted((a, b) => Date.parse(a) - Date.parse(b))
    )
    assert.strictEqual(
      nfem.find((row) => row.ratedate === "November-19-2026")?.weightedAvgRate,
      official.rate.toFixed(4)
    )
    const all = yield* rows(Shapes.CbnRate, "CBN", "/api/GetAllExchangeRates")
    const dollar = all.find((row) => row.currency === "US DOLLAR")
    assert.deepInclude(dollar, { ratedate: "2026-11-19", centralrate: (official.rate - 0.5).toFixed(4) })
    const rand = all.filter((row) => row.currency === "SOUTH AFRICAN RAND" && Number(row.centralrate) > 200)
    assert.strictEqual(rand.length, 1)
    assert.isTrue(all.some((row) => row.centralrate === ""))
  })

  it.effect("every upstream sends the same bytes for the same seed and time, and others later", () =>
    Effect.gen(function* () {
      const paths: Record<(typeof upstreamNames)[number], readonly [string, object?]> = {
        KRAKEN: ["/0/public/Ticker"],
        BITSTAMP: ["/api/v2/ticker/"],
        BITFINEX: ["/v2/tickers?symbols=ALL"],
        BINANCE: ["/api/v3/ticker/24hr"],
        OKX_SPOT: ["/api/v5/market/tickers?instType=SPOT"],
        KUCOIN_SPOT: ["/api/v1/market/allTickers"],
        CRYPTO_COM: ["/exchange/v1/public/get-tickers"],
        GATE: ["/api/v4/spot/tickers"],
        COINGECKO: ["/coins/markets?vs_currency=usd"],
        COINPAPRIKA: ["/tickers"],
        FRANKFURTER: ["/v2/rates?base=USD"],
        CURRENCY_API: ["/currency-api@latest/v1/currencies/usd.min.json"],
        BYBIT_P2P: ["/fiat/otc/item/online", bybit("1")],
        BITGET_P2P: ["/v1/p2p/pub/adv/queryAdvList", bitget(1)],
        BINANCE_P2P: ["/bapi/c2c/v1/public/c2c/agent/ad-list?fiat=KES&asset=USDT&tradeType=BUY&limit=20"],
        QUIDAX: ["/markets/tickers/usdtngn"],
        LUNO: ["/api/1/ticker?pair=USDTNGN"],
        VALR: ["/v1/public/USDTZAR/marketsummary"],
        CBN: ["/api/GetAllNFEM_Rates"],
        OKX: ["/api/v5/support/announcements?annType=announcements-new-listings"],
        KUCOIN: ["/api/v3/announcements?annType=latest-announcements"],
        BITGET: ["/api/v2/public/annoucements?language=en_US&annType=coin_listings"],
        BYBIT: ["/v5/announcements/index?locale=en-US&type=new_crypto"],
        DEFILLAMA: ["/hacks"]
      }
      for (const name of upstreamNames) {
        const [path, body] = paths[name]
        const at = (time: number) => Effect.andThen(TestClock.setTime(time), call(name, path, body))
        const [first, later, again] = [yield* at(friday), yield* at(friday + 96 * hourMs), yield* at(friday)]
        assert.strictEqual(first.status, 200)
        assert.strictEqual(again.text, first.text, name)
        assert.notStrictEqual(later.text, first.text, name)
      }
    })
  )
})
