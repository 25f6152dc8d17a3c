// The questions that Frankfurter's own tests ask of the paths that are served here, versions 1 and 2 (its `spec/versions/v1_spec.rb`,
// `spec/versions/v1/query_spec.rb`, `spec/versions/v2_spec.rb` and `spec/edge_cases_spec.rb`), over the sandbox. Not served, and so not
// asked: `/currencies`, `/providers`, `/currency/{code}`, CSV and NDJSON; version 1 over a range.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { FRANKFURTER_BASE } from "../../../src/api/compat/FrankfurterDialect.ts"
import { FrankfurterApi } from "../../../src/api/compat/FrankfurterApi.ts"
import { OpenApi } from "effect/http-api"
import { make } from "../../api/Conformance.ts"
import { get, pass, until, fridayWithPast } from "../../RunningService.ts"
import { answerAt } from "../support.ts"
import { rulesIn } from "../../rulesOf.ts"

const conforms = make(JSON.parse(JSON.stringify(OpenApi.fromApi(FrankfurterApi))))

const json = Effect.fnUntraced(function* (path: string, status = 200) {
  const answer = yield* answerAt(`${FRANKFURTER_BASE}${path}`, status)
  conforms(`${FRANKFURTER_BASE}${path}`, answer)
  return JSON.parse(answer.text)
})

interface Row {
  readonly date: string
  readonly base: string
  readonly quote: string
  readonly rate: number
}

const keyOf = ({ date, quote }: Row) => `${date} ${quote}`

/** Waits for the past of the fiats, which the service fetches by itself. */
const withPast = Effect.gen(function* () {
  yield* pass("20 seconds")
  const isThere = Effect.map(
    get("/v1/fx/history?quotes=EUR,GBP&from=2026-08-25"),
    ({ text }) => JSON.parse(text).data?.points.length > 55
  )
  yield* until(isThere)
})

