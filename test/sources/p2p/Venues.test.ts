// What the P2P venues' ads become: what all of them are asked and have in common, and what one says in its own way. What Bybit alone does is
// in BybitP2p.test.ts.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { BinanceP2p } from "../../../src/sources/p2p/BinanceP2p.ts"
import { BitgetP2p } from "../../../src/sources/p2p/BitgetP2p.ts"
import { BybitP2p } from "../../../src/sources/p2p/BybitP2p.ts"
import bitgetAsks from "../fixtures/bitget-asks.json" with { type: "json" }
import bitgetBids from "../fixtures/bitget-bids.json" with { type: "json" }
import bitgetRefused from "../fixtures/bitget-refused.json" with { type: "json" }
import bybitAsks from "../fixtures/bybit-asks.json" with { type: "json" }
import bybitBids from "../fixtures/bybit-bids.json" with { type: "json" }
import bybitRefused from "../fixtures/bybit-refused.json" with { type: "json" }
import { bybit } from "../../sandbox/support.ts"
import { hasRecordings, json, recording, type ScriptedAnswer, type ScriptedRequest } from "../ScriptedUpstream.ts"
import { scriptedVenue } from "./scriptedVenue.ts"
import { rule } from "../../rulesOf.ts"

const NOW = Date.UTC(2026, 8, 29, 12)

interface Sides {
  readonly ask?: ScriptedAnswer
  readonly bid?: ScriptedAnswer
}

/** A page of these ads. */
const pages = {
  binance: (items: unknown) => json({ code: "000000", message: null, data: { items }, success: true }),
  bitget: (dataList: unknown) => json({ code: "00000", msg: "success", data: { dataList } }),
  bybit: (items: unknown) => json({ ...bybitAsks, result: { count: 0, items } })
}

/** An ad of Binance with the members of the body that was published, in shillings. */
const shown = {
  adNo: "1",
  price: 131.2,
  fiat: "KES",
  fiatSymbol: "KSh",
  fiatScale: 2,
  asset: "USDT",
  assetScale: 2,
  priceScale: 3,
  minTransAmount: 1000.5,
  maxTransAmount: 45_454.45,
  tradableAmount: 2799.67,
  payTimeLimit: 15,
  tradeMethods: ["MPesaKenya", "AirtelMoney"],
  advertiser: {
    nickName: "a merchant",
    userType: "merchant",
    monthOrderCount: 150,
    monthFinishRate: 0.975,
    positiveRate: 0.9375,
    merchantGroupMember: false
  }
}

/** A side is in the address or the body of a request: in an ask's, this stands. */
const sidesOf =
  (mark: string, usual: Required<Sides>) =>
  (sides: Sides) =>
  ({ body, url }: ScriptedRequest): ScriptedAnswer => {
    const { ask, bid } = { ...usual, ...sides }
    if (url.includes("config")) return json(bybitRefused)
    return `${url} ${body}`.includes(mark) ? ask : bid
  }

const binance = {
  ...scriptedVenue(BinanceP2p, ({ p2p }) => p2p, { at: NOW, setting: "BINANCE_P2P_BASE_URL" }),
  answer: sidesOf("tradeType=BUY", {
    ask: pages.binance([shown]),
    bid: pages.binance([{ ...shown, price: 129.9 }])
  }),
  page: pages.binance,
  fiat: "KES"
} as const
const bitget = {
  ...scriptedVenue(BitgetP2p, ({ p2p }) => p2p, { at: NOW, setting: "BITGET_P2P_BASE_URL" }),
  answer: sidesOf('"side":1', { ask: json(bitgetAsks), bid: json(bitgetBids) }),
  page: pages.bitget,
  fiat: "NGN"
} as const
const bybitVenue = {
  ...scriptedVenue(BybitP2p, ({ p2p }) => p2p, { at: NOW, setting: "BYBIT_P2P_BASE_URL" }),
  answer: sidesOf('"side":"1"', { ask: json(bybitAsks), bid: json(bybitBids) }),
  page: pages.bybit,
  fiat: "NGN"
} as const

