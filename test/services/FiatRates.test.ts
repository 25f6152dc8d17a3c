// ExchangeRates and OfficialRates: rates that are published by the day.
import { assert, describe, it } from "@effect/vitest"
import { Context, DateTime, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import type { FxRates } from "../../src/domain/FxRates.ts"
import type { OfficialRate } from "../../src/domain/OfficialRate.ts"
import { ExchangeRates } from "../../src/services/ExchangeRates.ts"
import { OfficialRates } from "../../src/services/OfficialRates.ts"
import { layerRecord, newestOf } from "../history/layerRecord.ts"
import { told } from "../history/records.ts"
import { Cbn } from "../../src/sources/fx/Cbn.ts"
import { CurrencyApi } from "../../src/sources/fx/CurrencyApi.ts"
import { Frankfurter } from "../../src/sources/fx/Frankfurter.ts"
import { atNoon, scripted } from "./scripted.ts"
import { rulesOf } from "../rulesOf.ts"

const midnight = (day: string) => DateTime.makeUnsafe(`${day}T00:00:00Z`).epochMilliseconds

const setup = Effect.gen(function* () {
  yield* atNoon
  const rates = yield* scripted<FxRates>("Frankfurter", "1 hour")
  const others = yield* scripted<FxRates>("currency-api", "1 hour")
  const nfem = yield* scripted<OfficialRate>("CBN", "30 minutes", undefined, "nfem")
  const all = yield* scripted<OfficialRate>("CBN", "12 hours", undefined, "all_rates")
  const relayed = yield* scripted<OfficialRate>("CBN via Frankfurter", "1 hour")
  // Whichever of the two a test is not about, is well.
  rates.says({ rates: { USD: 1 }, observed: { USD: "2026-11-20" } })
  nfem.says({ rate: 1360, date: "2026-11-18" })
  const start = Effect.gen(function* () {
    const sources = [
      Cbn.layerTest({ nfem: nfem.feed, all_rates: all.feed }),
      Frankfurter.layerTest({ fx: rates.feed, official_rate: relayed.feed }),
      CurrencyApi.layerTest({ fx: others.feed })
    ] as const
    const context = yield* Layer.build(
      ExchangeRates.layerNoDeps.pipe(Layer.provideMerge(OfficialRates.layerNoDeps), Layer.provide([...sources]))
    )
    yield* TestClock.adjust(1)
    const { current: fx, mayHave } = Context.get(context, ExchangeRates)
    return { fx, mayHave, official: Context.get(context, OfficialRates).current }
  })
  return { rates, others, nfem, all, relayed, start }
})

const fx = (day: string, rates: Readonly<Record<string, number>>): FxRates => ({
  rates: { USD: 1, ...rates },
  observed: Object.fromEntries(["USD", ...Object.keys(rates)].map((code) => [code, day]))
})

const rule = rulesOf(it, setup)

describe("fiat rates", () => {
  rule("have the official naira rate, of its own sources alone", function* ({ nfem, others, rates, start }) {
    rates.says(fx("2026-11-19", { EUR: 0.87, NGN: 1400 }))
    others.says(fx("2026-11-19", { EUR: 0.87, NGN: 1390 }))
    nfem.says({ rate: 1441.58, date: "2026-11-18" })
    const { fx: current, official } = yield* start
    const { value } = yield* current
    assert.deepStrictEqual(
      [value.rates["NGN"], value.observed["NGN"], value.sources?.["NGN"]],
      [1441.58, "2026-11-18", "CBN"]
    )
    const published = yield* official
    assert.strictEqual(published._tag === "Published" && published.snapshot.value.rate, 1441.58)
  })

  rule("have no naira without an official rate, whatever a source of fiat rates says", function* (given) {
    given.nfem.fails()
    given.rates.says(fx("2026-11-19", { EUR: 0.87, NGN: 1400 }))
    const { value } = yield* (yield* given.start).fx
    assert.deepStrictEqual(
      [value.rates["EUR"], value.rates["NGN"], value.observed["NGN"]],
      [0.87, undefined, undefined]
    )
  })

  rule("are Frankfurter's, stamped with their day and not with now", function* ({ others, rates, start }) {
    rates.saysAsOf(fx("2026-11-19", { EUR: 0.8739 }), midnight("2026-11-19"))
    others.saysAsOf(fx("2026-11-19", { EUR: 0.87 }), midnight("2026-11-19"))
    const { fx: current } = yield* start
    const answer = yield* current
    assert.deepStrictEqual([answer.source, answer.value.rates["EUR"]], ["Frankfurter + CBN", 0.8739])
    assert.strictEqual(answer.observedAt.epochMilliseconds, midnight("2026-11-19"))
  })

  rule("that a bank published for tomorrow were observed today, whichever source has them", function* (given) {
    const { nfem, others, rates, start } = given
    const tomorrow = fx("2026-11-21", { EUR: 0.8739 })
    rates.says({ ...tomorrow, observed: { ...tomorrow.observed, EUR: "2026-11-20" } })
    others.says(fx("2026-11-21", { EUR: 0.8739, KES: 130 }))
    nfem.says({ rate: 1441.58, date: "2026-11-21" })
    const { fx: current, official } = yield* start
    const { value } = yield* current
    assert.deepStrictEqual(new Set(Object.values(value.observed)), new Set(["2026-11-20"]))
    const published = yield* official
    assert.strictEqual(published._tag === "Published" ? published.snapshot.value.date : "", "2026-11-20")
  })

  rule("are those of the later day", function* ({ others, rates, start }) {
    rates.saysAsOf(fx("2026-11-19", { EUR: 0.8739 }), midnight("2026-11-19"))
    others.saysAsOf(fx("2026-11-20", { EUR: 0.87 }), midnight("2026-11-20"))
    const { fx: current } = yield* start
    assert.strictEqual((yield* current).value.rates["EUR"], 0.87)
  })

  rule("are currency-api's where Frankfurter has none, after 5 h without them", function* ({ others, rates, start }) {
    rates.fails()
    others.saysAsOf(fx("2026-11-20", { EUR: 0.87 }), midnight("2026-11-20"))
    const { fx: current } = yield* start
    assert.strictEqual((yield* current).source, "currency-api + CBN")
    rates.saysAsOf(fx("2026-11-20", { EUR: 0.8739 }), midnight("2026-11-20"))
    yield* TestClock.adjust("75 minutes")
    assert.strictEqual((yield* current).source, "Frankfurter + CBN")
    rates.fails()
    yield* TestClock.adjust("4 hours")
    assert.strictEqual((yield* current).source, "Frankfurter + CBN")
    yield* TestClock.adjust("150 minutes")
    assert.strictEqual((yield* current).source, "currency-api + CBN")
  })

  rule("each is the first source's that is young enough; else it is left out", function* ({ others, rates, start }) {
    const frankfurter = fx("2026-11-20", { EUR: 0.8739, JPY: 157, ZAR: 17 })
    rates.says({ ...frankfurter, observed: { ...frankfurter.observed, JPY: "2026-10-20", ZAR: "2026-10-20" } })
    others.says(fx("2026-11-19", { EUR: 0.9, JPY: 150, KES: 130 }))
    const { fx: current, mayHave } = yield* start
    const { source, value } = yield* current
    assert.deepStrictEqual(value.rates, { USD: 1, EUR: 0.8739, JPY: 150, KES: 130, NGN: 1360 })
    assert.deepStrictEqual(value.observed, {
      USD: "2026-11-20",
      EUR: "2026-11-20",
      JPY: "2026-11-19",
      KES: "2026-11-19",
      NGN: "2026-11-18"
    })
    assert.deepInclude(value.sources, { EUR: "Frankfurter", JPY: "currency-api" })
    assert.strictEqual(source, "Frankfurter + currency-api + CBN")
    assert.deepStrictEqual([yield* mayHave("ZAR"), yield* mayHave("GHS")], [true, false])
  })

  rule("a rate that no source has may still come from one that has not answered", function* ({ others, start }) {
    others.fails()
    const { mayHave } = yield* start
    assert.isTrue(yield* mayHave("GHS"))
  })

  rule(
    "of a source that stands still for longer than a weekend hold back no other",
    function* ({ others, rates, start }) {
      rates.saysAsOf(fx("2026-11-16", { EUR: 0.86 }), midnight("2026-11-16"))
      others.saysAsOf(fx("2026-11-16", { EUR: 0.86 }), midnight("2026-11-16"))
      const { fx: current } = yield* start
      yield* current
      others.saysAsOf(fx("2026-11-21", { EUR: 0.92 }), midnight("2026-11-21"))
      yield* TestClock.adjust("26 hours")
      assert.strictEqual((yield* current).value.rates["EUR"], 0.92)
    }
  )

  rule("are unavailable when the newest day is more than a week ago", function* ({ rates, start }) {
    yield* TestClock.setTime(midnight("2026-11-21") - 3_600_000)
    rates.saysAsOf(fx("2026-11-14", { EUR: 0.8739 }), midnight("2026-11-14"))
    const { fx: current } = yield* start
    yield* current
    yield* TestClock.adjust("2 hours")
    assert.strictEqual((yield* Effect.flip(current))._tag, "Unavailable")
  })
})

describe("the official rate", () => {
  const rate = (date: string, value = 1363.33): readonly [OfficialRate, number] => [
    { rate: value, date },
    midnight(date)
  ]

  rule("is the NFEM average with its day", function* ({ all, nfem, relayed, start }) {
    nfem.saysAsOf(...rate("2026-11-19"))
    all.saysAsOf(...rate("2026-11-19", 1362.83))
    relayed.saysAsOf(...rate("2026-11-19", 1362.83))
    const { official } = yield* start
    const current = yield* official
    assert.deepStrictEqual(current._tag === "Published" && current.snapshot.value, {
      rate: 1363.33,
      date: "2026-11-19"
    })
  })

  rule(
    "is CBN's table where there is no NFEM average, and Frankfurter's copy where there is neither",
    function* ({ all, nfem, relayed, start }) {
      nfem.fails()
      all.saysAsOf(...rate("2026-11-19", 1362.83))
      relayed.saysAsOf(...rate("2026-11-19", 1360))
      const { official } = yield* start
      const table = yield* official
      assert.deepStrictEqual(table._tag === "Published" && [table.snapshot.source, table.snapshot.value.rate], [
        "CBN",
        1362.83
      ])
      all.fails()
      yield* TestClock.adjust("61 hours")
      const copy = yield* official
      assert.strictEqual(copy._tag === "Published" && copy.snapshot.source, "CBN via Frankfurter")
    }
  )

  rule("is missing where no source has one", function* ({ nfem, start }) {
    nfem.fails()
    const { official } = yield* start
    assert.deepStrictEqual(yield* official, { _tag: "Missing", reason: "official_rate_missing" })
  })

  rule("is missing as too old, and not as a number, a week after its day", function* ({ nfem, start }) {
    yield* TestClock.setTime(midnight("2026-11-21") - 3_600_000)
    nfem.saysAsOf(...rate("2026-11-14"))
    const { official } = yield* start
    assert.strictEqual((yield* official)._tag, "Published")
    yield* TestClock.adjust("2 hours")
    assert.deepStrictEqual(yield* official, { _tag: "Missing", reason: "official_rate_too_old" })
    nfem.saysAsOf(...rate("2026-11-20", 1370))
    yield* TestClock.adjust("40 minutes")
    assert.strictEqual((yield* official)._tag, "Published")
  })
})

describe("after a start", () => {
  /** A record with one rate of yesterday. */
  const recorded = (series: string, rate: number) => {
    const day = midnight("2026-11-19")
    const days = new Map([[series, [told(series, "Frankfurter", day, rate)]]])
    return layerRecord({
      newestAt: newestOf((times) =>
        Effect.succeed({ observations: new Map(), hours: new Map(), days: times.has(series) ? days : new Map() })
      )
    })
  }

  rule("a rate is compared with the own record, not with the table of the release", function* ({ rates, start }) {
    rates.says(fx("2026-11-20", { SEK: 9.3 * 1.3, EUR: 0.87 }))
    const { fx: current } = yield* Effect.provide(start, recorded("fx/SEK", 9.3))
    const { value } = yield* current
    assert.deepStrictEqual([value.rates["SEK"], value.rates["EUR"]], [undefined, 0.87])
    rates.says(fx("2026-11-20", { SEK: 9.31, EUR: 0.87 }))
    yield* TestClock.adjust("75 minutes")
    assert.strictEqual((yield* current).value.rates["SEK"], 9.31)
  })

  rule("the official rate is compared with the own record", function* ({ all, nfem, start }) {
    nfem.says({ rate: 1360, date: "2026-11-19" })
    all.says({ rate: 1700, date: "2026-11-19" })
    const { official } = yield* Effect.provide(start, recorded("official", 1700))
    const served = yield* official
    assert.strictEqual(served._tag === "Published" && served.snapshot.value.rate, 1700)
  })
})
