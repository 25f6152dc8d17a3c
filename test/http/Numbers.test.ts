import { assert, describe, layer } from "@effect/vitest"
import { BigDecimal, Effect, Layer } from "effect"
import { friday, RunningService, withoutEvidence, get, onFriday } from "../RunningService.ts"
import { json, scriptedUpstream } from "../sources/ScriptedUpstream.ts"
import {
  Coins,
  Conversion,
  conversion,
  digitsOf,
  fiats,
  Naira,
  numbersIn,
  Price,
  read,
  refused,
  written
} from "./support.ts"
import cases from "./cases.json" with { type: "json" }
import { rulesIn, rulesOf } from "../rulesOf.ts"

/** A plain decimal in its shortest form. */
const PLAIN = /^-?(0|[1-9]\d*)(\.\d*[1-9])?$/

/** Equal to eleven significant digits: both sides are rounded to twelve. */
const agree = (actual: number, expected: number, what: string) =>
  assert.isAtMost(Math.abs(actual / expected - 1), 1e-11, `${what}: ${actual}, not ${expected}`)

const assets = cases.assets

const pairs = assets.flatMap((from) => assets.map((to) => [from, to] as const))

const exact = (text: string | undefined) => BigDecimal.fromStringUnsafe(text ?? "")

layer(onFriday)((it) => {
  const rule = rulesOf(it, Effect.void)

  describe("Payloads: conversions between any two assets", () => {
    rule("the legs begin and end where asked, meet each other, never twice, and multiply to the rate", function* () {
      for (const [from, to] of pairs) {
        const { answer, data } = yield* read(conversion(from, to), Conversion)
        const what = `${from} to ${to}`
        if (from === to) {
          assert.deepStrictEqual([data.rate, data.result, data.legs], [1, 1, []], what)
          continue
        }
        assert.isAbove(data.legs.length, 0, what)
        assert.strictEqual(data.legs[0]?.from, data.from, what)
        assert.strictEqual(data.legs.at(-1)?.to, data.to, what)
        for (const [index, leg] of data.legs.entries()) {
          if (index > 0) assert.strictEqual(leg.from, data.legs[index - 1]?.to, what)
          assert.isTrue(Number.isFinite(leg.rate) && leg.rate > 0, what)
        }
        assert.strictEqual(new Set(data.legs.map((leg) => leg.from)).size, data.legs.length, what)
        const product = data.legs.reduce((rate, leg) => rate * leg.rate, 1)
        assert.strictEqual(data.rate, data.legs.length === 1 ? product : Number(product.toPrecision(12)), what)
        if (data.legs.length > 1) assert.isAtMost(digitsOf(written(answer.text, "rate") ?? ""), 12, what)
        assert.strictEqual(data.result, data.rate, what)
      }
    })

    rule("the way back is the inverse", function* () {
      for (const [from, to] of pairs.filter(([from, to]) => from < to)) {
        const there = yield* read(conversion(from, to), Conversion)
        const back = yield* read(conversion(to, from), Conversion)
        assert.closeTo(there.data.rate * back.data.rate, 1, 1e-10, `${from} and ${to}`)
        assert.deepStrictEqual(
          back.data.legs.map((leg) => [leg.to, leg.from, leg.source, leg.updated]),
          there.data.legs.toReversed().map((leg) => [leg.from, leg.to, leg.source, leg.updated])
        )
      }
    })

    rule("USDT in naira is one leg", function* () {
      for (const [from, to] of [
        ["tether", "ngn"],
        ["ngn", "tether"]
      ] as const) {
        const { data, meta } = yield* read(conversion(from, to), Conversion)
        assert.strictEqual(data.legs.length, 1)
        assert.strictEqual(meta.source, "Bybit P2P (sandbox) + Bitget P2P (sandbox)")
      }
    })

    rule("every naira leg is between tether and naira, at the P2P mid", function* () {
      const naira = yield* read("/v1/naira", Naira)
      const mid = naira.data.mid ?? 0
      for (const other of assets.filter((asset) => asset !== "ngn")) {
        const to = yield* read(conversion(other, "ngn"), Conversion)
        const last = to.data.legs.at(-1)
        assert.deepStrictEqual([last?.from, last?.to, last?.rate], ["tether", "NGN", mid], other)
        const from = yield* read(conversion("ngn", other), Conversion)
        const first = from.data.legs[0]
        assert.deepStrictEqual([first?.from, first?.to], ["NGN", "tether"], other)
        agree(first?.rate ?? 0, 1 / mid, other)
      }
    })

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

    const amounts = [
      "0.000000000000000001",
      "0.1",
      "3",
      "123456.789",
      "999999999999999.999999999999999999",
      "1000000000000000"
    ]

    for (const amount of amounts) {
      rule(`${amount} of one is that times the rate in the other`, function* () {
        for (const [from, to] of [
          ["bitcoin", "ngn"],
          ["ngn", "bitcoin"],
          ["pepe", "bitcoin"],
          ["vnd", "bitcoin"],
          ["eur", "jpy"],
          ["tether", "usd"],
          ["shiba-inu", "eur"]
        ] as const) {
          const { answer, data } = yield* read(conversion(from, to, amount), Conversion)
          const what = `${amount} ${from} in ${to}: ${answer.text}`
          assert.isTrue(BigDecimal.equals(exact(written(answer.text, "amount")), exact(amount)), what)
          agree(data.result, Number(amount) * data.rate, what)
          const result = written(answer.text, "result") ?? ""
          assert.match(result, PLAIN, what)
          assert.isAtMost(digitsOf(result), 17, what)
        }
      })
    }

    for (const amount of [...amounts, "1", "0.5", "0.3", "999999999999999", "0.123456789012345678", "7.100"]) {
      rule(`${amount} of an asset is ${amount} of it, digit for digit`, function* () {
        const digits = amount.includes(".") ? amount.replace(/\.?0+$/, "") : amount
        for (const asset of ["bitcoin", "tether", "usd", "ngn", "eur"]) {
          const { answer, data } = yield* read(conversion(asset, asset.toUpperCase(), amount), Conversion)
          assert.strictEqual(written(answer.text, "amount"), digits, asset)
          assert.strictEqual(written(answer.text, "result"), digits, asset)
          assert.deepStrictEqual([data.rate, data.legs], [1, []], asset)
        }
      })
    }
  })

  describe("Requests: amount", () => {
    const accepted = ["1", "0.5", "0.000000000000000001", "1000000000000000", "1000000000000000.000", "007", "1.10"]

    for (const amount of accepted) {
      it.effect(`may be ${amount}`, () => read(conversion("bitcoin", "usd", amount), Conversion))
    }

    const refusedAmounts = [...cases.refusedAmounts, "9".repeat(300)]

    for (const amount of refusedAmounts) {
      rule(`may not be ${JSON.stringify(amount.slice(0, 40))}`, function* () {
        const { errors } = yield* refused(conversion("bitcoin", "usd", amount), 400, "invalid_parameter")
        assert.deepStrictEqual(
          errors?.map(({ parameter }) => parameter),
          ["amount"]
        )
        assert.include(errors?.[0]?.detail ?? "", "plain decimal")
        yield* refused(conversion("bitcoin", "bitcoin", amount), 400, "invalid_parameter")
      })
    }
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

    rule("that are computed have 12 significant digits at most", function* () {
      const { answer } = yield* read("/v1/naira", Naira)
      for (const number of numbersIn(answer.text)) assert.isAtMost(digitsOf(number), 12, number)
      for (const id of ["bitcoin", "pepe", "solana"]) {
        const price = yield* read(`/v1/price/${id}/ngn`, Price)
        assert.isAtMost(digitsOf(written(price.answer.text, "price") ?? ""), 12)
      }
    })

    rule("that are quoted keep the source's own digits", function* () {
      const { sandbox } = yield* RunningService
      for (const id of ["bitcoin", "ethereum", "pepe"]) {
        const { answer } = yield* read(`/v1/price/${id}/usd`, Price)
        assert.strictEqual(Number(written(answer.text, "price")), sandbox.world.market.price(id, friday))
      }
    })

    rule("close to zero are written in full", function* () {
      const { answer } = yield* read(conversion("bittorrent", "bitcoin", "0.000000000000000001"), Conversion)
      assert.match(written(answer.text, "result") ?? "", /^0\.0{20,}\d+$/)
      const tiny = yield* read(conversion("vnd", "bitcoin"), Conversion)
      assert.match(written(tiny.answer.text, "rate") ?? "", /^0\.0{6,}\d+$/)
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

/** USD. USDT is believed within 3 % of a dollar. */
const CHEAP_USDT = 0.98

/** A dear coin's cap is no cap of that many coins. */
const known = { circulating_supply: null }

/** A service whose only coins are these. */
const dusty = Layer.unwrap(
  Effect.gen(function* () {
    const rows = [
      dust("dust"),
      { ...dust("usd"), ...known, current_price: 25 },
      { ...dust("tether"), ...known, current_price: CHEAP_USDT }
    ]
    const gecko = yield* scriptedUpstream(({ url }) =>
      url.startsWith("/coins/markets") ? json(rows) : url.startsWith("/simple/price") ? json({}) : json([])
    )
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

  rule("one spelled like a fiat is the fiat in a conversion, unless coin: stands before it", function* () {
    const fiat = yield* read(conversion("usd", "tether"), Conversion)
    assert.strictEqual(fiat.data.from, "USD")
    agree(fiat.data.rate, 1 / CHEAP_USDT, "USDT per dollar")
    const coin = yield* read(conversion("coin:USD", "fiat:usd"), Conversion)
    assert.deepStrictEqual([coin.data.from, coin.data.to, coin.data.rate], ["usd", "USD", 25])
    const same = yield* read(conversion("coin:usd", "coin:USD"), Conversion)
    assert.deepStrictEqual([same.data.from, same.data.to, same.data.rate], ["usd", "usd", 1])
    const price = yield* read("/v1/price/USD/usd", Price)
    assert.deepStrictEqual([price.data.id, price.data.fiat, price.data.price], ["usd", "USD", 25])
  })

  rule("a dollar is as many USDT in naira as it buys", function* () {
    const naira = yield* read("/v1/naira", Naira)
    const dollar = yield* read(conversion("usd", "ngn"), Conversion)
    agree(dollar.data.rate, (naira.data.mid ?? 0) / CHEAP_USDT, "naira per dollar")
  })
})
