import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { Quidax } from "../../../src/sources/p2p/Quidax.ts"
import recorded from "../fixtures/quidax-ticker.json" with { type: "json" }
import {
  bookIn,
  hasRecordings,
  json,
  overHttp,
  recording,
  type ScriptedAnswer,
  scriptedUpstream
} from "../ScriptedUpstream.ts"

const NOW = Date.UTC(2026, 5, 12, 1, 49)

const ask = Effect.fnUntraced(function* (answer: ScriptedAnswer, fiat?: "NGN" | "GHS") {
  yield* TestClock.setTime(NOW)
  const upstream = yield* scriptedUpstream(() => answer)
  const read = Effect.flatMap(Quidax, ({ order_book }) => bookIn(order_book, fiat))
  const layer = overHttp(Quidax.layerNoDeps, { QUIDAX_BASE_URL: upstream.url })
  return { book: Effect.provide(read, layer), requests: upstream.requests }
})

const failure = (answer: ScriptedAnswer) =>
  Effect.flatMap(ask(answer), ({ book }) => Effect.flip(book)).pipe(
    Effect.map((error) => ("reason" in error ? error.reason._tag : error._tag))
  )

const ticker = (fields: Readonly<Record<string, unknown>>) => ({
  ...recorded,
  data: { ...recorded.data, ticker: { ...recorded.data.ticker, ...fields } }
})

describe("Quidax", () => {
  it.effect("a customer buys at its sell and sells at its buy, as of its own second", () =>
    Effect.gen(function* () {
      const { book, requests } = yield* ask(json(recorded))
      const { observedAt, retrievedAt, source, value } = yield* book
      assert.deepStrictEqual(value, { bid: 1386, ask: 1391.75 })
      assert.strictEqual(source, "Quidax")
      assert.strictEqual(DateTime.formatIso(observedAt), "2026-06-12T01:48:11.000Z")
      assert.strictEqual(retrievedAt.epochMilliseconds, NOW)
      assert.deepStrictEqual(
        requests().map(({ method, url }) => `${method} ${url}`),
        ["GET /markets/tickers/usdtngn"]
      )
    })
  )

  it.effect("has a book for each market in which it takes part", () =>
    Effect.gen(function* () {
      const cedi = { ...recorded, data: { ...recorded.data, market: "usdtghs" } }
      const { book, requests } = yield* ask(json(cedi), "GHS")
      assert.deepStrictEqual((yield* book).value, { bid: 1386, ask: 1391.75 })
      assert.deepStrictEqual(
        requests().map(({ url }) => url),
        ["/markets/tickers/usdtghs"]
      )
    })
  )

  it.effect("the newer host's form, the ticker by its market, is read too; without a time it is as of now", () =>
    Effect.gen(function* () {
      const { at, ticker } = recorded.data
      const said = [
        [{ usdtngn: { ticker } }, NOW],
        [{ usdtngn: { at, ticker: { ...ticker, buy: 1386, sell: 1391.75 } } }, at * 1000]
      ] as const
      for (const [data, observed] of said) {
        const { book } = yield* ask(json({ status: "success", data }))
        const { observedAt, value } = yield* book
        assert.deepStrictEqual(value, { bid: 1386, ask: 1391.75 })
        assert.strictEqual(observedAt.epochMilliseconds, observed)
      }
      assert.strictEqual(yield* failure(json({ status: "success", data: { btcngn: { ticker } } })), "Undecodable")
    })
  )

  it("has the newer host first and the older one after it", () => {
    assert.deepStrictEqual(
      [Quidax.terms.baseUrl, Quidax.terms.olderBaseUrls],
      ["https://openapi.quidax.io/exchange-open-api/api/v1", ["https://app.quidax.io/api/v1"]]
    )
  })

  it.effect("a clock of theirs that runs ahead does not make the book newer than now", () =>
    Effect.gen(function* () {
      const stamped = (at: number) => ask(json({ ...recorded, data: { ...recorded.data, at } }))
      const { book } = yield* stamped(NOW / 1000 + 60)
      assert.strictEqual((yield* book).observedAt.epochMilliseconds, NOW)
      const ahead = yield* stamped(NOW / 1000 + 61)
      assert.match(String(yield* Effect.flip(ahead.book)), /a time in the future/)
    })
  )

  it.effect("bad ticks in high and low, and anything else unread, harm nothing", () =>
    Effect.gen(function* () {
      const { book } = yield* ask(json(ticker({ high: "NaN", low: null, vol: {}, last: "" })))
      assert.deepStrictEqual((yield* book).value, { bid: 1386, ask: 1391.75 })
    })
  )

  it.effect("a refusal with status 200 is a failure with its code", () =>
    Effect.gen(function* () {
      const { book } = yield* ask(json({ status: "444", message: "throttled" }))
      const error = yield* Effect.flip(book)
      assert.strictEqual(error.message, "Quidax refused with its code 444")
    })
  )

  it.effect("a status that is no code is not passed on", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* failure(json({ status: "<b>call me</b>", message: "" })), "Undecodable")
    })
  )

  it.effect("another market, or a time that is none, is not believed", () =>
    Effect.gen(function* () {
      for (const data of [{ market: "btcngn" }, { at: null }, { at: 1e15 }, { at: -1 }]) {
        const answer = json({ ...recorded, data: { ...recorded.data, ...data } })
        assert.strictEqual(yield* failure(answer), "Undecodable", JSON.stringify(data))
      }
    })
  )

  it.effect("a book with an empty side gives nothing, never a 0", () =>
    Effect.gen(function* () {
      for (const fields of [{ buy: "0.0" }, { sell: "" }, { sell: null }, { buy: "-1386" }]) {
        assert.strictEqual(yield* failure(json(ticker(fields))), "Unusable", JSON.stringify(fields))
      }
      assert.strictEqual(yield* failure(json(ticker({ buy: "1e999" }))), "Undecodable")
      assert.strictEqual(yield* failure(json(ticker({ sell: "1,391.75" }))), "Undecodable")
    })
  )

  // Runs where the shared samples lie beside the repository.
  it.effect.skipIf(!hasRecordings)("reads the answer recorded in June 2026", () =>
    Effect.gen(function* () {
      const { book } = yield* ask({ status: 200, body: recording("quidax/ticker-usdtngn.json") })
      assert.deepStrictEqual((yield* book).value, { bid: 1386, ask: 1391.75 })
    })
  )
})
