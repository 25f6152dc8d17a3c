// Every fiat of `/v1/fx` in every compatible path: the rate of `/v1/convert`, to the digit, with each basis. `StreetRates.test.ts` has
// those that are left out.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { bases, prefixOf } from "./bases.ts"
import { BTCPAY_BASE } from "../../../src/api/compat/BtcPayApi.ts"
import { FRANKFURTER_BASE } from "../../../src/api/compat/FrankfurterDialect.ts"
import { YADIO_BASE } from "../../../src/api/compat/YadioApi.ts"
import { BASES } from "../../../src/domain/Conversion.ts"
import { hasStreetRate } from "../../../src/domain/StreetCurrencies.ts"
import { COINGECKO_BASE } from "../../../src/api/coingecko/CoinGeckoDialect.ts"
import { get, sharedFriday } from "../../RunningService.ts"
import { MOSTRO } from "./mostro.ts"
import { answerAt, jsonAt } from "../support.ts"
import { rulesOf } from "../../rulesOf.ts"

/** An amount so small that each P2P market gives it the rate of its side. */
const SMALL = "0.0001"

const converted = Effect.fnUntraced(function* (from: string, to: string, basis?: string) {
  const chosen = basis === undefined ? "" : `&basis=${basis}`
  const answer = yield* get(`/v1/convert?from=${from}&to=${to}&amount=${SMALL}${chosen}`)
  return answer.status === 200 ? JSON.parse(answer.text) : undefined
})

/** The fiats that the paths of a basis have: no official rate where people pay another. */
const quotedWith = (codes: ReadonlyArray<string>, basis: string | undefined) =>
  codes.filter((code) => basis === "official" || !hasStreetRate(code))

const rateOf = (from: string, to: string, basis?: string) =>
  Effect.map(converted(from, to, basis), (answer): number | undefined => answer?.data.rate)