const agentList = "GET /bapi/c2c/v1/public/c2c/agent/ad-list?fiat=KES&asset=USDT"
const bitgetAsked = { pageNo: 1, pageSize: 20, coinCode: "USDT", fiatCode: "NGN", languageType: 0 }
const bitgetAd = {
  side: "ask",
  asset: "USDT",
  fiat: "NGN",
  price: 1391,
  available: 3750.95,
  minAmount: 10_000,
  maxAmount: 1_400_000,
  merchant: "1",
  orders: 69,
  completionRate: 97,
  payments: ["bank_transfer"],
  online: true
}
const binanceAd = {
  ...bitgetAd,
  fiat: "KES",
  price: 131.2,
  available: 2799.67,
  minAmount: 1000.5,
  maxAmount: 45_454.45,
  orders: 150,
  completionRate: 97.5,
  online: null
}

const cases = [
  {
    name: "Binance P2P",
    venue: binance,
    asked: ["BUY", "SELL"].map((does) => [`${agentList}&tradeType=${does}&limit=20`, undefined] as const),
    maps: [binanceAd, { ...binanceAd, side: "bid", price: 129.9 }],
    good: shown,
    broken: { ...shown, price: null },
    empty: [json({ code: "000000", data: null })],
    refused: json({ code: "000002", message: "illegal, see https://example.com", data: null }),
    code: "000002",
    undecodable: json({ code: "000000", data: "later" })
  },
  {
    name: "Bitget P2P",
    venue: bitget,
    asked: [1, 2].map((side) => ["POST /v1/p2p/pub/adv/queryAdvList", { ...bitgetAsked, side }] as const),
    maps: [bitgetAd, { ...bitgetAd, side: "bid", price: 1384.1, merchant: "4", completionRate: 100 }],
    good: bitgetAsks.data.dataList[0],
    broken: { ...bitgetAsks.data.dataList[0], price: "n/a" },
    empty: [json({ code: "00000", msg: "success", data: null })],
    refused: json(bitgetRefused),
    code: "40002",
    undecodable: json({ code: "see https://example.com", msg: "", data: null })
  },
  {
    name: "Bybit P2P",
    venue: bybitVenue,
    asked: ["1", "0"].map((side) => ["POST /fiat/otc/item/online", bybit(side)] as const),
    maps: undefined,
    good: bybitAsks.result.items[1],
    broken: { ...bybitAsks.result.items[1], price: "" },
    empty: [json({ ...bybitAsks, result: { count: 0, items: null } })],
    refused: json(bybitRefused),
    code: "10001",
    undecodable: json({ ...bybitAsks, result: {} })
  }
] as const

describe.each(cases.map((one) => [one.name, one] as const))("%s", (name, one) => {
  const { answer, ask, failure, fiat, page } = one.venue
  const bookOf = Effect.fnUntraced(function* (sides: Sides) {
    const { book } = yield* ask(answer(sides), fiat)
    return yield* book
  })

  rule("is asked for both sides, a page each, as customers see them", function* () {
    const { book, requests } = yield* ask(answer({}), fiat)
    yield* book
    const asked = requests().filter(({ url }) => !url.includes("onfig"))
    assert.deepStrictEqual(
      asked.map(({ body, method, url }) => [`${method} ${url}`, body === "" ? undefined : JSON.parse(body)]),
      one.asked.map(([url, body]) => [url, body])
    )
  })

  rule("says what an ad is, its side as the customer's", function* () {
    const { observedAt, source, value } = yield* bookOf({})
    assert.strictEqual(source, name)
    if (one.maps === undefined) return
    assert.deepStrictEqual<unknown>([value[0], value.at(-1)], one.maps)
    assert.strictEqual(observedAt.epochMilliseconds, NOW)
  })

  rule("without ads, in any form, is an answer: there is no market to see from here", function* () {
    for (const nothing of [page([]), page(null), ...one.empty]) {
      assert.deepStrictEqual((yield* bookOf({ ask: nothing, bid: nothing })).value, [])
    }
  })

  rule("loses a broken ad and no other; a list of which nothing can be read is a failure", function* () {
    const { value } = yield* bookOf({ ask: page([one.broken, "?", one.good]), bid: page([]) })
    assert.lengthOf(value, 1)
    for (const side of ["ask", "bid"]) {
      assert.strictEqual(yield* failure(answer({ [side]: page([one.broken, "?"]) }), fiat), "Undecodable")
    }
  })

  rule("refused on either side has failed, with the code and none of the words", function* () {
    for (const side of ["ask", "bid"]) {
      const error = yield* Effect.flip(bookOf({ [side]: one.refused }))
      assert.strictEqual(error.message, `${name} refused with its code ${one.code}`)
    }
    assert.strictEqual(yield* failure(answer({ ask: one.undecodable }), fiat), "Undecodable")
    assert.strictEqual(yield* failure(answer({ ask: json({}) }), fiat), "Undecodable")
    assert.strictEqual(yield* failure(answer({ bid: { status: 418, body: "" } }), fiat), "RateLimited")
  })
})

