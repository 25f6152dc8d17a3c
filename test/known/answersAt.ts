// Asks the whole service what it answers at a moment, over scripted upstreams in their own wire formats.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { sourceCatalog } from "../../src/sources/catalog/SourceCatalog.ts"
import { memberOf } from "../faults/Answers.ts"
import { withoutEvidence } from "../RunningService.ts"
import { inTime } from "../SimulatedService.ts"
import { json, type ScriptedAnswer, type ScriptedRequest, scriptedUpstream } from "../sources/ScriptedUpstream.ts"

/** Answers by the beginning of the path, which is the source and then its own path. Every other request is a 503. */
type Script = Readonly<Record<string, ScriptedAnswer | ((request: ScriptedRequest) => ScriptedAnswer)>>

/** What the service answers to these paths at a moment, 5 seconds after its start; the index is the path's. */
export const answersAt = (at: string, script: Script, paths: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const upstream = yield* scriptedUpstream((request) => {
      const match = Object.entries(script).find(([start]) => request.url.startsWith(`/${start}`))
      if (match === undefined) return { status: 503, body: "" }
      return typeof match[1] === "function" ? match[1](request) : match[1]
    })
    const config = {
      ...withoutEvidence,
      COINGECKO_PLAN: "demo",
      ...Object.fromEntries(sourceCatalog.map(({ id }) => [`${id}_BASE_URL`, `${upstream.url}/${id}`]))
    }
    const answers = yield* inTime(
      ({ service, time }) =>
        Effect.andThen(
          time.pass("5 seconds"),
          Effect.forEach(paths, (path) =>
            Effect.map(time.during(service.get(path)), ({ status, text }) => {
              const body: unknown = JSON.parse(text)
              return { status, body, data: memberOf(body, ["data"]), meta: memberOf(body, ["meta"]) }
            })
          )
        ),
      { config, start: new Date(at).getTime() }
    )
    return (index: number) => answers[index] ?? { status: 0, body: {}, data: {}, meta: {} }
  })

/** Whether a figure is as expected, but for rounding. */
export const near = (actual: unknown, expected: number, digits = 1e-9) =>
  assert.closeTo(Number(actual), expected, digits)

/** Bybit answers a request by its side. */
export const bybit =
  (asks: ScriptedAnswer, bids: ScriptedAnswer) =>
  ({ body }: ScriptedRequest): ScriptedAnswer =>
    body.includes('"side":"1"') ? asks : bids

/** Bitget has no ads. */
export const emptyBook: Script = { "BITGET_P2P/": json({ code: "00000", msg: "success", data: { dataList: null } }) }

/** The venue of this name in a naira answer. */
export const venue = (data: unknown, name: string): unknown => {
  const venues = memberOf(data, ["venues"])
  return Array.isArray(venues) ? venues.find((row) => String(memberOf(row, ["venue"])).startsWith(name)) : undefined
}

/** The naira of 12 June 2026: on either side the mean of Quidax and Luno. */
export const assertJune = (data: unknown, official: number) => {
  near(memberOf(data, ["buy"]), (1391.75 + 1385.6695) / 2)
  near(memberOf(data, ["sell"]), (1386 + 1382.7796) / 2)
  near(memberOf(data, ["mid"]), 1386.549775)
  assert.strictEqual(memberOf(data, ["confidence"]), "medium")
  assert.strictEqual(memberOf(data, ["official"]), official)
  assert.strictEqual(memberOf(data, ["official_date"]), "2026-06-11")
  near(memberOf(data, ["premium"]), (1386.549775 / official - 1) * 100, 1e-6)
  assert.deepInclude(venue(data, "Quidax"), { buy: 1391.75, sell: 1386, kind: "order_book", ads_used: null })
  assert.deepInclude(venue(data, "Luno"), { buy: 1385.6695, sell: 1382.7796, kind: "order_book" })
}

/** `/v1/coins`, `/v1/coins/zcash` and `/v1/price/bitcoin/usd` of the evening of 13 September 2026. */
export const assertSeptember = (answer: (index: number) => { readonly data: unknown; readonly meta: unknown }) => {
  const list = memberOf(answer(0).data, ["coins"])
  const rows: ReadonlyArray<unknown> = Array.isArray(list) ? list : []
  const row = (id: string) => rows.find((coin) => memberOf(coin, ["id"]) === id)
  assert.isUndefined(row("figure-heloc"), "fifteen hours old")
  assert.strictEqual(memberOf(row("zcash"), ["rank"]), 9)
  assert.strictEqual(memberOf(answer(1).meta, ["updated"]), memberOf(row("zcash"), ["updated"]))
  assert.deepInclude(answer(2).data, { id: "bitcoin", symbol: "BTC", fiat: "USD", price: 77_301, change_24h: -0.0943 })
  assert.deepInclude(answer(2).meta, { source: "CoinGecko (sandbox)" })
}