layer(sharedFriday)("every fiat", (it) => {
  const fiats = Effect.gen(function* () {
    const codes = Object.keys((yield* jsonAt("/v1/fx")).data.rates)
    assert.isAbove(codes.length, 40)
    return codes
  })
  const rule = rulesOf(it, fiats)

  rule("in CoinGecko's shape: the 44 that Mostro asks for at once, and all", function* (codes) {
    const list = quotedWith(codes, undefined).map((code) => code.toLowerCase())
    const asked = MOSTRO.split(",")
    assert.lengthOf(asked, 44)
    const { bitcoin } = yield* jsonAt(`${COINGECKO_BASE}/simple/price?ids=bitcoin&vs_currencies=${MOSTRO}`)
    assert.sameMembers(
      Object.keys(bitcoin),
      asked.filter((vs) => list.includes(vs))
    )
    const all = (yield* jsonAt(`${COINGECKO_BASE}/simple/price?ids=bitcoin&vs_currencies=${list.join()}`)).bitcoin
    const { rates } = yield* jsonAt(`${COINGECKO_BASE}/exchange_rates`)
    const coin = yield* jsonAt(`${COINGECKO_BASE}/coins/bitcoin`)
    for (const vs of list) {
      const expected = yield* rateOf("bitcoin", vs)
      assert.isNumber(expected, vs)
      assert.strictEqual(all[vs], expected, vs)
      assert.strictEqual(bitcoin[vs] ?? expected, expected, vs)
      assert.strictEqual(rates[vs].value, expected, vs)
      assert.strictEqual(coin.market_data.current_price[vs], expected, vs)
    }
    assert.includeMembers(yield* jsonAt(`${COINGECKO_BASE}/simple/supported_vs_currencies`), list)
  })

  rule("in Yadio's shapes", function* (codes) {
    for (const basis of bases) {
      const base = prefixOf(YADIO_BASE, basis)
      const { BTC } = yield* jsonAt(`${base}/exrates/BTC`)
      const euro = yield* jsonAt(`${base}/exrates/eur`)
      assert.strictEqual(euro.BTC, yield* rateOf("bitcoin", "eur", basis))
      for (const code of quotedWith(codes, basis)) {
        assert.strictEqual(BTC[code], yield* rateOf("bitcoin", code, basis), `${basis} ${code}`)
        assert.strictEqual(euro.EUR[code], yield* rateOf("eur", code, basis), `${basis} ${code}`)
      }
      assert.strictEqual(BTC.BTC, 1)
      for (const code of ["NGN", "KES", "CHF"]) {
        const { btc, rate } = yield* jsonAt(`${base}/rate/${code}`)
        assert.deepStrictEqual([rate, btc], [yield* rateOf("usd", code, basis), yield* rateOf("bitcoin", code, basis)])
        // Units of the first currency for 1 of the second.
        assert.strictEqual((yield* jsonAt(`${base}/rate/${code}/USD`)).rate, rate)
        assert.strictEqual((yield* jsonAt(`${base}/rate/USD/${code}`)).rate, yield* rateOf(code, "usd", basis))
        const some = yield* jsonAt(`${base}/convert/2.5/${code}/BTC`)
        const own = yield* jsonAt(
          `/v1/convert?from=${code}&to=bitcoin&amount=2.5${basis === undefined ? "" : `&basis=${basis}`}`
        )
        assert.deepStrictEqual([some.rate, some.result], [own.data.rate, own.data.result])
        assert.deepStrictEqual(some.request, { amount: 2.5, from: code, to: "BTC" })
      }
    }
    const names = yield* jsonAt(`${YADIO_BASE}/currencies`)
    // A followed market, without an official rate.
    assert.hasAllKeys(names, [...quotedWith(codes, undefined), "GHS"])
    assert.strictEqual(names.NGN, "Nigerian Naira")
  })

  rule("in BTCPay's shape", function* (codes) {
    for (const basis of bases) {
      const quoted = quotedWith(codes, basis)
      const pairs = quoted.map((code) => `BTC_${code}`)
      const path = `${prefixOf(BTCPAY_BASE, basis)}/api/rates?storeId=any&currencyPairs=`
      const rows = yield* jsonAt(`${path}${pairs.join()},BTC_XXX,NOPE_USD,ETH_NGN,eurngn`)
      assert.deepStrictEqual(
        rows.map(({ currencyPair }: { readonly currencyPair: string }) => currencyPair),
        [...pairs, "ETH_NGN", "EUR_NGN"]
      )
      for (const { code, cryptoCode, rate } of rows) {
        const from = cryptoCode === "BTC" ? "bitcoin" : cryptoCode === "ETH" ? "ethereum" : cryptoCode
        assert.strictEqual(rate, yield* rateOf(from, code, basis), `${basis} ${code}`)
      }
      assert.deepInclude(rows[quoted.indexOf("NGN")], { name: "Nigerian Naira", cryptoCode: "BTC", code: "NGN" })
    }
  })

  rule("in Frankfurter's shapes: official rates, on paths that take no basis", function* (codes) {
    for (const from of ["USD", "EUR"]) {
      const v1 = yield* jsonAt(`${FRANKFURTER_BASE}/v1/latest?base=${from}`)
      const v2 = yield* jsonAt(`${FRANKFURTER_BASE}/v2/rates?base=${from}`)
      assert.deepStrictEqual(
        v2.map(({ quote }: { readonly quote: string }) => quote),
        codes.toSorted()
      )
      for (const { quote, rate } of v2) {
        assert.strictEqual(rate, yield* rateOf(from, quote, "official"), `${from} ${quote}`)
        assert.strictEqual(v1.rates[quote], quote === from ? undefined : rate, quote)
      }
      const dates: ReadonlyArray<string> = v2.map(({ date }: { readonly date: string }) => date)
      assert.strictEqual(v1.date, dates.toSorted()[0])
    }
    const one = yield* jsonAt(`${FRANKFURTER_BASE}/v2/rate/usd/ngn`)
    const [row] = yield* jsonAt(`${FRANKFURTER_BASE}/v2/rates?base=USD&quotes=NGN`)
    assert.deepStrictEqual(one, row)
    assert.hasAllKeys(one, ["date", "base", "quote", "rate"])
    const ten = yield* jsonAt(`${FRANKFURTER_BASE}/v1/latest?from=USD&to=KES,GBP&amount=10`)
    const own = yield* jsonAt("/v1/convert?from=USD&to=GBP&amount=10")
    assert.deepStrictEqual([ten.amount, ten.rates.GBP], [10, own.data.result])
    for (const basis of BASES) {
      for (const path of ["v1/latest", "v2/rates", "v2/rate/USD/VES", "latest"]) {
        const { text } = yield* answerAt(`${FRANKFURTER_BASE}/${basis}/${path}`, 404)
        assert.deepStrictEqual(JSON.parse(text), { status: 404, message: "not found" })
      }
    }
  })

  it.effect("each answer has the sources and the time of its parts in headers", () =>
    Effect.gen(function* () {
      const { meta } = yield* converted("bitcoin", "ngn")
      for (const path of [
        `${YADIO_BASE}/convert/1/BTC/NGN`,
        `${YADIO_BASE}/rate/NGN/BTC`,
        `${BTCPAY_BASE}/api/rates?currencyPairs=BTC_NGN`,
        `${COINGECKO_BASE}/simple/price?ids=bitcoin&vs_currencies=ngn`
      ]) {
        const { headers } = yield* answerAt(path)
        assert.deepStrictEqual([headers["x-source"], headers["x-updated"]], [meta.source, meta.updated], path)
      }
      const fx = (yield* jsonAt("/v1/fx")).meta
      const { headers } = yield* answerAt(`${FRANKFURTER_BASE}/v2/rates`)
      assert.strictEqual(headers["x-source"], fx.source)
    })
  )
})
