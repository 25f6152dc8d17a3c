import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { BinanceP2p } from "../../../src/sources/p2p/BinanceP2p.ts"
import { json, type ScriptedAnswer, type ScriptedRequest } from "../ScriptedUpstream.ts"
import { scriptedVenue } from "./scriptedVenue.ts"
import { rule } from "../../rulesOf.ts"

const NOW = Date.UTC(2026, 8, 29, 12)

/** An ad with the members of the body that was published, in shillings. */
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

const page = (items: unknown) => json({ code: "000000", message: null, data: { items }, success: true })

interface Sides {
  readonly ask?: ScriptedAnswer
  readonly bid?: ScriptedAnswer
}

const answer =
  ({ ask = page([shown]), bid = page([{ ...shown, price: 129.9 }]) }: Sides) =>
  ({ url }: ScriptedRequest): ScriptedAnswer =>
    url.includes("tradeType=BUY") ? ask : bid

const venue = scriptedVenue(BinanceP2p, ({ p2p }) => p2p, { at: NOW, setting: "BINANCE_P2P_BASE_URL" })
const ask = (sides: Sides = {}) => venue.ask(answer(sides), "KES")
const failure = (sides: Sides) => venue.failure(answer(sides), "KES")

rule("asks for what customers do: BUY has the asks, SELL the bids, twenty ads each", function* () {
  const { book, requests } = yield* ask()
  yield* book
  const path = "/bapi/c2c/v1/public/c2c/agent/ad-list?fiat=KES&asset=USDT"
  assert.deepStrictEqual(
    requests().map(({ method, url }) => `${method} ${url}`),
    [`GET ${path}&tradeType=BUY&limit=20`, `GET ${path}&tradeType=SELL&limit=20`]
  )
})

rule("maps what an ad says: shares to percent, methods by name, the merchant to a number", function* () {
  const { book } = yield* ask()
  const { observedAt, source, value } = yield* book
  const ad = {
    side: "ask",
    asset: "USDT",
    fiat: "KES",
    price: 131.2,
    available: 2799.67,
    minAmount: 1000.5,
    maxAmount: 45_454.45,
    merchant: "1",
    orders: 150,
    completionRate: 97.5,
    payments: ["bank_transfer"],
    online: null
  }
  assert.deepStrictEqual<unknown>(value, [ad, { ...ad, side: "bid", price: 129.9 }])
  assert.deepStrictEqual([source, observedAt.epochMilliseconds], ["Binance P2P", NOW])
})

rule("without orders a rate has no meaning; what is not sent is unknown", function* () {
  const beginner = { ...shown, advertiser: { ...shown.advertiser, monthOrderCount: 0 } }
  const { advertiser: _, tradeMethods: __, ...rest } = shown
  const { book } = yield* ask({ ask: page([beginner, { ...rest, advertiser: {} }]) })
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

rule("an empty list in any form is an answer, a broken ad loses only itself", function* () {
  for (const nothing of [page([]), page(null), json({ code: "000000", data: null })]) {
    const { book } = yield* ask({ ask: nothing, bid: nothing })
    assert.deepStrictEqual((yield* book).value, [])
  }
  const { book } = yield* ask({ ask: page([{ ...shown, price: null }, shown]) })
  assert.strictEqual((yield* book).value.length, 2)
})

rule("refusals, block pages and lists of which nothing can be read are failures", function* () {
  assert.strictEqual(yield* failure({ ask: json({ code: "000002", message: "illegal", data: null }) }), "Rejected")
  assert.strictEqual(yield* failure({ ask: json({ code: "000000", data: "later" }) }), "Undecodable")
  assert.strictEqual(yield* failure({ bid: page(["?"]) }), "Undecodable")
  assert.strictEqual(yield* failure({ bid: { status: 418, body: "" } }), "RateLimited")
})

rule("has no book in naira", function* () {
  const { layer } = yield* ask()
  const fiats = yield* Effect.provide(
    Effect.map(BinanceP2p, ({ p2p }) => [...p2p.keys()]),
    layer
  )
  assert.deepStrictEqual(fiats, ["GHS", "KES", "ZAR"])
})
