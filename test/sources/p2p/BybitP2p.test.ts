import { assert, it } from "@effect/vitest"
import { DateTime, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { BybitP2p } from "../../../src/sources/p2p/BybitP2p.ts"
import asks from "../fixtures/bybit-asks.json" with { type: "json" }
import bids from "../fixtures/bybit-bids.json" with { type: "json" }
import refused from "../fixtures/bybit-refused.json" with { type: "json" }
import {
  hasRecordings,
  json,
  recording,
  type ScriptedAnswer,
  type ScriptedRequest,
  reasonOf
} from "../ScriptedUpstream.ts"
import { capturedLog } from "../../resources.ts"
import { scriptedVenue, bookIn } from "./scriptedVenue.ts"
import { rule, rulesOf } from "../../rulesOf.ts"

const NOW = Date.UTC(2026, 4, 21, 22, 46)

type Sides = Partial<Readonly<Record<"ask" | "bid" | "symbols" | "payments", ScriptedAnswer>>>

/** Bybit's configuration, of the members that two reports have in common. */
const listed = {
  ret_code: 0,
  result: {
    symbols: [
      { currencyId: "NGN", tokenId: "USDT", currencyMinQuote: "1", currencyMaxQuote: "1000", status: 1 },
      { currencyId: "KES", tokenId: "BTC" }
    ],
    currencies: []
  }
}

const named = {
  ret_code: 0,
  result: {
    currencyPaymentIdMap: '{"NGN":[14,90,40]}',
    paymentConfigVo: [
      { paymentType: "14", paymentName: "Bank Transfer" },
      { paymentType: 90, paymentName: "Cash in Person" },
      { paymentType: "40", paymentName: "Airtime" },
      { paymentType: "377", paymentName: "Vouchers" }
    ]
  }
}

/** The side asked for stands in the body alone. */
const answer =
  (sides: Sides) =>
  (request: ScriptedRequest): ScriptedAnswer => {
    const { ask = json(asks), bid = json(bids), payments = json(named), symbols = json(listed) } = sides
    if (request.url === "/fiat/p2p/config/initial") return symbols
    if (request.url === "/fiat/otc/configuration/queryAllPaymentList") return payments
    return request.body.includes('"side":"1"') ? ask : bid
  }

const venue = scriptedVenue(BybitP2p, ({ p2p }) => p2p, { at: NOW, setting: "BYBIT_P2P_BASE_URL" })
const ask = (sides: Sides = {}) =>
  Effect.map(venue.ask(answer(sides)), ({ requests: all, ...asked }) => ({
    ...asked,
    all,
    requests: () => all().filter(({ url }) => url === "/fiat/otc/item/online")
  }))

const empty = { ...asks, result: { count: 0, items: [] } }

const onePage = (items: ReadonlyArray<unknown>) => json({ ...asks, result: { count: items.length, items } })

const ruleWith = rulesOf(it, ask())

ruleWith("where advertisers sell, customers buy: side 1 is the ask, side 0 the bid, bait too", function* ({ book }) {
  const { observedAt, source, value } = yield* book
  assert.deepStrictEqual(
    value.map(({ available, maxAmount, minAmount, price, side }) => [side, price, available, minAmount, maxAmount]),
    [
      ["ask", 1228.75, 40, 2090, 2090],
      ["ask", 1390.5, 1994.0179, 50_000, 2_000_000],
      ["ask", 1391, 600, 50_000, 50_000],
      ["ask", 1391.75, 1994.0179, 50_000, 2_000_000],
      ["ask", 1392.25, 1994.0179, 50_000, 2_000_000],
      ["bid", 1399.9, 98_735.9392, 10_000, 300_000],
      ["bid", 1386.2, 1994.0179, 50_000, 2_000_000]
    ]
  )
  // By Bybit's clock, as of the older page.
  assert.deepStrictEqual([source, DateTime.formatIso(observedAt)], ["Bybit P2P", "2026-05-21T22:35:23.867Z"])
})

// A record is the larger of 30 days and lifetime, and without orders there is no rate; a payment is what its name in the configuration
// says, each once; merchants are told apart by the masked id, else another id that is not 0, else the name; who they are is gone. Asset
// and fiat are for the estimate to refuse.
ruleWith("has the merchants, their records and payments of the ads", function* ({ book }) {
  assert.deepStrictEqual(
    (yield* book).value
      .slice(0, 4)
      .map(({ asset, completionRate, fiat, merchant, online, orders, payments }) => [
        `${merchant} ${asset}/${fiat} ${payments.join()}`,
        orders,
        completionRate,
        online
      ]),
    [
      ["1 USDT/NGN other", 852, 100, null],
      ["2 USDT/NGN bank_transfer", 656, 99.5, true],
      ["3 USDT/NGN cash", 3, 100, true],
      ["4 USDT/NGN other,bank_transfer", 0, null, false]
    ]
  )
  assert.strictEqual((yield* book).value[4]?.asset, "USDC")
})

rule("what an ad does not say is unknown, not a guess", function* () {
  const bare = {
    tokenId: "USDT",
    currencyId: "NGN",
    side: 1,
    price: "1391",
    lastQuantity: "10",
    minAmount: "1",
    maxAmount: "2"
  }
  const blank = {
    ...bare,
    payments: null,
    recentOrderNum: "",
    recentExecuteRate: null,
    userId: "0",
    nickName: null
  }
  const { book } = yield* ask({ ask: onePage([bare, blank, { ...bare, recentExecuteRate: 120 }]) })
  const unknown = {
    side: "ask" as const,
    asset: "USDT",
    fiat: "NGN",
    price: 1391,
    available: 10,
    minAmount: 1,
    maxAmount: 2,
    merchant: "",
    orders: null,
    completionRate: null,
    payments: [],
    online: null
  }
  assert.deepStrictEqual((yield* book).value.slice(0, 3), [unknown, unknown, unknown])
})

ruleWith("asks once a day for fiats and the names of payments, however often for ads", function* ({ all, layer }) {
  yield* Effect.gen(function* () {
    const { p2p } = yield* BybitP2p
    for (const day of [1, 2, 3]) {
      for (let minute = 0; minute < 3; minute++) {
        yield* bookIn(p2p)
        yield* TestClock.adjust("1 minute")
      }
      assert.lengthOf(
        all().filter(({ url }) => url !== "/fiat/otc/item/online"),
        2 * day
      )
      yield* TestClock.adjust("1 day")
    }
  }).pipe(Effect.provide(layer))
})

ruleWith("a fiat that the configuration lacks is not asked for: its book is empty", function* ({ layer, requests }) {
  yield* Effect.gen(function* () {
    const { p2p, p2p_configuration } = yield* BybitP2p
    yield* p2p_configuration.get
    assert.deepStrictEqual((yield* bookIn(p2p, "KES")).value, [])
    assert.deepStrictEqual(requests(), [])
  }).pipe(Effect.provide(layer))
})

rule("a list of fiats that lacks a market of before is not taken, and asked for again within the hour", function* () {
  const pairsOf = (...fiats: ReadonlyArray<string>) =>
    json({ ret_code: 0, result: { symbols: fiats.map((currencyId) => ({ currencyId, tokenId: "USDT" })) } })
  let symbols = pairsOf("NGN", "KES")
  const { all, layer } = yield* ask({
    get symbols() {
      return symbols
    }
  })
  yield* Effect.gen(function* () {
    const { p2p, p2p_configuration } = yield* BybitP2p
    yield* p2p_configuration.get
    for (const cutOff of [pairsOf("NGN"), pairsOf("KES"), pairsOf("ALL")]) {
      symbols = cutOff
      yield* TestClock.adjust("25 hours")
      assert.deepInclude(yield* reasonOf(p2p_configuration.get), { _tag: "Unusable" })
      assert.isAbove((yield* bookIn(p2p)).value.length, 0)
    }
    const before = all().length
    symbols = pairsOf("NGN", "KES")
    yield* TestClock.adjust("1 hour")
    yield* bookIn(p2p)
    assert.isAbove(
      all()
        .slice(before)
        .filter(({ url }) => url === "/fiat/p2p/config/initial").length,
      0
    )
    symbols = pairsOf("NGN")
    yield* TestClock.adjust("4 days")
    assert.deepStrictEqual((yield* p2p_configuration.get).value.fiats, ["NGN"])
  }).pipe(Effect.provide(layer))
})

rule("numbers of payments that are JavaScript's own names are unknown, whatever the configuration", function* () {
  const hostile = asks.result.items.map((item) => ({ ...item, payments: ["constructor", "__proto__", "toString"] }))
  for (const sides of [{}, { payments: json(refused) }]) {
    const { book } = yield* ask({ ...sides, ask: onePage(hostile) })
    const asked = (yield* book).value.filter(({ side }) => side === "ask")
    assert.isAbove(asked.length, 0)
    assert.isTrue(asked.every(({ payments }) => payments.length === 0))
  }
})

rule("without a readable configuration, payments are unknown, and the book is there all the same", function* () {
  const nothing = { ret_code: 0, result: { symbols: [], paymentConfigVo: [] } }
  const broken: ReadonlyArray<Sides> = [
    { symbols: json(refused) },
    { payments: json(refused) },
    { symbols: json(nothing) },
    { payments: json(nothing) },
    { symbols: { status: 403, body: "<html>Access Denied</html>" } },
    { payments: json({ ...named, result: { paymentConfigVo: "{}" } }) }
  ]
  for (const sides of broken) {
    const { book } = yield* ask(sides)
    const { value } = yield* book
    assert.strictEqual(value.length, 7)
    assert.isTrue(value.every(({ payments }) => payments.length === 0))
  }
})

rule(
  "a configuration that does not come delays a book by eight seconds, and is asked four times an hour",
  function* () {
    const { all, layer } = yield* ask({ symbols: { status: 500, body: "" } })
    yield* Effect.gen(function* () {
      const { p2p } = yield* BybitP2p
      for (let minute = 0; minute < 50; minute += 2) {
        assert.strictEqual((yield* bookIn(p2p)).value.length, 7)
        yield* TestClock.adjust("2 minutes")
      }
    }).pipe(Effect.provide(layer))
    assert.isAtMost(all().filter(({ url }) => url === "/fiat/p2p/config/initial").length, 4)
    const silent = yield* ask({ symbols: "hang" })
    const reading = yield* Effect.forkChild(silent.book)
    yield* TestClock.adjust("8 seconds")
    assert.strictEqual((yield* Fiber.join(reading)).value.length, 7)
  }
)

rule("without a clock of theirs that makes sense, ours is used", function* () {
  for (const time_now of ["", null, "9e300", undefined]) {
    const { book } = yield* ask({ ask: json({ ...asks, time_now }), bid: json({ ...bids, time_now }) })
    assert.strictEqual((yield* book).observedAt.epochMilliseconds, NOW, String(time_now))
  }
})

rule("ads of the other side and broken ads are left out and counted; nobody is named in the log", function* () {
  const { layer: log, lines } = capturedLog()
  const { book } = yield* ask()
  yield* Effect.provide(book, log)
  assert.strictEqual(lines.length, 1)
  assert.include(lines[0], "2 of 7 ads ignored")
  assert.notMatch(lines.join(""), /s5f3a|sbait|swrong|sblank|merchant/)
})

rule("a page with nothing but ads of the other side is a failure: the venue has swapped its sides", function* () {
  assert.strictEqual(yield* venue.failure(answer({ ask: json(bids), bid: json(asks) })), "Undecodable")
})

// Runs where the shared samples lie beside the repository. The pages are of the RUB market: none of NGN was recorded.
it.effect.skipIf(!hasRecordings)("reads the pages recorded in May 2026", () =>
  Effect.gen(function* () {
    const page = (name: string): ScriptedAnswer => ({ status: 200, body: recording(`bybit-p2p/${name}.json`) })
    const { book } = yield* ask({
      ask: page("api2-side1-makers-selling.RUB.2026-05"),
      bid: page("api2-side0-makers-buying.RUB.2026-05")
    })
    assert.deepStrictEqual(
      (yield* book).value.map(({ available, fiat, price, side }) => [side, price, available, fiat]),
      [
        ["ask", 72.19, 40, "RUB"],
        ["bid", 81.86, 98_735.9392, "RUB"]
      ]
    )
    const refusal = yield* ask({ ask: page("api2-error-10001") })
    assert.include((yield* Effect.flip(refusal.book)).message, "10001")
    const documented = yield* ask({ ask: json(empty), bid: page("v5-p2p-item-online.docs") })
    assert.deepStrictEqual(
      (yield* documented.book).value.map(({ price }) => price),
      [0.93, 0.92, 0.91]
    )
  })
)
