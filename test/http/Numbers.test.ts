import { assert, describe } from "@effect/vitest"
import { get, sharedFriday } from "../RunningService.ts"
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
