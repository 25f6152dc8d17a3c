import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { Frankfurter } from "../../../src/sources/fx/Frankfurter.ts"
import { SourceLabel } from "../../../src/sources/catalog/SourceRecord.ts"
import official from "../fixtures/frankfurter-official.json" with { type: "json" }
import rates from "../fixtures/frankfurter-rates.json" with { type: "json" }
import refused from "../fixtures/frankfurter-refused.json" with { type: "json" }
import { hasRecordings, json, recording, type ScriptedRequest, scriptedSource } from "../ScriptedUpstream.ts"
import { rule } from "../../rulesOf.ts"

const source = scriptedSource({ source: Frankfurter, setting: "FRANKFURTER_BASE_URL", at: "2026-07-17T18:00:00Z" })

const ratesOf = (rows: ReadonlyArray<unknown>) =>
  Effect.flatMap(
    source(() => json(rows)),
    (frankfurter) => Effect.map(frankfurter.fx.get, (snapshot) => snapshot.value)
  )

const row = (quote: string, rate: unknown, date: unknown = "2026-07-17", base = "USD") => ({ date, base, quote, rate })

const isOfficial = ({ url }: ScriptedRequest) => url.includes("providers=CBN")

describe("Frankfurter rates", () => {
  rule("has every currency against the dollar, each with its own day, and the dollar with the newest", function* () {
    const frankfurter = yield* source(() => json(rates))
    const snapshot = yield* frankfurter.fx.get
    assert.deepStrictEqual(snapshot.value.rates, {
      USD: 1,
      AED: 3.6725,
      CAD: 1.3712,
      EUR: 0.8739,
      GBP: 0.7448,
      INR: 96.02,
      JPY: 158.31,
      NGN: 1365.42,
      NZD: 1.6842,
      VES: 212.46,
      ZAR: 16.51
    })
    const { EUR, NGN, NZD, USD, VES } = snapshot.value.observed
    assert.deepStrictEqual(
      { EUR, NGN, NZD, USD, VES },
      { EUR: "2026-07-17", NGN: "2026-07-16", NZD: "2026-07-18", USD: "2026-07-18", VES: "2026-07-10" }
    )
    assert.strictEqual(snapshot.source, "Frankfurter")
    assert.deepStrictEqual(frankfurter.urls(), ["/v2/rates?base=USD"])
  })

  rule("is never newer than now, though a row may be a day ahead", function* () {
    const frankfurter = yield* source(() => json(rates))
    assert.strictEqual(DateTime.formatIso((yield* frankfurter.fx.get).observedAt), "2026-07-17T18:00:00.000Z")
    const later = yield* source(() => json(rates), { now: "2026-07-20T06:00:00Z" })
    const snapshot = yield* later.fx.get
    assert.strictEqual(DateTime.formatIso(snapshot.observedAt), "2026-07-18T00:00:00.000Z")
  })

  rule("says 1 for the dollar without the identity row too, and whatever that row says", function* () {
    const others = rates.filter(({ quote }) => quote !== "USD")
    assert.strictEqual((yield* ratesOf(others)).rates["USD"], 1)
    assert.strictEqual((yield* ratesOf([...others, row("USD", 1.02, "2026-07-01")])).rates["USD"], 1)
    assert.strictEqual((yield* ratesOf([...others, row("USD", 1, "2026-07-01")])).observed["USD"], "2026-07-18")
  })

  rule("leaves out what is no rate of a currency in use against the dollar", function* () {
    const wrong = [
      row("KES", 0),
      row("KES", -129.6),
      row("KES", "129.6"),
      row("KES", null),
      row("KES", 129.6, "17/07/2026"),
      row("KES", 129.6, "2026-13-01"),
      row("KES", 129.6, null),
      row("KES", 129.6, "2026-07-19"),
      row("KES", 129.6, "2099-01-01"),
      row("KES", 148.1, "2026-07-17", "EUR"),
      row("kes", 129.6),
      row("DEM", 1.72),
      row("BTC", 0.0000121),
      row("__proto__", 1),
      "KES",
      null
    ]
    assert.deepStrictEqual(yield* ratesOf([...wrong, ...rates]), yield* ratesOf(rates))
  })

  rule("takes the newest of several rows for a currency", function* () {
    const value = yield* ratesOf([row("CHF", 0.81, "2026-07-17"), row("CHF", 0.79, "2026-07-15"), ...rates])
    assert.deepStrictEqual([value.rates["CHF"], value.observed["CHF"]], [0.81, "2026-07-17"])
  })

  rule("is unusable with less than half of the nine currencies we quote in", function* () {
    const some = (...codes: ReadonlyArray<string>) => rates.filter(({ quote }) => codes.includes(quote))
    for (const rows of [[], some("USD"), some("USD", "EUR", "GBP", "JPY", "NZD", "VES")]) {
      const frankfurter = yield* source(() => json(rows))
      assert.strictEqual((yield* Effect.flip(frankfurter.fx.get)).reason._tag, "Unusable")
    }
    assert.strictEqual((yield* ratesOf(some("EUR", "GBP", "JPY", "NGN"))).rates["NGN"], 1365.42)
  })

  it.effect.skipIf(!hasRecordings)("reads the recorded answers (skipped where ../shared/samples is missing)", () =>
    Effect.gen(function* () {
      const few = yield* source(() => ({
        status: 200,
        body: recording("frankfurter/v2-rates-USD-EUR-TWD.2026-07-03.json")
      }))
      assert.strictEqual((yield* Effect.flip(few.fx.get)).reason._tag, "Unusable")
      const recorded: ReadonlyArray<unknown> = JSON.parse(recording("frankfurter/v2-rates-USD-EUR-TWD.2026-07-03.json"))
      const value = yield* ratesOf([...rates.filter(({ quote }) => quote !== "EUR"), ...recorded])
      assert.deepStrictEqual([value.rates["EUR"], value.rates["TWD"]], [0.87598, 31.913])
      assert.strictEqual(value.observed["TWD"], "2026-07-03")
      const otherBase = yield* source(() => ({
        status: 200,
        body: recording("frankfurter/v2-rates.openapi-example.json")
      }))
      assert.strictEqual((yield* Effect.flip(otherBase.fx.get)).reason._tag, "Undecodable")
    })
  )
})

