import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { friday, RunningService, withoutEvidence, pass, get } from "../RunningService.ts"
import { Conversion } from "../../src/api/ConversionApi.ts"
import { Price } from "../../src/api/MarketApi.ts"
import { Naira } from "../../src/api/P2pApi.ts"
import { read, refused, written } from "./support.ts"
import cases from "./cases.json" with { type: "json" }
import { rulesIn } from "../rulesOf.ts"

const price = "/v1/price/bitcoin/ngn"
const convert = "/v1/convert?from=bitcoin&to=usd&amount=3"
const aged = [`${price}?`, "/v1/prices?ids=bitcoin,tether&fiats=usd&", `${convert}&`, "/v1/naira?", "/v1/fx?"]
const rated = [`${price}?`, `${convert}&`]

const rateAt = (path: string) =>
  Effect.map(get(path), ({ text }): number => {
    const { data } = JSON.parse(text)
    return data.price ?? data.rate
  })

// Half an hour passes: no more is asked for than these need.
const config = { COINGECKO_PLAN: "demo", P2P_MARKETS: "NGN,KES", ...withoutEvidence }

rulesIn(RunningService.layer({ at: friday, config }))("guards", (rule) => {
  describe("Guards: max_age", () => {
    rule("leaves an answer unchanged that is young enough", function* () {
      for (const path of aged) {
        const plain = yield* get(path)
        const guarded = yield* get(`${path}max_age=1000000`)
        assert.deepStrictEqual([guarded.status, guarded.text], [200, plain.text], path)
        assert.strictEqual(guarded.headers.etag, plain.headers.etag, path)
      }
    })

    rule("refuses an older one with its time and when newer data is expected", function* () {
      yield* pass("3 seconds")
      for (const path of aged) {
        const { meta } = JSON.parse((yield* get(path)).text)
        const answer = yield* get(`${path}max_age=1`)
        assert.strictEqual(answer.status, 503, path)
        const problem = JSON.parse(answer.text)
        assert.deepStrictEqual([problem.code, problem.updated], ["too_old", meta.updated])
        // A rate that is published once a day gets no younger by waiting.
        const isDaily = problem.updated.endsWith("T00:00:00.000Z")
        assert.match(answer.headers["retry-after"] ?? "", isDaily ? /^$/ : /^[1-9]\d*$/, path)
        assert.match(
          problem.detail,
          isDaily ? /waiting does not help. A larger max_age accepts it\.$/ : /Ask again in \d+ s\.$/,
          path
        )
        assert.strictEqual(answer.headers["cache-control"], "no-store")
        assert.isUndefined(answer.headers.etag)
      }
    })

    rule("is exact to the second: an answer exactly as old passes", function* () {
      // The day of the newest fiat rate is a whole number of seconds ago: noon and 30 seconds, and what has passed since.
      const updated = Date.parse(JSON.parse((yield* get("/v1/fx")).text).meta.updated)
      let age = 1
      for (let step = 1 << 20; step >= 1; step /= 2) {
        if ((yield* get(`/v1/fx?max_age=${age + step}`)).status === 503) age += step
      }
      assert.strictEqual((yield* get(`/v1/fx?max_age=${age}`)).status, 503)
      assert.strictEqual((yield* get(`/v1/fx?max_age=${age + 1}`)).status, 200)
      const passed = age + 1 - (friday - updated) / 1000
      assert.isAtLeast(passed, 0)
      assert.isAtMost(passed, 120)
    })

    rule("bounds how long caches elsewhere may reuse the answer", function* () {
      // A stale answer may be used for so long after its max-age, RFC 5861.
      const lifetime = ({ "cache-control": text }: Readonly<Record<string, unknown>>) => {
        const [fresh = 0, ...stale] = Array.from(String(text).matchAll(/=(\d+)/g), ([, n]) => Number(n))
        return fresh + Math.max(...stale)
      }
      const { headers } = yield* get("/v1/naira")
      assert.isAbove(lifetime(headers), 100)
      const guarded = yield* get("/v1/naira?max_age=100")
      assert.strictEqual(guarded.status, 200)
      assert.isAtMost(lifetime(guarded.headers), 100)
      // After the next refresh it may have moved.
      const expected = yield* get("/v1/convert?from=usd&to=ngn&expect=1500&tolerance=100")
      assert.match(expected.headers["cache-control"] ?? "", /^public, max-age=\d+, stale-.*=0, stale-if-error=0$/)
    })
  })

  describe("Guards: expect and tolerance", () => {
    rule("let a rate pass exactly at the tolerance and refuse it beyond, in both directions", function* () {
      const rate = yield* rateAt(convert)
      // The rate is 2 % above and 2 % below these, by the decimals as they are written.
      const table = [
        [rate, "0.0001", 200],
        [rate / 1.02, "2.01", 200],
        [rate / 1.02, "1.99", 409],
        [rate / 0.98, "2.01", 200],
        [rate / 0.98, "1.99", 409],
        [rate / 1.009, undefined, 200],
        [rate / 1.011, undefined, 409],
        [rate * 1000, "100", 200],
        [rate / 1000, "100", 409]
      ] as const
      for (const [expected, tolerance, status] of table) {
        const more = tolerance === undefined ? "" : `&tolerance=${tolerance}`
        const answer = yield* get(`${convert}&expect=${expected.toFixed(12)}${more}`)
        assert.strictEqual(answer.status, status, `${expected} ${tolerance}: ${answer.text}`)
      }
    })

    rule("compare decimals, not floats: 1.01 is within 1 % of 1", function* () {
      // A conversion of an asset into itself has the rate 1.
      for (const [expected, tolerance, status] of [
        ["1", "0.000000000000000001", 200],
        ["0.99", "1.0101010101010101011", 200],
        ["0.99", "1.01010101010101010101010101", 409],
        ["1.000000000000000000000000000001", "0.0000000000000000000000000001", 200],
        ["1.000000000000000000000000000001", "0.000000000000000000000000000001", 409]
      ] as const) {
        const { status: got } = yield* get(`/v1/convert?from=usd&to=usd&expect=${expected}&tolerance=${tolerance}`)
        assert.strictEqual(got, status, `${expected} ${tolerance}`)
      }
    })

    rule("refuse with what the rate is, what was expected, and the deviation in percent", function* () {
      for (const path of rated) {
        const rate = yield* rateAt(path)
        const answer = yield* get(`${path}expect=${(rate * 2).toFixed(8)}&tolerance=5`)
        assert.strictEqual(answer.status, 409)
        const problem = JSON.parse(answer.text)
        assert.deepInclude(problem, { code: "rate_moved", rate })
        assert.approximately(problem.expected, rate * 2, rate * 1e-6)
        assert.approximately(problem.deviation, -50, 1e-6)
        assert.strictEqual(answer.headers["cache-control"], "no-store")
        // The request id, which is random, may look like a number with an exponent.
        for (const member of ["rate", "expected", "deviation"]) {
          assert.match(written(answer.text, member) ?? "", /^-?\d+(\.\d+)?$/, member)
        }
      }
    })

    rule("a tolerance alone is a 400", function* () {
      for (const path of rated) {
        const { errors } = JSON.parse((yield* get(`${path}tolerance=0.000001`)).text)
        assert.deepStrictEqual(errors, [{ parameter: "tolerance", detail: "must be given together with expect" }])
      }
    })
  })

  rule("that are malformed are a 400 that names them, wherever they are taken", function* () {
    const ages = ["", "0", "-1", "1.5", "1e3", " 5", "+5", "0x10", "99999999999999999", "NaN", "1,000", "۵"]
    const decimals = [...cases.refusedDecimals, "9".repeat(31)]
    for (const path of aged) {
      for (const age of ages) {
        const { errors } = yield* refused(`${path}max_age=${encodeURIComponent(age)}`, 400, "invalid_parameter")
        assert.deepStrictEqual(
          errors?.map(({ parameter }) => parameter),
          ["max_age"]
        )
      }
      yield* refused(`${path}max_age=5&max_age=5`, 400, "invalid_parameter")
    }
    for (const path of rated) {
      for (const value of decimals) {
        yield* refused(
          `${path}expect=${value.includes("%") ? value : encodeURIComponent(value)}`,
          400,
          "invalid_parameter"
        )
        yield* refused(`${path}expect=1&tolerance=${encodeURIComponent(value)}`, 400, "invalid_parameter")
      }
      for (const tolerance of ["100.0000001", "101"]) {
        yield* refused(`${path}tolerance=${tolerance}`, 400, "invalid_parameter")
      }
      yield* refused(`${path}expect=1&expect=2`, 400, "invalid_parameter")
    }
  })

  rule("apply to HEAD and If-None-Match as to GET", function* () {
    for (const path of rated) {
      const rate = yield* rateAt(path)
      const good = `${path}max_age=100000&expect=${rate.toFixed(8)}`
      const bad = `${path}max_age=100000&expect=${(rate * 3).toFixed(8)}`
      const old = `${path}max_age=1`
      const { headers } = yield* get(good)
      const known = { headers: { "if-none-match": headers.etag ?? "" } }
      for (const [url, plain, conditional] of [
        [good, 200, 304],
        [bad, 409, 409],
        [old, 503, 503]
      ] as const) {
        assert.strictEqual((yield* get(url)).status, plain, url)
        assert.strictEqual((yield* get(url, { method: "HEAD" })).status, plain, url)
        assert.strictEqual((yield* get(url, known)).status, conditional, url)
        const zipped = yield* get(url, { headers: { "accept-encoding": "br" } })
        assert.strictEqual(zipped.status, plain, url)
      }
    }
  })

  rule("are not part of the cached answer: the same path may be refused and then answered", function* () {
    const rate = yield* rateAt(price)
    const asked = [
      [`${price}?expect=${(rate * 2).toFixed(8)}`, 409],
      [price, 200],
      [`${price}?expect=${rate.toFixed(8)}`, 200],
      [`${price}?expect=${(rate * 2).toFixed(8)}`, 409],
      [`${price}?max%5Fage=1`, 503],
      [`${price}?max_age=100000`, 200],
      [`${price}?max_age=1`, 503]
    ] as const
    for (const [path, status] of asked) assert.strictEqual((yield* get(path)).status, status, path)
  })

  rule("both together refuse what is too old first", function* () {
    yield* refusedAs(`${price}?max_age=1&expect=1`, "too_old")
    yield* refusedAs(`${price}?max_age=100000&expect=1`, "rate_moved")
  })

  describe("Guards: min_confidence", () => {
    // Two aggregators agree on the prices of these coins, and no exchange has them here.
    const ofCoins = ["/v1/coins/bitcoin?", "/v1/price/bitcoin/usd?", "/v1/prices?ids=bitcoin&"]
    const ofBoth = [
      `${price}?`,
      "/v1/prices?ids=bitcoin,tether&fiats=usd,ngn&",
      "/v1/prices?ids=bitcoin&fiats=ngn&format=csv&",
      "/v1/convert?from=usd&to=ngn&"
    ]
    const ofMarkets = [
      "/v1/price/tether/ngn?basis=customer&",
      "/v1/convert?from=kes&to=ngn&basis=p2p&",
      "/v1/convert?from=ngn&to=kes&basis=customer&",
      "/v1/naira?",
      "/v1/p2p/ngn?"
    ]
    const paths = [...ofBoth, ...ofMarkets]
    const without = ["/v1/convert?from=usd&to=ngn&basis=official&", "/v1/convert?from=usd&to=eur&"]
    const judged = (path: string, least: string) => get(`${path}min_confidence=${least}`)

    const leaves = (path: string, ...each: ReadonlyArray<string>) =>
      Effect.gen(function* () {
        const plain = yield* get(path)
        for (const least of each) {
          const guarded = yield* judged(path, least)
          assert.deepStrictEqual([guarded.status, guarded.text], [200, plain.text], path)
        }
      })

    rule("refuses a coin's price that no three exchanges make for high, and leaves it for medium", function* () {
      for (const path of [...ofCoins, ...ofBoth]) {
        yield* leaves(path, "medium")
        const { code, confidence } = JSON.parse((yield* judged(path, "high")).text)
        assert.deepStrictEqual([code, confidence], ["too_uncertain", "medium"], path)
      }
    })

    rule("leaves what is certain enough, and rates of fiats alone, as it is", function* () {
      for (const path of [...ofMarkets, ...without]) yield* leaves(path, "high", "medium")
      for (const path of ["/v1/fx?", "/v1/p2p?", "/v1/global?"])
        assert.strictEqual((yield* judged(path, "high")).status, 400)
      for (const least of ["low", "", "High"]) assert.strictEqual((yield* judged(price + "?", least)).status, 400)
    })

    rule("counts the official rate of what people exchange at another as low, unless it is asked for", function* () {
      const path = "/v1/convert?from=usd&to=ves&"
      const refusal = yield* judged(path, "medium")
      const { confidence, detail } = JSON.parse(refusal.text)
      assert.deepStrictEqual([confidence, refusal.headers["retry-after"]], ["low", undefined])
      assert.match(detail, /you get the official rate\.$/)
      assert.strictEqual((yield* judged(`${path}basis=official&`, "high")).status, 200)
    })

    rule("refuses what is less certain, with how certain it is", function* () {
      const { sandbox } = yield* RunningService
      const expected = (least: string, confidence: string) =>
        Effect.forEach(paths, (path) =>
          Effect.map(judged(path, least), ({ headers, status, text }) => {
            const { code, confidence: told } = JSON.parse(text)
            assert.deepStrictEqual([status, code, told], [503, "too_uncertain", confidence], path)
            assert.match(headers["retry-after"] ?? "", /^[1-9]\d*$/)
            assert.strictEqual(headers["cache-control"], "no-store")
          })
        )
      // Both order books agree and no venue has a price; then one book is left.
      for (const venue of ["BYBIT_P2P", "BITGET_P2P"] as const) yield* sandbox.setFault(venue, { fault: "empty" })
      yield* pass("3 minutes")
      yield* expected("high", "medium")
      for (const path of paths.slice(0, 3)) assert.strictEqual((yield* judged(path, "medium")).status, 200, path)
      yield* sandbox.setFault("LUNO", { fault: "empty" })
      yield* pass("20 minutes")
      yield* expected("high", "low")
      yield* expected("medium", "low")
      for (const path of without) assert.strictEqual((yield* judged(path, "high")).status, 200, path)
      for (const venue of ["BYBIT_P2P", "BITGET_P2P", "LUNO"] as const) yield* sandbox.setFault(venue, null)
      yield* pass("3 minutes")
    })
  })

  rule("are compared with the side that the basis chooses", function* () {
    const { data } = yield* read("/v1/naira", Naira)
    const path = "/v1/price/tether/ngn"
    const mid = yield* read(path, Price)
    assert.strictEqual(mid.data.price, data.mid)
    const sell = (data.sell ?? 0).toFixed(6)
    yield* refusedAs(`${path}?expect=${sell}&tolerance=0.01`, "rate_moved")
    const guarded = yield* read(`${path}?basis=customer&expect=${sell}&tolerance=0.01`, Price)
    assert.strictEqual(guarded.data.price, data.sell)
    yield* read(`/v1/convert?from=tether&to=ngn&basis=customer&expect=${sell}&tolerance=0.01`, Conversion)
  })

  rule("are never ignored: misspelt, or where an endpoint takes none, they are a 400", function* () {
    for (const path of [
      "/v1/global?max_age=1",
      "/v1/naira?expect=1",
      "/v1/naira?fiat=kes",
      "/v1/coins/bitcoin?expect=0",
      "/v1/fx?base=EUR",
      `${price}?expected=1`,
      `${price}?Expect=1`,
      `${convert}&maxAge=1`
    ]) {
      const answer = yield* get(path)
      assert.deepStrictEqual([answer.status, JSON.parse(answer.text).code], [400, "invalid_parameter"], path)
    }
  })
})

const refusedAs = (path: string, code: string) =>
  Effect.gen(function* () {
    const answer = yield* get(path)
    assert.strictEqual(JSON.parse(answer.text).code, code, path)
    return answer
  })
