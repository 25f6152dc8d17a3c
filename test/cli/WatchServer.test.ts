// What `watch` takes from a server's answers: figures, reasons, and when to ask again.
import { assert } from "@effect/vitest"
import { Array, Effect } from "effect"
import { FetchHttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import { conditionOf } from "../../src/cli/WatchConditions.ts"
import { pollerOf } from "../../src/cli/WatchServer.ts"
import { friday } from "../RunningService.ts"
import { rule } from "../rulesOf.ts"
import { answered, coin, problem, row, withoutCoin } from "./watchedServer.ts"

/** Polls for these figures; each request is answered by `answer`. */
const polled = Effect.fnUntraced(function* (
  names: ReadonlyArray<string>,
  answer: (path: string, tag: string | null) => Response | Promise<Response>
) {
  yield* TestClock.setTime(friday)
  const asked: Array<string> = []
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const { pathname, search } = new URL(String(url))
    asked.push(pathname + search)
    assert.strictEqual(init?.redirect, "manual")
    return answer(pathname, new Headers(init?.headers).get("if-none-match"))
  }
  const [conditions] = Array.partition(
    names.map((name) => `${name} > 1`),
    conditionOf
  )
  const poll = yield* pollerOf({ baseUrl: "http://server" }, conditions)
  return { asked, poll: Effect.provideService(poll, FetchHttpClient.Fetch, fetch) }
})

rule("watch asks once for all markets and once for all coins, and then for what has changed", function* () {
  const tags: Array<string | null> = []
  const names = [
    "naira.mid",
    "naira.premium",
    "price.bitcoin.usd",
    "price.bitcoin.ngn",
    "change_24h.bitcoin.usd",
    "price.tether.usd"
  ]
  const { asked, poll } = yield* polled(names, (path, tag) => {
    tags.push(tag)
    if (tag !== null) return new Response(null, { status: 304, headers: { etag: tag } })
    const isMarkets = path === "/v1/p2p"
    const missing = [{ id: "tether", code: "no_price", suggestions: [] }]
    return answered(isMarkets ? { markets: [row] } : { prices: [coin], missing }, {
      etag: isMarkets ? 'W/"a"' : 'W/"b"'
    })
  })
  const { found } = yield* poll
  const figure = (value: number) => ({ value, updated: coin.updated, source: "A + B" })
  assert.deepStrictEqual<unknown>(
    [...found],
    [
      ["naira.mid", { ...figure(1500), confidence: "low" }],
      ["naira.premium", { ...figure(7), confidence: "low" }],
      ["price.bitcoin.usd", figure(70_000)],
      ["price.bitcoin.ngn", { reason: "The server has no price in NGN now." }],
      ["change_24h.bitcoin.usd", figure(-3)],
      ["price.tether.usd", { reason: "The server has no price in USD now." }]
    ]
  )
  assert.deepStrictEqual((yield* poll).found, found)
  assert.deepStrictEqual(tags, [null, null, 'W/"a"', 'W/"b"'])
  assert.deepStrictEqual(
    asked.slice(0, 2).map((path) => decodeURIComponent(path)),
    ["/v1/p2p", "/v1/prices?ids=bitcoin,tether&fiats=USD,NGN"]
  )
})

rule("watch asks again when an answer is no longer fresh, and not before the server allows it", function* () {
  const reset = String(friday / 1000 + 17)
  for (const [seconds, response] of [
    [45, answered({ markets: [row] }, { "cache-control": "public, max-age=45" })],
    [300, answered({ markets: [row] }, { "cache-control": "max-age=86400" })],
    [17, answered({ markets: [row] }, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset })],
    [0, answered({ markets: [row] }, { "x-ratelimit-remaining": "1", "x-ratelimit-reset": reset })],
    [40, problem(429, "rate_limited", { "retry-after": "40" })],
    [3600, problem(503, "source_unavailable", { "retry-after": "99999" })],
    [0, problem(500, "internal", { "retry-after": "soon" })]
  ] as const) {
    const { asked, poll } = yield* polled(["naira.mid"], () => response)
    assert.strictEqual((yield* poll).wait, seconds * 1000)
    assert.lengthOf(asked, 1)
  }
})

rule("what the server does not know, or what is old, is no figure but a reason", function* () {
  const old = { ...row, updated: "2026-11-20T11:00:29.999Z" }
  for (const [name, reason, isUnknown, response] of [
    ["naira.mid", "The server refused: It is so.", undefined, problem(503, "source_unavailable")],
    ["naira.mid", "The server refused: It is so.", true, problem(401, "invalid_api_key")],
    ["naira.mid", "The server did not answer.", undefined, new Response("<html>")],
    ["naira.mid", "The server did not answer.", undefined, Response.redirect("http://elsewhere/v1/p2p")],
    ["naira.mid", "more than an hour old", undefined, answered({ markets: [old] })],
    ["naira.mid", "no figure (too_few)", undefined, answered({ markets: [{ ...row, mid: null, reason: "too_few" }] })],
    ["naira.mid", "no figure", undefined, answered({ markets: [{ ...row, updated: null }] })],
    ["p2p.KES.mid", "no market of KES, only NGN", true, answered({ markets: [row] })],
    ["price.btc.usd", 'No coin has the id "btc". Did you mean bitcoin?', true, withoutCoin("btc")]
  ] as const) {
    const { poll } = yield* polled([name], () => response)
    const one = (yield* poll).found.get(name)
    assert.isTrue(one !== undefined && "reason" in one, reason)
    if (one === undefined || !("reason" in one)) continue
    assert.include(one.reason, reason)
    assert.strictEqual(one.isUnknown, isUnknown, reason)
  }
})
