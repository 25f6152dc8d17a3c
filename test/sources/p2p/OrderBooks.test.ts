// What the exchanges' answers become: the top of an order book, as of the exchange's own time, or a reason why there is none.
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { Luno } from "../../../src/sources/p2p/Luno.ts"
import { Quidax } from "../../../src/sources/p2p/Quidax.ts"
import { Valr } from "../../../src/sources/p2p/Valr.ts"
import lunoTicker from "../fixtures/luno-ticker.json" with { type: "json" }
import quidaxTicker from "../fixtures/quidax-ticker.json" with { type: "json" }
import { json } from "../ScriptedUpstream.ts"
import { scriptedVenue } from "./scriptedVenue.ts"
import { rule } from "../../rulesOf.ts"

type Fields = Readonly<Record<string, unknown>>

const NOW = Date.UTC(2026, 5, 12, 1, 49)
const NOON = Date.UTC(2026, 10, 20, 12)

const luno = {
  ...scriptedVenue(Luno, ({ order_book }) => order_book, {
    at: Date.UTC(2026, 5, 13, 17, 53),
    setting: "LUNO_BASE_URL"
  }),
  says: (fields: Fields) => json({ ...lunoTicker, ...fields })
}

const quidax = {
  ...scriptedVenue(Quidax, ({ order_book }) => order_book, { at: NOW, setting: "QUIDAX_BASE_URL" }),
  says: (data: Fields) => json({ ...quidaxTicker, data: { ...quidaxTicker.data, ...data } })
}

/** The members of VALR's documentation. */
const summary = {
  currencyPair: "USDTZAR",
  askPrice: "16.52",
  bidPrice: "16.48",
  lastTradedPrice: "16.5",
  previousClosePrice: "16.4",
  created: "2026-11-20T11:59:40.228Z",
  markPrice: "16.5"
}

const valr = {
  ...scriptedVenue(Valr, ({ order_book }) => order_book, { at: NOON, setting: "VALR_BASE_URL" }),
  says: (fields: Fields) => json({ ...summary, ...fields })
}

const { at, ticker } = quidaxTicker.data
const sides = (fields: Fields) => ({ ticker: { ...ticker, ...fields } })

/** A venue's first book: what it is asked, what it is, and when it was observed. */
const first = [
  ["Luno", luno, "NGN", "/api/1/ticker?pair=USDTNGN", { bid: 1382.7796, ask: 1385.6695 }, "2026-06-13T17:52:18.363Z"],
  // A customer buys at Quidax's sell and sells at its buy.
  ["Quidax", quidax, "NGN", "/markets/tickers/usdtngn", { bid: 1386, ask: 1391.75 }, "2026-06-12T01:48:11.000Z"],
  ["VALR", valr, "ZAR", "/v1/public/USDTZAR/marketsummary", { bid: 16.48, ask: 16.52 }, summary.created]
] as const

/** Other markets: what the venue says, and what it was asked. */
const others = [
  [luno, "ZAR", { pair: "USDTZAR" }, "/api/1/ticker?pair=USDTZAR"],
  [quidax, "GHS", { market: "usdtghs" }, "/markets/tickers/usdtghs"]
] as const

/** An empty side gives nothing, never a 0; nor does a market in which nobody can take prices. */
const unusable = [
  ["Luno", luno, "NGN", [{ bid: "0.00" }, { ask: "" }, { ask: null }]],
  ["Luno", luno, "NGN", ["POSTONLY", "DISABLED", "UNKNOWN"].map((status) => ({ status }))],
  ["Quidax", quidax, "NGN", [{ buy: "0.0" }, { sell: "" }, { sell: null }, { buy: "-1386" }].map(sides)],
  ["VALR", valr, "ZAR", [{ bidPrice: "0" }, { askPrice: "" }, { askPrice: null }]]
] as const

/** Another market, a time that is none, a figure that is none. */
const undecodable = [
  ["Luno", luno, "NGN", [{ pair: "XBTNGN" }, { timestamp: "now" }, { timestamp: 1e17 }, { bid: "1 382" }]],
  ["Quidax", quidax, "NGN", [{ market: "btcngn" }, { at: null }, { at: 1e15 }, { at: -1 }]],
  ["Quidax", quidax, "NGN", [{ buy: "1e999" }, { sell: "1,391.75" }].map(sides)],
  ["VALR", valr, "ZAR", [{ currencyPair: "BTCZAR" }, { askPrice: "16,5" }, { created: "now" }]]
] as const

