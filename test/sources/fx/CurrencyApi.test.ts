import { assert } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { isoCurrencies } from "../../../src/domain/Fiat.ts"
import { quotedFiats } from "../../../src/domain/QuotedFiat.ts"
import { CurrencyApi } from "../../../src/sources/fx/CurrencyApi.ts"
import usd from "../fixtures/currency-api-usd.json" with { type: "json" }
import { json, type ScriptedAnswer, whileTimePasses, scriptedSource } from "../ScriptedUpstream.ts"
import { rule } from "../../rulesOf.ts"

const missing: ScriptedAnswer = { status: 404, body: "Couldn't find the requested release version or file." }

const pathOf = (version: string) => `/currency-api@${version}/v1/currencies/usd.min.json`

const source = scriptedSource({ source: CurrencyApi, setting: "CURRENCY_API_BASE_URL", at: "2026-09-30T02:00:00Z" })

const packaged = readFileSync(
  createRequire(import.meta.url).resolve("@fawazahmed0/currency-api/v1/currencies/usd.min.json"),
  "utf8"
)

rule("takes the currencies in use, in upper case, all of the day that the body names", function* () {
  const currencyApi = yield* source(() => json(usd))
  const snapshot = yield* currencyApi.fx.get
  assert.deepStrictEqual(snapshot.value.rates, {
    AED: 3.6725,
    CAD: 1.41883839,
    EUR: 0.88022588,
    GBP: 0.75538854,
    INR: 96.08534228,
    JPY: 157.47729333,
    NGN: 1326.1643995,
    USD: 1,
    ZAR: 16.44012275
  })
  assert.deepStrictEqual(Object.keys(snapshot.value.observed), Object.keys(snapshot.value.rates))
  assert.deepStrictEqual(new Set(Object.values(snapshot.value.observed)), new Set(["2026-09-29"]))
  assert.strictEqual(snapshot.source, "currency-api")
  assert.strictEqual(DateTime.formatIso(snapshot.observedAt), "2026-09-29T00:00:00.000Z")
})

rule("asks for today's version and steps back a day while there is none", function* () {
  const currencyApi = yield* source(({ url }) => (url === pathOf("2026-09-29") ? json(usd) : missing))
  yield* currencyApi.fx.get
  assert.deepStrictEqual(currencyApi.urls(), [pathOf("2026-09-30"), pathOf("2026-09-29")])
})

rule("steps back over the turn of a month and a year, three days at most, then asks for the latest", function* () {
  const old = { ...usd, date: "2025-12-25" }
  const currencyApi = yield* source(({ url }) => (url === pathOf("latest") ? json(old) : missing), {
    now: "2026-01-02T23:59:59Z"
  })
  const snapshot = yield* currencyApi.fx.get
  assert.deepStrictEqual(
    currencyApi.urls(),
    ["2026-01-02", "2026-01-01", "2025-12-31", "2025-12-30", "latest"].map(pathOf)
  )
  assert.strictEqual(snapshot.value.observed["EUR"], "2025-12-25")
  assert.strictEqual(DateTime.formatIso(snapshot.observedAt), "2025-12-25T00:00:00.000Z")
})

rule("says so when even the latest is missing, and is asked again at the next call", function* () {
  const currencyApi = yield* source(() => missing)
  const failure = yield* Effect.flip(currencyApi.fx.get)
  assert.strictEqual(failure.message, "currency-api answered with HTTP status 404: it has nothing at that address")
  assert.strictEqual(currencyApi.urls().length, 5)
})

rule("does not step back for any other failure", function* () {
  for (const status of [403, 429, 503]) {
    const currencyApi = yield* source(() => ({ status, body: "" }))
    yield* whileTimePasses(Effect.flip(currencyApi.fx.get))
    assert.deepStrictEqual(new Set(currencyApi.urls()), new Set([pathOf("2026-09-30")]))
  }
})

