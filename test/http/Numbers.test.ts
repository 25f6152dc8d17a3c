import { assert, describe } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { friday, RunningService, withoutEvidence, get, sharedFriday } from "../RunningService.ts"
import { json, scriptedUpstream } from "../sources/ScriptedUpstream.ts"
import { Conversion } from "../../src/api/ConversionApi.ts"
import { Coins, Price } from "../../src/api/MarketApi.ts"
import { conversion, digitsOf, fiats, numbersIn, read, written } from "./support.ts"
import { rulesIn } from "../rulesOf.ts"

/** A plain decimal in its shortest form. */
const PLAIN = /^-?(0|[1-9]\d*)(\.\d*[1-9])?$/

rulesIn(sharedFriday)("numbers", (rule) => {
  rule("a price is the conversion of 1, in all nine fiats", function* () {
    for (const id of ["bitcoin", "ethereum", "tether", "shiba-inu", "pepe", "bittorrent", "figure-heloc"]) {
      for (const fiat of fiats) {
        const price = yield* read(`/v1/price/${id}/${fiat}`, Price)
        const converted = yield* read(conversion(id, fiat, "1"), Conversion)
        const what = `${id} in ${fiat}`
        assert.strictEqual(written(converted.answer.text, "result"), written(price.answer.text, "price"), what)
        assert.strictEqual(written(converted.answer.text, "rate"), written(price.answer.text, "price"), what)
        assert.deepStrictEqual(converted.meta, price.meta, what)
      }
    }
  })

  rule("a table has every digit of an amount", function* () {
    const { text } = yield* get(`${conversion("bitcoin", "ngn", "0.000000000000000123")}&format=csv`)
    assert.include(text, "bitcoin,NGN,0.000000000000000123,")
  })

  describe("Numbers and times: numbers", () => {
    rule("are plain decimals with no more digits than a double has, in every body", function* () {
      const list = yield* read("/v1/coins?limit=250", Coins)
      const ids = list.data.coins.map(({ id }) => id)
      for (const path of [
        "/v1/global",
        "/v1/coins?limit=250",
        "/v1/coins?limit=250&page=2",
        "/v1/naira",
        "/v1/fx",
        ...ids
          .filter((_, index) => index % 8 === 0)
          .flatMap((id) => [`/v1/coins/${id}`, `/v1/price/${id}/ngn`, `/v1/price/${id}/jpy`]),
        ...ids
          .filter((_, index) => index % 24 === 0)
          .flatMap((id) => [conversion("vnd", id, "0.000001"), conversion(id, "ngn", "1000000")])
      ]) {
        const { status, text } = yield* get(path)
        assert.strictEqual(status, 200, path)
        const numbers = numbersIn(text)
        assert.isAbove(numbers.length, 0, path)
        for (const number of numbers) {
          assert.match(number, PLAIN, path)
          assert.isAtMost(digitsOf(number), 17, path)
        }
      }
    })
  })
})

/** CoinGecko's row for a coin with figures that a double writes with an exponent. */
const dust = (id: string) => ({
  id,
  symbol: "dust",
  name: "Dust",
  image: null,
  current_price: 1.234e-9,
  market_cap: 4.2e13,
  market_cap_rank: 1,
  total_volume: 1e-7,
  high_24h: 2e-9,
  low_24h: 1e-9,
  price_change_percentage_24h: -1e-7,
  price_change_percentage_1h_in_currency: 0.1 + 0.2,
  price_change_percentage_7d_in_currency: -0,
  circulating_supply: 3.4e22,
  total_supply: 1e24,
  max_supply: null,
  ath: 1e-6,
  ath_date: "2026-01-02T03:04:05.678Z",
  last_updated: "2026-11-20T11:59:00.000Z"
})

/** A service whose only coins are these. */
const dusty = Layer.unwrap(
  Effect.gen(function* () {
    const rows = [dust("dust"), { ...dust("tether"), circulating_supply: null, current_price: 0.98 }]
    const gecko = yield* scriptedUpstream(({ url }) => (url.startsWith("/coins/markets") ? json(rows) : json([])))
    return RunningService.layer({ at: friday, config: { COINGECKO_BASE_URL: gecko.url, ...withoutEvidence } })
  })
)

rulesIn(dusty)("Payloads: odd coins", (rule) => {
  rule("one that costs a billionth is written without an exponent, in every place", function* () {
    const { answer } = yield* read("/v1/price/dust/usd", Price)
    assert.strictEqual(written(answer.text, "price"), "0.000000001234")
    const coin = yield* get("/v1/coins/dust")
    assert.strictEqual(written(coin.text, "market_cap"), "42000000000000")
    assert.strictEqual(written(coin.text, "volume_24h"), "0.0000001")
    assert.strictEqual(written(coin.text, "circulating_supply"), `34${"0".repeat(21)}`)
    assert.strictEqual(written(coin.text, "change_24h"), "-0.0000001")
    assert.strictEqual(written(coin.text, "change_7d"), "0")
    const list = yield* get("/v1/coins")
    const many = yield* get(conversion("eur", "dust", "1000000000000000"))
    const few = yield* get(conversion("dust", "ngn", "0.000000000000000001"))
    for (const { status, text } of [coin, list, many, few]) {
      assert.strictEqual(status, 200, text)
      for (const number of numbersIn(text)) assert.match(number, PLAIN, text)
    }
  })
})