describe("Frankfurter official rate", () => {
  rule("asks for the naira from CBN alone and says who said it", function* () {
    const frankfurter = yield* source(() => json(official), { now: "2026-05-22T09:00:00Z" })
    const snapshot = yield* frankfurter.official_rate.get
    assert.deepStrictEqual(snapshot.value, { rate: 1371.8079, date: "2026-05-21", isCentral: true })
    assert.strictEqual(snapshot.source, "CBN via Frankfurter")
    assert.strictEqual(frankfurter.official_rate.source, "CBN via Frankfurter")
    assert.strictEqual(DateTime.formatIso(snapshot.observedAt), "2026-05-21T00:00:00.000Z")
    assert.strictEqual(frankfurter.requests()[0]?.url, "/v2/rates?base=USD&quotes=NGN&providers=CBN")
  })

  rule("keeps the mark of a simulated world in its name", function* () {
    const frankfurter = yield* source(() => json(official), { now: "2026-05-22T09:00:00Z" }).pipe(
      Effect.provideService(SourceLabel, (name) => `${name} (sandbox)`)
    )
    assert.strictEqual((yield* frankfurter.official_rate.get).source, "CBN via Frankfurter (sandbox)")
    assert.strictEqual(frankfurter.fx.source, "Frankfurter (sandbox)")
  })

  rule("is unusable without a credible naira rate", function* () {
    for (const rows of [
      [],
      [row("JPY", 158.31)],
      [row("NGN", 0.0007)],
      [row("NGN", 1.1e7)],
      [row("NGN", 1365, "2026-07-19")]
    ]) {
      const frankfurter = yield* source(() => json(rows))
      assert.strictEqual((yield* Effect.flip(frankfurter.official_rate.get)).reason._tag, "Unusable")
    }
  })

  rule("fails apart from the other rates", function* () {
    const frankfurter = yield* source((request) =>
      isOfficial(request) ? { status: 422, body: JSON.stringify(refused) } : json(rates)
    )
    for (let call = 0; call < 4; call++) yield* Effect.flip(frankfurter.official_rate.get)
    assert.strictEqual((yield* frankfurter.fx.get).value.rates["EUR"], 0.8739)
  })
})
