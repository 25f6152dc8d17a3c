// No official rate where people pay another: each compatible path, for each currency of the table. What those have whose markets are
// followed is in `../P2p.test.ts`.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { BTCPAY_BASE } from "../../../src/api/compat/BtcPayApi.ts"
import { prefixOf } from "./bases.ts"
import { FRANKFURTER_BASE } from "../../../src/api/compat/FrankfurterDialect.ts"
import { YADIO_BASE } from "../../../src/api/compat/YadioApi.ts"
import { COINGECKO_BASE } from "../../../src/api/coingecko/CoinGeckoDialect.ts"
import { BASES } from "../../../src/domain/Conversion.ts"
import streetCurrencies from "../../../src/domain/streetCurrencies.json" with { type: "json" }
import { get, sharedFriday } from "../../RunningService.ts"
import { jsonAt } from "../support.ts"
import { rulesIn } from "../../rulesOf.ts"

const codes = Object.keys(streetCurrencies)

/** The bases but that of the official rate; none stands for the default. */
const asked = [undefined, ...BASES.filter((basis) => basis !== "official")]

const rateOf = (code: string, basis?: string) =>
  Effect.map(
    jsonAt(`/v1/convert?from=usd&to=${code}${basis === undefined ? "" : `&basis=${basis}`}`),
    ({ data }) => data
  )

const statusOf = (path: string) => Effect.map(get(path), ({ status }) => status)

const pairs = codes.map((code) => `USD_${code}`).join()

const pairsAt = (basis: (typeof asked)[number] | "official") =>
  Effect.map(jsonAt(`${prefixOf(BTCPAY_BASE, basis)}/api/rates?currencyPairs=${pairs},USD_EUR`), (rows) =>
    rows.map(({ code }: { readonly code: string }) => code)
  )

/** No list of a path that is not official has a currency without a followed market. */
const listsLeaveOut = Effect.gen(function* () {
  const lists: Array<object> = []
  for (const basis of asked) {
    const base = prefixOf(YADIO_BASE, basis)
    for (const from of ["BTC", "EUR"]) lists.push((yield* jsonAt(`${base}/exrates/${from}`))[from])
    lists.push(yield* jsonAt(`${base}/currencies`))
  }
  const { rates } = yield* jsonAt(`${COINGECKO_BASE}/exchange_rates`)
  const { market_data } = yield* jsonAt(`${COINGECKO_BASE}/coins/bitcoin`)
  const vs = yield* jsonAt(`${COINGECKO_BASE}/simple/supported_vs_currencies`)
  const named = [...lists, rates, market_data.current_price].map(Object.keys)
  for (const names of [...named, vs]) {
    assert.isAbove(names.length, 20)
    assert.deepStrictEqual(
      names.filter((name: string) => codes.includes(name.toUpperCase())),
      []
    )
  }
})

/** No path that is not official has a rate of such a currency. */
const leavesOut = Effect.fnUntraced(function* (code: string) {
  for (const basis of asked) {
    const base = prefixOf(YADIO_BASE, basis)
    for (const path of [
      `rate/${code}`,
      `rate/${code}/USD`,
      `rate/USD/${code}`,
      `convert/5/${code}/BTC`,
      `exrates/${code}`
    ])
      assert.strictEqual(yield* statusOf(`${base}/${path}`), 404, `${base}/${path}`)
    const { legs } = yield* rateOf(code, basis)
    assert.deepInclude(legs[0], { basis: "official", street: "not_followed" }, `${basis} ${code}`)
  }
  const vs = code.toLowerCase()
  for (const path of [
    `/coins/markets?vs_currency=${vs}`,
    `/simple/price?ids=bitcoin&vs_currencies=${vs}`,
    `/coins/bitcoin/market_chart?days=1&vs_currency=${vs}`,
    `/coins/bitcoin/ohlc?days=1&vs_currency=${vs}`
  ]) {
    assert.strictEqual(yield* statusOf(COINGECKO_BASE + path), 400, path)
  }
})

/** What is official by name or by nature has it. */
const hasOfficial = Effect.fnUntraced(function* (code: string) {
  const fx = (yield* jsonAt("/v1/fx")).data.rates[code]
  assert.isNumber(fx, code)
  const { legs, rate } = yield* rateOf(code, "official")
  assert.deepStrictEqual([rate, legs[0].basis, legs[0].street], [fx, "official", undefined])
  const yadio = prefixOf(YADIO_BASE, "official")
  assert.strictEqual((yield* jsonAt(`${yadio}/rate/${code}`)).rate, fx)
  assert.strictEqual((yield* jsonAt(`${yadio}/exrates/USD`)).USD[code], fx)
  assert.property(yield* jsonAt(`${yadio}/currencies`), code)
  assert.strictEqual((yield* jsonAt(`${FRANKFURTER_BASE}/v2/rate/usd/${code}`)).rate, fx)
})

rulesIn(sharedFriday)("a currency that people exchange at another rate than the official one", (rule) => {
  rule(
    "is in no compatible path but the official ones, and marked in /v1/convert, if no market is followed",
    function* () {
      yield* listsLeaveOut
      for (const code of codes) {
        yield* leavesOut(code)
        yield* hasOfficial(code)
      }
      for (const basis of asked) assert.deepStrictEqual(yield* pairsAt(basis), ["EUR"])
      assert.sameMembers(yield* pairsAt("official"), [...codes, "EUR"])
    }
  )
})