describe("an order book", () => {
  rule("is the top of the venue's, as of its own time", function* () {
    for (const [name, { ask, says }, fiat, path, top, observed] of first) {
      const { asked, book } = yield* ask(() => says({}), fiat)
      const { observedAt, source, value } = yield* book
      assert.deepStrictEqual([source, value, DateTime.formatIso(observedAt)], [name, top, observed])
      assert.deepStrictEqual(asked(), [`GET ${path}`])
    }
  })

  rule("is there for each market in which the venue takes part", function* () {
    for (const [{ ask, says }, fiat, fields, path] of others) {
      const { asked, book } = yield* ask(() => says(fields), fiat)
      assert.hasAllKeys((yield* book).value, ["bid", "ask"])
      assert.deepStrictEqual(asked(), [`GET ${path}`])
    }
  })

  for (const [reason, cases] of [["Unusable", unusable] as const, ["Undecodable", undecodable] as const]) {
    for (const [name, { failure, says }, fiat, fields] of cases) {
      rule(`of ${name} is ${reason} with ${fields.map((one) => JSON.stringify(one)).join(", ")}`, function* () {
        for (const one of fields) assert.strictEqual(yield* failure(() => says(one), fiat), reason, JSON.stringify(one))
      })
    }
  }

  rule("of VALR without a time is as of now", function* () {
    const { created: _, ...untimed } = summary
    const { book } = yield* valr.ask(() => json(untimed), "ZAR")
    assert.strictEqual((yield* book).observedAt.epochMilliseconds, NOON)
  })
})

describe("Quidax", () => {
  rule("the newer host's form, the ticker by its market, is read too; without a time it is as of now", function* () {
    const said = [
      [{ usdtngn: { ticker } }, NOW],
      [{ usdtngn: { at, ticker: { ...ticker, buy: 1386, sell: 1391.75 } } }, at * 1000]
    ] as const
    for (const [data, observed] of said) {
      const { book } = yield* quidax.ask(() => json({ status: "success", data }))
      const { observedAt, value } = yield* book
      assert.deepStrictEqual(value, { bid: 1386, ask: 1391.75 })
      assert.strictEqual(observedAt.epochMilliseconds, observed)
    }
    const other = () => json({ status: "success", data: { btcngn: { ticker } } })
    assert.strictEqual(yield* quidax.failure(other), "Undecodable")
  })

  it("has the newer host first and the older one after it", () => {
    assert.deepStrictEqual(
      [Quidax.terms.baseUrl, Quidax.terms.olderBaseUrls],
      ["https://openapi.quidax.io/exchange-open-api/api/v1", ["https://app.quidax.io/api/v1"]]
    )
  })

  rule("a clock of theirs that runs ahead does not make the book newer than now", function* () {
    const { book } = yield* quidax.ask(() => quidax.says({ at: NOW / 1000 + 60 }))
    assert.strictEqual((yield* book).observedAt.epochMilliseconds, NOW)
    const ahead = yield* quidax.ask(() => quidax.says({ at: NOW / 1000 + 61 }))
    assert.match(String(yield* Effect.flip(ahead.book)), /a time ahead of this machine's clock/)
  })

  rule("bad ticks in high and low, and anything else unread, harm nothing", function* () {
    const { book } = yield* quidax.ask(() => quidax.says(sides({ high: "NaN", low: null, vol: {}, last: "" })))
    assert.deepStrictEqual((yield* book).value, { bid: 1386, ask: 1391.75 })
  })

  rule("a refusal with status 200 is a failure with its code; a status that is no code is not passed on", function* () {
    const { book } = yield* quidax.ask(() => json({ status: "444", message: "throttled" }))
    assert.strictEqual((yield* Effect.flip(book)).message, "Quidax refused with its code 444")
    assert.strictEqual(yield* quidax.failure(() => json({ status: "<b>call me</b>", message: "" })), "Undecodable")
  })
})