rule("believes the body's own day, not the one that was asked for", function* () {
  const currencyApi = yield* source(() => json({ ...usd, date: "2026-09-24" }))
  assert.strictEqual((yield* currencyApi.fx.get).value.observed["NGN"], "2026-09-24")
})

rule("refuses a body whose day is none, or beyond tomorrow", function* () {
  for (const date of ["29/09/2026", "2026-9-29", "2026-13-29", "latest", "", 20260929, null]) {
    const currencyApi = yield* source(() => json({ ...usd, date }))
    assert.strictEqual((yield* Effect.flip(currencyApi.fx.get)).reason._tag, "Undecodable")
  }
  const currencyApi = yield* source(() => json({ ...usd, date: "2026-10-02" }))
  assert.strictEqual((yield* Effect.flip(currencyApi.fx.get)).reason._tag, "Unusable")
})

rule("a day ahead is stamped with now", function* () {
  const currencyApi = yield* source(() => json({ ...usd, date: "2026-10-01" }))
  assert.strictEqual(DateTime.formatIso((yield* currencyApi.fx.get).observedAt), "2026-09-30T02:00:00.000Z")
})

rule("leaves out values that are no rates, and the dollar stays 1", function* () {
  const wrong = { kes: null, ghs: "11.6", egp: 0, cny: -6.7, usd: 1.1 }
  const currencyApi = yield* source(() => json({ ...usd, usd: { ...usd.usd, ...wrong } }))
  const { rates } = (yield* currencyApi.fx.get).value
  assert.deepStrictEqual(
    ["KES", "GHS", "EGP", "CNY"].filter((code) => code in rates),
    []
  )
  assert.strictEqual(rates["USD"], 1)
})

rule("is unusable with less than half of the nine currencies we quote in", function* () {
  const currencyApi = yield* source(() => json({ date: usd.date, usd: { usd: 1, eur: 0.88, gbp: 0.75, btc: 1e-5 } }))
  assert.strictEqual((yield* Effect.flip(currencyApi.fx.get)).reason._tag, "Unusable")
})

rule(
  "leaves out rates of the past that are many-fold off those of the day beside, at first off the release's",
  function* () {
    const days: Readonly<Record<string, object>> = {
      "2026-09-29": { ...usd.usd, eur: 880, kes: 130 },
      "2026-09-28": { ...usd.usd, kes: 13_000 },
      "2026-09-27": { ...usd.usd, kes: 1300 }
    }
    const currencyApi = yield* source(({ url }) => {
      const day = Object.keys(days).find((one) => url === pathOf(one)) ?? ""
      return json({ date: day, usd: days[day] })
    })
    const ratesOf = (day: string) =>
      Effect.map(currencyApi.day(day, "backfill"), ({ value }) =>
        ["EUR", "KES"].map((code) => value.find((one) => one.code === code)?.rate)
      )
    assert.deepStrictEqual(yield* ratesOf("2026-09-29"), [undefined, 130])
    assert.deepStrictEqual(yield* ratesOf("2026-09-28"), [0.88022588, undefined])
    assert.deepStrictEqual(yield* ratesOf("2026-09-27"), [0.88022588, 1300])
  }
)

rule("reads the whole package of a real day: all nine fiats, of that day, and current currencies only", function* () {
  const currencyApi = yield* source(({ url }) =>
    url === pathOf("2026-09-29") ? { status: 200, body: packaged } : missing
  )
  const { value } = yield* currencyApi.fx.get
  assert.deepStrictEqual(
    quotedFiats.filter((fiat) => !(fiat in value.rates)),
    []
  )
  assert.strictEqual(value.rates["NGN"], 1326.1643995)
  assert.deepStrictEqual(new Set(Object.values(value.observed)), new Set(["2026-09-29"]))
  assert.deepStrictEqual(
    Object.keys(value.rates).filter((code) => !isoCurrencies.has(code)),
    []
  )
  assert.isAbove(Object.keys(value.rates).length, 140)
})
