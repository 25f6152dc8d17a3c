// The endpoints for programs made for CoinGecko stand behind the same gate as all others; only errors have another shape.
import { assert } from "@effect/vitest"

import { COINGECKO_BASE } from "../../../src/api/coingecko/CoinGeckoDialect.ts"
import { newKeyIn } from "../../cli/NewKey.ts"
import { RunningService, get, onFriday, sharedFriday } from "../../RunningService.ts"
import { rulesIn } from "../../rulesOf.ts"

const at = (path: string) => `${COINGECKO_BASE}${path}`

const bitcoin = at("/simple/price?ids=bitcoin&vs_currencies=usd,ngn")

rulesIn(sharedFriday)("the gate before CoinGecko's endpoints", (rule) => {
  rule("takes a key in CoinGecko's headers, and counts by it; Vary names each of them", function* () {
    const { dataDir } = yield* RunningService
    const key = yield* newKeyIn(dataDir)
    for (const [n, header] of ["x-cg-demo-api-key", "x-cg-pro-api-key", "x-api-key", "authorization"].entries()) {
      const sent = header === "authorization" ? `Bearer ${key}` : key
      const { headers, status } = yield* get(bitcoin, { headers: { [header]: sent } })
      assert.strictEqual(status, 200, header)
      assert.strictEqual(headers["x-ratelimit-limit"], "600", header)
      assert.strictEqual(headers["x-ratelimit-remaining"], String(599 - n), header)
      assert.match(headers["cache-control"] ?? "", /^private/)
      assert.include((headers.vary ?? "").split(", "), header)
    }
  })

  rule("refuses an unknown key in CoinGecko's shape; under /v1 that header is ignored", function* () {
    for (const header of ["x-cg-demo-api-key", "x-cg-pro-api-key"]) {
      const answer = yield* get(bitcoin, { headers: { [header]: "CG-abcdef" } })
      assert.strictEqual(answer.status, 401)
      assert.strictEqual(JSON.parse(answer.text).status.error_code, 401)
      assert.include(JSON.parse(answer.text).status.error_message, `The key in ${header} is not an API key`)
      assert.notInclude(answer.text, "abcdef")
      assert.strictEqual(answer.headers["cache-control"], "no-store")
      assert.strictEqual((yield* get("/v1/fx", { headers: { [header]: "CG-abcdef" } })).status, 200)
    }
  })

  rule("allows CoinGecko's headers, and those of its libraries, in a preflight", function* () {
    const { headers, status } = yield* get(bitcoin, { method: "OPTIONS" })
    assert.strictEqual(status, 204)
    assert.includeMembers(headers["access-control-allow-headers"]?.split(", ") ?? [], [
      "x-cg-demo-api-key",
      "x-cg-pro-api-key",
      "x-api-key",
      "if-none-match",
      "*"
    ])
  })

  rule("errors have CoinGecko's shape and this service's headers: paths, methods, ids, times", function* () {
    const cases: ReadonlyArray<readonly [path: string, status: number, error: RegExp, method?: string]> = [
      ["/nothing", 404, /^Incorrect path/],
      ["", 404, /^Incorrect path.*coingecko/],
      ["/ping", 405, /not POST/, "POST"],
      ["/coins/%E0%A4%A", 400, /^invalid path/],
      ["/coins/no-such-coin", 404, /^coin not found$/],
      ["/simple/price?ids=bitcoin", 422, /^Missing parameter vs_currencies$/],
      ["/simple/price?ids=bitcoin&vs_currencies=doge,xyz", 400, /^invalid vs_currency$/],
      ["/coins/markets?vs_currency=xyz", 400, /^invalid vs_currency$/],
      // With a correction.
      ["/coins/markets?vs_currency=dollars", 400, /^invalid vs_currency: must be .* Did you mean usd/i],
      ["/coins/markets?vs_currency=xyz&per_page=0", 400, /^(?=.*invalid vs_currency: must be )(?=.*invalid per_page)/],
      ["/simple/price?ids=bitcoin&vs_currencies=usd&precision=19", 400, /^invalid precision/],
      ["/simple/price?symbols=btc&ids=bitcoin&vs_currencies=usd", 400, /^invalid symbols/],
      ["/coins/markets?vs_currency=usd&order=gecko_desc", 400, /^invalid order/],
      ["/coins/markets?vs_currency=usd&per_page=251", 400, /^invalid per_page/],
      ["/coins/markets?vs_currency=usd&include_rehypothecated=true", 400, /^invalid include_rehypothecated/],
      ["/coins/list?status=inactive", 400, /^invalid status/],
      ["/coins/bitcoin/history?date=31-02-2026", 400, /^invalid date/],
      ["/coins/bitcoin/history?date=21-11-2026", 400, /^invalid date.*future/],
      ["/coins/bitcoin/market_chart?vs_currency=yfi&days=1", 400, /^invalid vs_currency$/],
      ["/coins/bitcoin/market_chart?vs_currency=usd&days=1&interval=5m", 400, /^invalid interval/],
      ["/coins/bitcoin/market_chart?vs_currency=usd&days=91&interval=hourly", 400, /^invalid interval/],
      ["/coins/bitcoin/market_chart/range?vs_currency=usd&from=2&to=1", 400, /^invalid from/],
      ["/coins/bitcoin/ohlc?vs_currency=xau&days=1", 400, /^invalid vs_currency$/]
    ]
    for (const [path, status, error, method = "GET"] of cases) {
      const answer = yield* get(at(path), { method })
      assert.strictEqual(answer.status, status, `${path}: ${answer.text}`)
      assert.deepStrictEqual(Object.keys(JSON.parse(answer.text)), ["error"], path)
      assert.match(JSON.parse(answer.text).error, error, path)
      assert.strictEqual(answer.headers["content-type"], "application/json")
      assert.strictEqual(answer.headers["content-length"], String(answer.bytes.length))
      assert.strictEqual(answer.headers["cache-control"], "no-store")
      assert.isDefined(answer.headers["x-ratelimit-remaining"])
      assert.isDefined(answer.headers["x-request-id"])
    }
  })

  rule("accepts what CoinGecko accepts: unknown parameters, blanks in lists, any case, unknown ids", function* () {
    for (const path of [
      "/simple/price?ids=Bitcoin,%20tether,&vs_currencies=USD,%20ngn&include_market_cap=True&include_tokens=top",
      "/coins/markets?vs_currency=USD&locale=de&category=&names=&include_rehypothecated=false&ids=nothing-such",
      "/coins/bitcoin?dex_pair_format=symbol&include_categories_details=true&tickers=false",
      "/ping/"
    ]) {
      assert.strictEqual((yield* get(at(path))).status, 200, path)
    }
    const prices = yield* get(at("/simple/price?ids=bitcoin,nothing-such&vs_currencies=usd"))
    assert.deepStrictEqual(Object.keys(JSON.parse(prices.text)), ["bitcoin"])
  })
})

rulesIn(onFriday)("without data", (rule) => {
  rule("is a 503 in CoinGecko's shape, without Retry-After where histories are off", function* () {
    const answer = yield* get(at("/coins/bitcoin/market_chart?vs_currency=usd&days=30"))
    assert.strictEqual(answer.status, 503)
    assert.strictEqual(JSON.parse(answer.text).status.error_code, 503)
    assert.isUndefined(answer.headers["retry-after"])
  })

  rule("is a 503 where no source answers, and not an unknown coin", function* () {
    const { sandbox } = yield* RunningService
    for (const source of ["COINGECKO", "COINPAPRIKA"] as const) {
      yield* sandbox.setFault(source, { fault: "server_error" })
    }
    for (const path of ["/coins/some-small-coin", "/simple/price?ids=some-small-coin&vs_currencies=usd"]) {
      const answer = yield* get(at(path))
      assert.strictEqual(answer.status, 503, answer.text)
      assert.isAtLeast(Number(answer.headers["retry-after"]), 1)
    }
  })
})
