import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { Luno } from "../../../src/sources/p2p/Luno.ts"
import recorded from "../fixtures/luno-ticker.json" with { type: "json" }
import {
  bookIn,
  hasRecordings,
  json,
  overHttp,
  recording,
  type ScriptedAnswer,
  scriptedUpstream
} from "../ScriptedUpstream.ts"

const NOW = Date.UTC(2026, 5, 13, 17, 53)

const ask = Effect.fnUntraced(function* (answer: ScriptedAnswer, fiat?: "NGN" | "ZAR") {
  yield* TestClock.setTime(NOW)
  const upstream = yield* scriptedUpstream(() => answer)
  const read = Effect.flatMap(Luno, ({ order_book }) => bookIn(order_book, fiat))
  const layer = overHttp(Luno.layerNoDeps, { LUNO_BASE_URL: upstream.url })
  return { book: Effect.provide(read, layer), requests: upstream.requests }
})

const failure = (fields: Readonly<Record<string, unknown>>) =>
  Effect.flatMap(ask(json({ ...recorded, ...fields })), ({ book }) => Effect.flip(book)).pipe(
    Effect.map((error) => ("reason" in error ? error.reason._tag : error._tag))
  )

describe("Luno", () => {
  it.effect("gives the top of the book as of its own millisecond", () =>
    Effect.gen(function* () {
      const { book, requests } = yield* ask(json(recorded))
      const { observedAt, retrievedAt, source, value } = yield* book
      assert.deepStrictEqual(value, { bid: 1382.7796, ask: 1385.6695 })
      assert.strictEqual(source, "Luno")
      assert.strictEqual(DateTime.formatIso(observedAt), "2026-06-13T17:52:18.363Z")
      assert.strictEqual(retrievedAt.epochMilliseconds, NOW)
      assert.deepStrictEqual(
        requests().map(({ method, url }) => `${method} ${url}`),
        ["GET /api/1/ticker?pair=USDTNGN"]
      )
    })
  )

  it.effect("has a book for each market in which it takes part", () =>
    Effect.gen(function* () {
      const { book, requests } = yield* ask(json({ ...recorded, pair: "USDTZAR", bid: "16.4", ask: "16.5" }), "ZAR")
      assert.deepStrictEqual((yield* book).value, { bid: 16.4, ask: 16.5 })
      assert.deepStrictEqual(
        requests().map(({ url }) => url),
        ["/api/1/ticker?pair=USDTZAR"]
      )
    })
  )

  it.effect("a market that nobody can take prices in gives none", () =>
    Effect.gen(function* () {
      for (const status of ["POSTONLY", "DISABLED", "UNKNOWN"]) {
        assert.strictEqual(yield* failure({ status }), "Unusable", status)
      }
    })
  )

  it.effect("a book with an empty side gives nothing, never a 0", () =>
    Effect.gen(function* () {
      for (const fields of [{ bid: "0.00" }, { ask: "" }, { ask: null }]) {
        assert.strictEqual(yield* failure(fields), "Unusable", JSON.stringify(fields))
      }
    })
  )

  it.effect("another pair, or a time that is none, is not believed", () =>
    Effect.gen(function* () {
      for (const fields of [{ pair: "XBTNGN" }, { timestamp: "now" }, { timestamp: 1e17 }, { bid: "1 382" }]) {
        assert.strictEqual(yield* failure(fields), "Undecodable", JSON.stringify(fields))
      }
    })
  )

  // Runs where the shared samples lie beside the repository.
  it.effect.skipIf(!hasRecordings)("reads the answer recorded in June 2026", () =>
    Effect.gen(function* () {
      const { book } = yield* ask({ status: 200, body: recording("luno/ticker-USDTNGN.json") })
      assert.deepStrictEqual((yield* book).value, { bid: 1382.7796, ask: 1385.6695 })
    })
  )
})
