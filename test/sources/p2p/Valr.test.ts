import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { Valr } from "../../../src/sources/p2p/Valr.ts"
import { bookIn, json, overHttp, type ScriptedAnswer, scriptedUpstream } from "../ScriptedUpstream.ts"

const NOW = Date.UTC(2026, 10, 20, 12)

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

const ask = Effect.fnUntraced(function* (answer: ScriptedAnswer) {
  yield* TestClock.setTime(NOW)
  const upstream = yield* scriptedUpstream(() => answer)
  const read = Effect.flatMap(Valr, ({ order_book }) => bookIn(order_book, "ZAR"))
  const layer = overHttp(Valr.layerNoDeps, { VALR_BASE_URL: upstream.url })
  return { book: Effect.provide(read, layer), requests: upstream.requests }
})

const failure = (fields: Readonly<Record<string, unknown>>) =>
  Effect.flatMap(ask(json({ ...summary, ...fields })), ({ book }) => Effect.flip(book)).pipe(
    Effect.map((error) => ("reason" in error ? error.reason._tag : error._tag))
  )

describe("Valr", () => {
  it.effect("gives the top of the book as of its own time, or as of now where it has none", () =>
    Effect.gen(function* () {
      const { book, requests } = yield* ask(json(summary))
      const { observedAt, source, value } = yield* book
      assert.deepStrictEqual(value, { bid: 16.48, ask: 16.52 })
      assert.deepStrictEqual([source, DateTime.formatIso(observedAt)], ["VALR", summary.created])
      assert.deepStrictEqual(
        requests().map(({ method, url }) => `${method} ${url}`),
        ["GET /v1/public/USDTZAR/marketsummary"]
      )
      const { created: _, ...untimed } = summary
      const other = yield* ask(json(untimed))
      assert.strictEqual((yield* other.book).observedAt.epochMilliseconds, NOW)
    })
  )

  it.effect("an empty side gives nothing, another pair or a figure that is none is not believed", () =>
    Effect.gen(function* () {
      for (const fields of [{ bidPrice: "0" }, { askPrice: "" }, { askPrice: null }]) {
        assert.strictEqual(yield* failure(fields), "Unusable", JSON.stringify(fields))
      }
      for (const fields of [{ currencyPair: "BTCZAR" }, { askPrice: "16,5" }, { created: "now" }]) {
        assert.strictEqual(yield* failure(fields), "Undecodable", JSON.stringify(fields))
      }
    })
  )
})
