// One official naira rate: every answer that shows one has the same figure, of the same source, for the same day.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { BTCPAY_BASE } from "../../../src/api/compat/BtcPayApi.ts"
import { FRANKFURTER_BASE } from "../../../src/api/compat/FrankfurterDialect.ts"
import { YADIO_BASE } from "../../../src/api/compat/YadioApi.ts"
import type { It } from "../../api/endpoints.ts"
import { get, until, untilAnswered } from "../../RunningService.ts"
import { rulesOf } from "../../rulesOf.ts"

/** What an answer shows: the rate, and the day and the source where it has them. */
type Shown = ReadonlyArray<unknown>

type Json = ReturnType<typeof JSON.parse>

const shown: Readonly<Record<string, (body: Json) => Shown>> = {
  "/v1/naira": ({ data }) => [data.official, data.official_date, data.official_source],
  "/v1/p2p/ngn": ({ data }) => [data.official, data.official_date, data.official_source],
  "/v1/p2p": ({ data }) => [data.markets[0].official, data.markets[0].official_date],
  "/v1/fx": ({ data }) => [data.rates.NGN, data.observed.NGN],
  "/v1/convert?from=USD&to=NGN&basis=official": ({ data, meta }) => [
    data.rate,
    data.legs[0].updated.slice(0, 10),
    meta.source
  ],
  [`${FRANKFURTER_BASE}/v1/latest?base=USD&symbols=NGN`]: (body) => [body.rates.NGN, body.date],
  [`${FRANKFURTER_BASE}/v2/rate/usd/ngn`]: (body) => [body.rate, body.date],
  [`${FRANKFURTER_BASE}/v2/rates?base=USD&quotes=NGN`]: ([body]) => [body.rate, body.date],
  [`${YADIO_BASE}/official/rate/NGN`]: (body) => [body.rate],
  [`${BTCPAY_BASE}/official/api/rates?currencyPairs=USD_NGN`]: ([body]) => [body.rate]
}

/** Everything that shows the rate, at a moment of the past where `at` names one. */
const agree = Effect.fnUntraced(function* (at?: string) {
  const seen: Array<readonly [path: string, Shown]> = []
  for (const [path, read] of Object.entries(shown)) {
    if (at !== undefined && (path.startsWith("/compat") || path === "/v1/p2p")) continue
    const answer = yield* get(at === undefined ? path : `${path}${path.includes("?") ? "&" : "?"}at=${at}`)
    assert.strictEqual(answer.status, 200, path)
    seen.push([path, read(JSON.parse(answer.text))])
  }
  const csv = `/v1/fx?format=csv${at === undefined ? "" : `&at=${at}`}`
  const row = (yield* get(csv)).text.split("\r\n").find((line) => line.startsWith("USD,NGN,")) ?? ""
  const [, , inRow, ...dateAndSource] = row.split(",")
  seen.push([csv, [Number(inRow), ...dateAndSource.slice(0, 2)]])
  const [rate, date, source] = seen[0]?.[1] ?? []
  assert.isNumber(rate)
  for (const [path, one] of seen) assert.deepStrictEqual(one, [rate, date, source].slice(0, one.length), path)
})

/** Over a service with a record of the past. */
export const officialNaira = (it: It) => {
  it.effect("the official naira rate is one in every answer of now", () => agree())

  const rule = rulesOf(it, Effect.void)

  rule("the official naira rate is one in every answer about a day in the past, and in the histories", function* () {
    const points = (path: string) =>
      Effect.map(get(path), ({ text }): ReadonlyArray<Json> => JSON.parse(text).data.points)
    const range = "from=2026-11-01&to=2026-11-19"
    const [naira, fx] = [`/v1/naira/history?${range}`, `/v1/fx/history?quotes=NGN&${range}`]
    yield* until(Effect.map(points(fx), ({ length }) => length > 10))
    for (const at of ["2026-11-18", "2026-11-12T10:00:00Z", "2026-11-08"]) {
      yield* untilAnswered(`/v1/naira?at=${at}`)
      yield* agree(at)
    }
    const byDay = new Map((yield* points(naira)).map((point) => [point.date, point]))
    for (const { date, rates } of yield* points(fx)) {
      const { official, official_date } = byDay.get(date)
      assert.deepStrictEqual([rates.NGN, date], [official, official_date])
    }
    for (const day of ["2026-11-18", "2026-11-12"]) {
      const { date, rates } = JSON.parse((yield* get(`${FRANKFURTER_BASE}/v1/${day}?base=USD&symbols=NGN`)).text)
      assert.deepStrictEqual([rates.NGN, date], [byDay.get(day).official, byDay.get(day).official_date])
    }
  })
}
