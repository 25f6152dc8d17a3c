import { assert } from "@effect/vitest"
import { BigDecimal } from "effect"
import { friday, RunningService, withoutEvidence, get } from "../RunningService.ts"
import {
  Coin,
  Coins,
  Conversion,
  conversion,
  fiats,
  Fx,
  Global,
  Naira,
  numbersIn,
  Price,
  read,
  refused
} from "./support.ts"
import { rulesIn } from "../rulesOf.ts"

/** Whether a figure is the exact product of two others, to twelve digits. */
const isProduct = (figure: number, a: number, b: number): boolean => {
  const exact = BigDecimal.multiply(BigDecimal.fromNumberUnsafe(a), BigDecimal.fromNumberUnsafe(b))
  const error = BigDecimal.abs(BigDecimal.subtract(BigDecimal.fromNumberUnsafe(figure), exact))
  return BigDecimal.isLessThanOrEqualTo(error, BigDecimal.multiply(exact, BigDecimal.make(6n, 12)))
}

const without = (sources: string) => ({ SOURCES_DISABLED: `${sources},${withoutEvidence.SOURCES_DISABLED}` })

rulesIn(RunningService.layer({ at: friday, config: without("COINGECKO") }))("without CoinGecko", (rule) => {
  rule("coins, one coin and the whole market come from the next source, and say so", function* () {
    const { sandbox } = yield* RunningService
    for (const answer of [
      yield* read("/v1/coins", Coins),
      yield* read("/v1/coins/bitcoin", Coin),
      yield* read("/v1/global", Global)
    ]) {
      assert.strictEqual(answer.meta.source, "CoinPaprika (sandbox)")
    }
    const { data } = yield* read("/v1/coins/bitcoin", Coin)
    assert.closeTo((data.price ?? 0) / (sandbox.world.market.price("bitcoin", friday) ?? 0), 1, 0.01)
    assert.strictEqual((yield* sandbox.calls).COINGECKO, 0)
  })

  rule("pages end with the list, each coin on one of them, and the last page links to no next one", function* () {
    const ids: Array<string> = []
    for (let page = 1; ; page++) {
      const { answer, data } = yield* read(`/v1/coins?limit=90&page=${page}`, Coins)
      ids.push(...data.coins.map(({ id }) => id))
      const link = [answer.headers["link"]].flat().join()
      assert.strictEqual(link.includes('rel="next"'), data.coins.length === 90, link)
      if (data.coins.length < 90) break
    }
    assert.isAbove(ids.length, 200)
    assert.strictEqual(new Set(ids).size, ids.length)
    const past = yield* read("/v1/coins?limit=90&page=50", Coins)
    assert.deepStrictEqual(past.data.coins, [])
  })

  rule("a price in another fiat is the dollar's, at the rate for that fiat", function* () {
    const dollars = yield* read("/v1/price/ethereum/usd", Price)
    const rates = yield* read("/v1/fx", Fx)
    for (const fiat of ["EUR", "GBP", "INR", "ZAR", "AED", "CAD", "JPY"] as const) {
      const { data, meta } = yield* read(`/v1/price/ethereum/${fiat}`, Price)
      assert.isTrue(isProduct(data.price, dollars.data.price, rates.data.rates[fiat] ?? 0), fiat)
      assert.strictEqual(data.change_24h, dollars.data.change_24h)
      // Of two banks' rates that agree the one of the newer day is served.
      assert.match(meta.source, /^CoinPaprika \(sandbox\) \+ (?:Frankfurter|currency-api) \(sandbox\)$/)
      assert.strictEqual(meta.updated, `${rates.data.observed[fiat]}T00:00:00.000Z`)
    }
  })

  rule("a price is still the conversion of 1, naira still the P2P mid, and numbers plain", function* () {
    const naira = yield* read("/v1/naira", Naira)
    for (const fiat of fiats) {
      const price = yield* read(`/v1/price/shiba-inu/${fiat}`, Price)
      const converted = yield* read(conversion("shiba-inu", fiat), Conversion)
      assert.strictEqual(converted.data.result, price.data.price, fiat)
      assert.deepStrictEqual(converted.meta, price.meta)
      if (fiat === "ngn") assert.strictEqual(converted.data.legs.at(-1)?.rate, naira.data.mid)
      for (const number of numbersIn(price.answer.text + converted.answer.text)) assert.notMatch(number, /e/i)
    }
  })
})