rulesIn(fridayWithPast)("Frankfurter's questions", (rule) => {
  rule("version 1: latest, base, amount, symbols, and their older names", function* () {
    yield* withPast
    const latest = yield* json("/v1/latest")
    assert.deepStrictEqual([latest.amount, latest.base], [1, "EUR"])
    assert.notProperty(latest.rates, "EUR")
    assert.deepStrictEqual(Object.keys(latest.rates), Object.keys(latest.rates).toSorted())
    const dollars = yield* json("/v1/latest?from=USD")
    assert.notDeepEqual(dollars, latest)
    assert.notProperty(dollars.rates, "USD")
    assert.deepStrictEqual(dollars, yield* json("/v1/latest?base=usd"))
    assert.isAbove((yield* json("/v1/latest?amount=10")).rates.USD, 10)
    assert.isAbove((yield* json("/v1/latest?from=GBP&to=USD&amount=100")).rates.USD, 100)
    assert.deepStrictEqual(Object.keys((yield* json("/v1/latest?to=USD")).rates), ["USD"])
    assert.deepStrictEqual(Object.keys((yield* json("/v1/latest?symbols=usd,gbp,XYZ")).rates), ["GBP", "USD"])
  })

  rule("version 1: a day, a Sunday, tomorrow, a day before the first", function* () {
    const day = yield* json("/v1/2026-11-04?base=USD&symbols=EUR,GBP")
    assert.strictEqual(day.date, "2026-11-04")
    assert.isAbove(day.rates.EUR, 0)
    const sunday = yield* json("/v1/2026-11-08?base=USD&symbols=EUR")
    assert.strictEqual(sunday.date, "2026-11-06")
    assert.deepStrictEqual((yield* json("/v1/2026-11-21?base=USD")).rates, (yield* json("/v1/latest?base=USD")).rates)
    assert.deepStrictEqual(yield* json("/v1/1999-01-01", 404), { status: 404, message: "not found" })
  })

  rule("version 1: a range by day, as its days by themselves; currencies; both without a version too", function* () {
    const range = yield* json("/v1/2026-11-04..2026-11-09?base=USD&symbols=EUR,GBP&amount=2")
    assert.deepStrictEqual(
      [range.amount, range.base, range.start_date, range.end_date, Object.keys(range.rates)],
      [2, "USD", "2026-11-04", "2026-11-09", ["2026-11-04", "2026-11-05", "2026-11-06", "2026-11-09"]]
    )
    const day = yield* json("/v1/2026-11-05?base=USD&symbols=EUR,GBP&amount=2")
    assert.deepStrictEqual(range.rates["2026-11-05"], day.rates)
    assert.strictEqual((yield* json("/v1/2026-11-10..?symbols=USD")).start_date, "2026-11-10")
    assert.include((yield* json("/v1/2026-11-04..2026-11-09", 422)).message, "symbols")
    assert.include((yield* json("/v1/2026-11-31..", 422)).message, "invalid date")
    const names = yield* json("/v1/currencies")
    assert.strictEqual(names.KES, "Kenyan Shilling")
    const [first] = yield* json("/v2/currencies")
    assert.strictEqual(first.name, names[first.iso_code])
    for (const path of ["/latest?from=USD", "/2026-11-05", "/2026-11-04..2026-11-09?to=USD", "/currencies"]) {
      assert.deepStrictEqual(yield* json(path), yield* json(`/v1${path}`), path)
    }
    yield* json("/v3", 404)
  })

  rule("a range that begins on a weekend begins with the Friday before, in both versions", function* () {
    const friday = "2026-11-06"
    for (const range of ["2026-11-07..2026-11-08", "2026-11-08..2026-11-08", "2026-11-07.."]) {
      const found = yield* json(`/v1/${range}?base=USD&symbols=EUR`)
      assert.deepStrictEqual([found.start_date, Object.keys(found.rates)[0]], [friday, friday], range)
    }
    const rows: ReadonlyArray<Row> = yield* json("/v2/rates?base=USD&quotes=EUR,GBP&from=2026-11-07&to=2026-11-08")
    assert.deepStrictEqual(rows.map(keyOf), [`${friday} EUR`, `${friday} GBP`])
    assert.deepStrictEqual(rows, yield* json("/v2/rates?base=USD&quotes=EUR,GBP&date=2026-11-07"))
    const whole = yield* json("/v1/2026-11-06..2026-11-09?base=USD&symbols=EUR")
    assert.deepStrictEqual(Object.keys(whole.rates), [friday, "2026-11-09"])
  })

  rule("version 1: what it refuses", function* () {
    for (const path of [
      "/v1/2010-31-01",
      "/v1/2014-01-32",
      "/v1/latest?amount=0&from=USD&to=EUR",
      "/v1/latest?amount=-1",
      "/v1/latest?from=EUR&to=EUR",
      "/v1/latest?from=USD&to=USD"
    ]) {
      const refused = yield* json(path, 422)
      assert.match(refused.message, /^invalid /, path)
    }
    for (const path of ["/v1/latest?base=XYZ", "/v1/latest?symbols=XYZ"]) {
      assert.strictEqual((yield* json(path, 404)).message, "not found")
    }
  })

  rule("version 2: rates now, of a day, of a Sunday, rebased, filtered, with the identity of the base", function* () {
    const rows: ReadonlyArray<Row> = yield* json("/v2/rates")
    assert.strictEqual(rows[0]?.base, "EUR")
    const quotes = rows.map(({ quote }) => quote)
    assert.deepStrictEqual(quotes, [...new Set(quotes)].toSorted())
    assert.strictEqual(rows.find(({ quote }) => quote === "EUR")?.rate, 1)
    const day: ReadonlyArray<Row> = yield* json("/v2/rates?date=2026-11-04&quotes=GBP,USD")
    assert.deepStrictEqual(day.map(keyOf), ["2026-11-04 GBP", "2026-11-04 USD"])
    const [sunday]: ReadonlyArray<Row> = yield* json("/v2/rates?date=2026-11-08&quotes=USD")
    assert.strictEqual(sunday?.date, "2026-11-06")
    const dollars: ReadonlyArray<Row> = yield* json("/v2/rates?base=USD")
    assert.strictEqual(dollars[0]?.base, "USD")
    assert.deepStrictEqual(yield* json("/v2/rates?date=1901-01-01"), [])
  })

  rule("version 2: a range, by date and then quote, none twice; as the days are asked for by themselves", function* () {
    const rows: ReadonlyArray<Row> = yield* json("/v2/rates?from=2026-09-01&to=2026-10-30&quotes=USD,GBP,EUR&base=EUR")
    const keys = rows.map(keyOf)
    assert.deepStrictEqual(keys, [...new Set(keys)].toSorted())
    assert.isAbove(new Set(rows.map(({ date }) => date)).size, 30)
    assert.deepStrictEqual([...new Set(rows.filter(({ quote }) => quote === "EUR").map(({ rate }) => rate))], [1])
    for (const row of rows.filter(({ quote }) => quote === "GBP").slice(0, 8)) {
      assert.deepStrictEqual(yield* json(`/v2/rate/EUR/GBP?date=${row.date}`), row)
      const own = JSON.parse((yield* get(`/v1/convert?from=EUR&to=GBP&at=${row.date}`)).text)
      assert.strictEqual(row.rate, own.data.rate, row.date)
    }
  })

  rule("version 2: one pair, in any case, now and on a day; a currency against itself", function* () {
    const pair = yield* json("/v2/rate/EUR/USD")
    assert.deepStrictEqual([pair.base, pair.quote], ["EUR", "USD"])
    assert.deepStrictEqual(yield* json("/v2/rate/eur/usd"), pair)
    assert.strictEqual((yield* json("/v2/rate/EUR/USD?date=2026-11-04")).date, "2026-11-04")
    const own = yield* json("/v2/rate/USD/USD")
    assert.deepStrictEqual([own.base, own.quote, own.rate], ["USD", "USD", 1])
    assert.isDefined(own.date)
  })

  rule("version 2: what it refuses, in its own words where it has some", function* () {
    const cases: ReadonlyArray<readonly [path: string, message: RegExp]> = [
      ["/v2/rates?quotes=XXZ", /^invalid currency: XXZ$/],
      ["/v2/rate/EUR/XYZ", /^invalid currency: XYZ$/],
      ["/v2/rates?date=2026-11-04&from=2026-11-01", /conflicting params/],
      ["/v2/rates?date=not-a-date", /^invalid date/],
      ["/v2/rates?from=2026-09-01&group=week&quotes=USD", /^invalid group/],
      ["/v2/rates?providers=ecb", /^invalid providers/],
      ["/v2/rates?expand=providers", /^invalid expand/],
      ["/v2/rates?from=2026-09-01", /^invalid quotes/],
      ["/v2/rates?from=2026-11-04&to=2026-11-01&quotes=USD", /^invalid from/]
    ]
    for (const [path, message] of cases) {
      const refused = yield* json(path, 422)
      assert.strictEqual(refused.status, 422)
      assert.match(refused.message, message, path)
    }
    const unknown = yield* get(`${FRANKFURTER_BASE}/foo`)
    assert.deepStrictEqual([unknown.status, JSON.parse(unknown.text)], [404, { status: 404, message: "not found" }])
  })
})
