// Histories before the service's own record, from the sources' own.
import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import type { It } from "../../api/endpoints.ts"
import { get, until } from "../../RunningService.ts"
import { answerAt, jsonAt } from "../support.ts"
import { rulesOf } from "../../rulesOf.ts"

const Cell = Schema.optionalKey(Schema.NullOr(Schema.Finite))

const History = Schema.Struct({
  points: Schema.Array(
    Schema.Struct({
      date: Schema.String,
      source: Schema.String,
      final: Schema.Boolean,
      observed: Schema.String,
      rates: Schema.optionalKey(Schema.Record(Schema.String, Schema.NullOr(Schema.Finite))),
      close: Cell,
      mid: Cell,
      official: Cell,
      kind: Schema.optionalKey(Schema.NullOr(Schema.String))
    })
  ),
  coverage: Schema.Struct({ missing: Schema.Array(Schema.Unknown), from: Schema.NullOr(Schema.String) })
})

const history = (path: string) => Effect.flatMap(jsonAt(path), ({ data }) => Schema.decodeUnknownEffect(History)(data))

/** Over a service with a record of the past. */
export const past = (it: It) => {
  const rule = rulesOf(it, Effect.void)

  rule("a year of a coin is there as soon as it is asked for, without a missing day", function* () {
    const year = "/v1/price/ethereum/usd/history?from=2025-11-20&to=2026-11-19"
    yield* until(Effect.map(history(year), ({ points }) => points.length === 365))
    const { coverage, points } = yield* history(year)
    assert.deepStrictEqual(coverage.missing, [])
    assert.deepStrictEqual([...new Set(points.map(({ source }) => source))], ["CoinGecko (sandbox)"])
    assert.isTrue(points.every(({ close, final }) => final && typeof close === "number"))
  })

  rule("/v1/sources and the metrics have the progress of the backfill", function* () {
    const told = Effect.map(jsonAt("/v1/sources"), ({ data }) => data.backfill)
    const before = yield* told
    assert.isTrue(before.done > 0 && before.done < before.all)
    yield* until(Effect.map(told, ({ done }) => done > before.done))
    const after = yield* told
    const { text } = yield* get("/metrics")
    const metric = (name: string) => Number(new RegExp(`^cda_history_backfill_${name} (\\d+)$`, "m").exec(text)?.[1])
    assert.isAtLeast(metric("done"), before.done)
    assert.deepStrictEqual([metric("pieces"), metric("failing")], [after.all, 0])
  })

  rule("the prices of a day are dated for a ledger as its history does, however old the fiat's rate is", function* () {
    const ofDay = (path: string) => Effect.map(answerAt(`${path}format=hledger`), ({ text }) => text)
    // A Friday, and a weekend.
    for (const day of ["2026-11-13", "2026-11-14", "2026-11-15"]) {
      yield* until(Effect.map(get(`/v1/price/bitcoin/eur?at=${day}`), ({ status }) => status === 200))
      const [usd, eur] = yield* Effect.forEach(["usd", "eur"], (fiat) =>
        ofDay(`/v1/price/bitcoin/${fiat}/history?from=${day}&to=${day}&`)
      )
      assert.match(eur ?? "", new RegExp(`^P ${day} BTC [\\d.]+ EUR\n$`))
      assert.strictEqual(yield* ofDay(`/v1/prices?ids=bitcoin&fiats=usd,eur&at=${day}&`), `${usd}${eur}`)
    }
  })

  rule("prices of /v1/prices may each have a time of their own, and are what /v1/price answers then", function* () {
    const times = ["2026-11-13", "2026-11-14T10:30:00Z", "2026-10-20", "2026-11-14T11:30:00+01:00", "1999-01-01"]
    const items = times.flatMap((time) => ["ethereum", "tether"].map((id) => `${id}@${time}`))
    const asked = ["bitcoin", ...items, "no-such-coin@2026-11-13"]
    const path = `/v1/prices?fiats=usd,ngn,eur&ids=${encodeURIComponent(asked.join(","))}`
    const singles = (id: string, at: string) =>
      Effect.forEach(["usd", "ngn", "eur"], (fiat) =>
        Effect.map(get(`/v1/price/${id}/${fiat}?at=${encodeURIComponent(at)}`), ({ text }) => JSON.parse(text))
      )
    yield* until(Effect.map(singles("ethereum", "2026-10-20"), (all) => all.every(({ data }) => data !== undefined)))
    const { data } = yield* jsonAt(path)
    assert.lengthOf(data.prices, 1 + 6, "one time in two spellings counts once")
    for (const { at, change_24h, confidence, id, kind, method, price, source, updated } of data.prices.slice(1)) {
      const all = yield* singles(id, at)
      const figures = all.map((one) => [one.data?.price ?? null, one.data?.change_24h ?? null])
      const cells = ["USD", "NGN", "EUR"].map((fiat) => [price[fiat], change_24h[fiat]])
      assert.deepStrictEqual(cells, figures, `${id}@${at}`)
      assert.strictEqual(updated, all.flatMap(({ meta }) => meta?.updated ?? []).toSorted()[0])
      assert.include(source, "Quidax (sandbox)")
      assert.deepStrictEqual([kind, confidence, method], ["order_book", null, null])
    }
    assert.deepStrictEqual(
      data.missing.map(({ at, code, id }: Record<string, unknown>) => [id, at, code]),
      [
        ["ethereum", "1999-01-01", "no_data"],
        ["tether", "1999-01-01", "no_data"],
        ["no-such-coin", "2026-11-13", "unknown_coin"]
      ]
    )
    const table = (yield* answerAt(`${path}&format=csv`)).text.split("\r\n")
    assert.include(table[0] ?? "", ",source,at,kind,confidence,method")
    assert.lengthOf(table, 1 + 3 * 10 + 1)
    const ledger = (yield* answerAt(`${path}&format=hledger`)).text
    for (const day of ["2026-11-13", "2026-10-20"]) assert.include(ledger, `P ${day} ETH `)
    for (const wrong of ["2026-02-30", "2100-01-01", "yesterday", "2026-11-13&max_age=9"]) {
      assert.strictEqual((yield* get(`/v1/prices?ids=bitcoin@${wrong}`)).status, 400, wrong)
    }
  })

  rule("a past rate whose confidence was not recorded has none, and fails min_confidence on every path", function* () {
    const at = "at=2026-11-13"
    for (const path of [
      `/v1/naira?${at}`,
      `/v1/p2p/ngn?${at}`,
      `/v1/price/ethereum/usd?${at}`,
      `/v1/price/tether/ngn?${at}`,
      `/v1/prices?ids=ethereum&${at}`,
      "/v1/prices?ids=ethereum@2026-11-13",
      `/v1/convert?from=ethereum&to=eur&${at}`,
      `/v1/convert?from=usd&to=ngn&${at}`
    ]) {
      yield* answerAt(path)
      const { headers, text } = yield* get(`${path}&min_confidence=medium`)
      const { code, confidence, detail } = JSON.parse(text)
      assert.deepStrictEqual([code, confidence, headers["retry-after"]], ["too_uncertain", null, undefined], path)
      assert.match(detail, /^The confidence of the rate is unknown, .* waiting does not help\./)
    }
    assert.isNull((yield* jsonAt(`/v1/naira?${at}`)).data.confidence)
    yield* answerAt(`/v1/convert?from=usd&to=ngn&basis=official&min_confidence=high&${at}`)
  })

  rule("naira days are of an order book, never called P2P, with the official rate", function* () {
    const span = "from=2026-09-01&to=2026-10-31"
    const naira = `/v1/naira/history?${span}`
    yield* until(Effect.map(history(naira), ({ points }) => points.some(({ kind }) => kind === "order_book")))
    const { points } = yield* history(naira)
    assert.isAbove(points.length, 45)
    assert.isTrue(points.every(({ kind, mid }) => kind === (mid === null ? null : "order_book")))
    assert.isTrue(points.every(({ official }) => typeof official === "number"))
    const bitcoin = yield* history(`/v1/price/bitcoin/ngn/history?${span}`)
    assert.isAbove(bitcoin.points.length, 45)
    assert.include(bitcoin.points[0]?.source ?? "", "Quidax (sandbox)")
    const { text } = yield* get("/v1/price/tether/ngn?basis=customer&at=2026-10-20")
    assert.include(text, "Only the middle of the market was recorded")
  })

  rule("changes at a moment have at most 12 digits, as every derived figure", function* () {
    const at = "at=2026-11-12"
    const found: Array<string> = []
    for (const path of [
      ...["usd", "eur", "ngn"].map((fiat) => `/v1/price/ethereum/${fiat}?${at}`),
      `/v1/prices?ids=ethereum,bitcoin&fiats=usd,eur,ngn&${at}`
    ]) {
      const { text } = yield* answerAt(path)
      const [, changes = ""] = /"change_24h":(.*?)(?:"updated"|$)/s.exec(text) ?? []
      found.push(...(changes.match(/-?\d+\.\d+/g) ?? []))
    }
    assert.isAtLeast(found.length, 6)
    for (const change of found) assert.isAtMost(change.replace(/^-?0?\.?0*|\./g, "").length, 12, change)
  })

  rule("fiat days are as published; weekends are missing, or repeat Friday's rate with fill=previous", function* () {
    const euro = "/v1/fx/history?quotes=EUR&from=2026-11-09&to=2026-11-15"
    yield* until(Effect.map(history(euro), ({ points }) => points.length > 0))
    const { coverage, points } = yield* history(euro)
    assert.deepStrictEqual([points.length, points[4]?.date], [5, "2026-11-13"])
    assert.deepStrictEqual(coverage.missing, [{ from: "2026-11-14", to: "2026-11-15" }])
    assert.deepStrictEqual(yield* history(`${euro}&fill=none`), { coverage, points })
    const weekend = points
      .slice(4)
      .flatMap((friday) => ["2026-11-14", "2026-11-15"].map((date) => ({ ...friday, date })))
    assert.deepStrictEqual(yield* history(`${euro}&fill=previous`), { coverage, points: [...points, ...weekend] })
  })
}