rulesIn(RunningService.layer({ at: friday, config: { COINGECKO_PLAN: "keyless", ...withoutEvidence } }))(
  "on CoinGecko's keyless plan",
  (rule) => {
    rule("a price in euro is the dollar price at the euro's rate, and both sources are named", function* () {
      const dollars = yield* read("/v1/price/bitcoin/usd", Price)
      const rates = yield* read("/v1/fx", Fx)
      const { data, meta } = yield* read("/v1/price/bitcoin/eur", Price)
      assert.isTrue(isProduct(data.price, dollars.data.price, rates.data.rates["EUR"] ?? 0))
      assert.match(meta.source, /^CoinGecko \(sandbox\) \+ (?:Frankfurter|currency-api) \(sandbox\)$/)
    })

    rule("a look-up beyond the source's budget is a 503", function* () {
      const statuses = new Set<number>()
      for (let nth = 0; nth < 12; nth++) statuses.add((yield* get(`/v1/coins/no-such-coin-${nth}`)).status)
      assert.isTrue(
        [...statuses].every((status) => status === 404 || status === 503),
        [...statuses].join()
      )
      assert.isTrue(statuses.has(503))
      yield* refused("/v1/coins/NO SUCH COIN".replaceAll(" ", "%20"), 404, "unknown_coin")
      assert.strictEqual((yield* get("/v1/coins/bitcoin")).status, 200)
    })
  }
)

rulesIn(RunningService.layer({ at: friday, config: without("FRANKFURTER,CBN") }))(
  "without Frankfurter and the central bank",
  (rule) => {
    rule("fiat rates come from the next source", function* () {
      const { data, meta } = yield* read("/v1/fx", Fx)
      assert.notInclude(meta.source, "Frankfurter")
      assert.isTrue(meta.source.endsWith(" (sandbox)"))
      for (const fiat of fiats.filter((one) => one !== "ngn")) assert.isAbove(data.rates[fiat.toUpperCase()] ?? 0, 0)
    })

    rule("the official naira rate is in no answer: the next source has none of the central bank's", function* () {
      assert.notProperty((yield* read("/v1/fx", Fx)).data.rates, "NGN")
      yield* refused("/v1/convert?from=usd&to=ngn&basis=official", 503, "source_unavailable")
    })

    rule("the official rate and the premium are null with a reason, and the P2P rate stands", function* () {
      const { data, meta } = yield* read("/v1/naira", Naira)
      assert.deepStrictEqual(
        [data.official, data.official_date, data.official_source, data.premium],
        [null, null, null, null]
      )
      assert.include(data.reason, "official_rate_missing")
      assert.isAbove(data.mid ?? 0, 0)
      assert.strictEqual(meta.source, "Bybit P2P (sandbox) + Bitget P2P (sandbox)")
    })
  }
)

rulesIn(RunningService.layer({ at: friday, config: without("BYBIT_P2P,BITGET_P2P") }))("without P2P", (rule) => {
  rule("order books make the rate, with less confidence", function* () {
    const { data, meta } = yield* read("/v1/naira", Naira)
    assert.isAbove(data.mid ?? 0, 0)
    assert.notStrictEqual(data.confidence, "high")
    assert.strictEqual(meta.source, "Quidax (sandbox) + Luno (sandbox) + CBN (sandbox)")
    const silent = data.venues.filter(({ kind }) => kind === "p2p")
    assert.deepStrictEqual(
      silent.map(({ mid, reason, updated }) => [mid, reason, updated]),
      [
        [null, "no_answer", null],
        [null, "no_answer", null]
      ]
    )
    const price = yield* read("/v1/price/tether/ngn", Price)
    assert.strictEqual(price.data.price, data.mid)
    assert.strictEqual(price.meta.source, "Quidax (sandbox) + Luno (sandbox)")
  })
})