describe("Binance", () => {
  rule("without orders a rate has no meaning; what is not sent is unknown", function* () {
    const beginner = { ...shown, advertiser: { ...shown.advertiser, monthOrderCount: 0 } }
    const { advertiser: _, tradeMethods: __, ...rest } = shown
    const sides = { ask: pages.binance([beginner, { ...rest, advertiser: {} }]) }
    const { book } = yield* binance.ask(binance.answer(sides), "KES")
    assert.deepStrictEqual(
      (yield* book).value
        .slice(0, 2)
        .map(({ completionRate, merchant, orders, payments }) => [orders, completionRate, merchant, payments.length]),
      [
        [0, null, "1", 1],
        [null, null, "", 0]
      ]
    )
  })

  rule("has no book in naira", function* () {
    const { layer } = yield* binance.ask(binance.answer({}), "KES")
    const fiats = BinanceP2p.useSync(({ p2p }) => [...p2p.keys()])
    assert.deepStrictEqual(yield* Effect.provide(fiats, layer), ["GHS", "KES", "ZAR"])
  })
})

describe("Bitget", () => {
  const [first] = bitgetAsks.data.dataList
  const asksOf = (sides: Sides = {}, fiat: "NGN" | "KES" = "NGN") =>
    Effect.flatMap(bitget.ask(bitget.answer(sides), fiat), ({ book }) => Effect.map(book, ({ value }) => value))
  const paidBy = (paymethodName: string, fiat?: "KES") =>
    Effect.map(asksOf({ ask: pages.bitget([{ ...first, paymethodInfo: [{ paymethodName }] }]) }, fiat), ([ad]) =>
      ad?.payments.join()
    )

  rule("a completion rate above 1 is percent already; no orders, no rate", function* () {
    assert.deepStrictEqual(
      (yield* asksOf()).slice(0, 4).map(({ completionRate, orders }) => [orders, completionRate]),
      [
        [69, 97],
        [1204, 98.4],
        [0, null],
        [null, null]
      ]
    )
  })

  rule("accounts that Nigerians pay like banks count as bank transfers, cash only as cash", function* () {
    const names = {
      bank_transfer: ["Bank Transfer", "Access Bank", "OPay", "PalmPay", "Kuda", "Moniepoint", "UBA", "GTBank"],
      cash: ["Cash", "Cash in Person", "Cash Deposit"],
      other: ["Chipper Cash", "Airtime", "", "Tubal"]
    }
    for (const [payment, methods] of Object.entries(names)) {
      for (const method of methods) assert.strictEqual(yield* paidBy(method), payment, method)
    }
  })

  rule("mobile money counts as a bank transfer where its market's record says so", function* () {
    assert.strictEqual(yield* paidBy("M-Pesa (Safaricom)", "KES"), "bank_transfer")
    assert.strictEqual(yield* paidBy("M-Pesa (Safaricom)"), "other")
  })

  rule("where the remainder is not sent, what one order may take is there", function* () {
    assert.strictEqual((yield* asksOf())[2]?.available, 100)
    assert.strictEqual(
      (yield* asksOf({ ask: pages.bitget([{ ...first, price: "0", lastAmount: "" }]) }))[0]?.available,
      0
    )
  })

  rule("what an ad does not say is unknown", function* () {
    const value = yield* asksOf()
    assert.deepInclude(value[3], { merchant: "", online: true, payments: [], price: 1395 })
    assert.deepStrictEqual(
      value.slice(0, 3).map(({ online }) => online),
      [true, false, null]
    )
    assert.strictEqual(value.length, 5)
  })

  // Runs where the shared samples lie beside the repository. The page is of the AMD market, trimmed of what remains.
  it.effect.skipIf(!hasRecordings)("reads the recorded page", () =>
    Effect.gen(function* () {
      const body = recording("bitget-p2p/queryAdvList.trimmed.AMD.json")
      const value = yield* asksOf({ ask: { status: 200, body }, bid: pages.bitget([]) })
      assert.strictEqual(value.length, 1)
      const ad = { available: 140_000 / 373.74, completionRate: 97, fiat: "AMD", orders: 69, price: 373.74 }
      assert.deepInclude(value[0], ad)
    })
  )
})
