import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { BitgetP2p } from "../../../src/sources/p2p/BitgetP2p.ts"
import asks from "../fixtures/bitget-asks.json" with { type: "json" }
import bids from "../fixtures/bitget-bids.json" with { type: "json" }
import refused from "../fixtures/bitget-refused.json" with { type: "json" }
import { hasRecordings, json, recording, type ScriptedAnswer, type ScriptedRequest } from "../ScriptedUpstream.ts"
import { scriptedVenue } from "./scriptedVenue.ts"
import { rule, rulesOf } from "../../rulesOf.ts"

const NOW = Date.UTC(2026, 8, 29, 12)

interface Sides {
  readonly ask?: ScriptedAnswer
  readonly bid?: ScriptedAnswer
}

const answer =
  ({ ask = json(asks), bid = json(bids) }: Sides) =>
  (request: ScriptedRequest): ScriptedAnswer =>
    request.body.includes('"side":1') ? ask : bid

const venue = scriptedVenue(BitgetP2p, ({ p2p }) => p2p, { at: NOW, setting: "BITGET_P2P_BASE_URL" })
const ask = (sides: Sides = {}, fiat?: "NGN" | "KES") => venue.ask(answer(sides), fiat)

const page = (dataList: unknown) => json({ code: "00000", msg: "success", data: { dataList } })

const [first] = asks.data.dataList

const ruleWith = rulesOf(it, ask())

ruleWith("asks for one market, advertisers who sell first", function* ({ book, requests }) {
  yield* book
  const body = { pageNo: 1, pageSize: 20, coinCode: "USDT", fiatCode: "NGN", languageType: 0 }
  assert.deepStrictEqual(
    requests().map((request) => JSON.parse(request.body)),
    [
      { ...body, side: 1 },
      { ...body, side: 2 }
    ]
  )
  for (const { method, url } of requests()) {
    assert.strictEqual(`${method} ${url}`, "POST /v1/p2p/pub/adv/queryAdvList")
  }
  const other = yield* ask({}, "KES")
  yield* other.book
  assert.isTrue(other.requests().every(({ body }) => body.includes('"fiatCode":"KES"')))
})

ruleWith("maps what an ad says; where advertisers sell, customers buy", function* ({ book }) {
  const { observedAt, source, value } = yield* book
  const ad = {
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
  assert.deepStrictEqual<unknown>(value[0], ad)
  assert.deepStrictEqual<unknown>(value.at(-1), {
    ...ad,
    side: "bid",
    price: 1384.1,
    merchant: "4",
    completionRate: 100
  })
  assert.strictEqual(source, "Bitget P2P")
  assert.strictEqual(observedAt.epochMilliseconds, NOW)
})

ruleWith("a completion rate above 1 is percent already; no orders, no rate", function* ({ book }) {
  assert.deepStrictEqual(
    (yield* book).value.slice(0, 4).map(({ completionRate, orders }) => [orders, completionRate]),
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
    for (const paymethodName of methods) {
      const { book } = yield* ask({ ask: page([{ ...first, paymethodInfo: [{ paymethodName }] }]), bid: page([]) })
      assert.deepStrictEqual<unknown>((yield* book).value[0]?.payments, [payment], paymethodName)
    }
  }
})

rule("mobile money counts as a bank transfer where its market's record says so", function* () {
  const mobile = page([{ ...first, paymethodInfo: [{ paymethodName: "M-Pesa (Safaricom)" }] }])
  const paymentsIn = (fiat: "NGN" | "KES") =>
    Effect.flatMap(ask({ ask: mobile, bid: page([]) }, fiat), ({ book }) => book).pipe(
      Effect.map(({ value }) => value[0]?.payments)
    )
  assert.deepStrictEqual<unknown>(yield* paymentsIn("KES"), ["bank_transfer"])
  assert.deepStrictEqual<unknown>(yield* paymentsIn("NGN"), ["other"])
})

ruleWith("where the remainder is not sent, what one order may take is there", function* ({ book }) {
  assert.strictEqual((yield* book).value[2]?.available, 100)
  const free = yield* ask({ ask: page([{ ...first, price: "0", lastAmount: "" }]) })
  assert.strictEqual((yield* free.book).value[0]?.available, 0)
})

ruleWith("what an ad does not say is unknown, and a broken ad loses only itself", function* ({ book }) {
  const { value } = yield* book
  const { merchant, online, payments, price } = value[3] ?? {}
  assert.deepStrictEqual(
    { merchant, online, payments, price },
    { merchant: "", online: true, payments: [], price: 1395 }
  )
  assert.deepStrictEqual(
    value.slice(0, 3).map((ad) => ad.online),
    [true, false, null]
  )
  assert.strictEqual(value.length, 5)
})

rule("an empty list in any of its forms is an answer: there is no market to see from here", function* () {
  for (const nothing of [page([]), page(null), json({ code: "00000", msg: "success", data: null })]) {
    const { book } = yield* ask({ ask: nothing, bid: nothing })
    assert.deepStrictEqual((yield* book).value, [])
  }
})

rule("either side refused fails both, with the code and none of the words", function* () {
  for (const sides of [{ ask: json(refused) }, { bid: json(refused) }]) {
    const { book } = yield* ask(sides)
    assert.strictEqual((yield* Effect.flip(book)).message, "Bitget P2P refused with its code 40002")
  }
  const { book } = yield* ask({ ask: json({ code: "see https://example.com", msg: "", data: null }) })
  assert.notInclude((yield* Effect.flip(book)).message, "example.com")
})

rule("a list of which nothing can be read is a failure", function* () {
  const unreadable = page([{ ...first, price: "n/a" }, "?"])
  assert.strictEqual(yield* venue.failure(answer({ ask: unreadable })), "Undecodable")
})

// Runs where the shared samples lie beside the repository. The page is of the AMD market, trimmed of what remains.
it.effect.skipIf(!hasRecordings)("reads the recorded page", () =>
  Effect.gen(function* () {
    const { book } = yield* ask({
      ask: { status: 200, body: recording("bitget-p2p/queryAdvList.trimmed.AMD.json") },
      bid: page([])
    })
    const { value } = yield* book
    assert.strictEqual(value.length, 1)
    const { available, completionRate, fiat, orders, price } = value[0] ?? {}
    assert.deepStrictEqual(
      { available, completionRate, fiat, orders, price },
      { available: 140_000 / 373.74, completionRate: 97, fiat: "AMD", orders: 69, price: 373.74 }
    )
  })
)
