import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Context, DateTime, Effect, Layer, Option } from "effect"
import type { FxRates } from "../../src/domain/FxRates.ts"
import * as Snapshot from "../../src/domain/Snapshot.ts"
import { Coins, UnknownCoin } from "../../src/services/Coins.ts"
import { Conversions, parseAsset } from "../../src/services/Conversions.ts"
import { ExchangeRates } from "../../src/services/ExchangeRates.ts"
import { Naira } from "../../src/services/Naira.ts"
import { P2pMarkets } from "../../src/services/P2pMarkets.ts"
import { Unavailable } from "../../src/services/refresh/Unavailable.ts"
import { atNoon, coin, instant, NOW } from "./scripted.ts"
import { rule, rulesOf } from "../rulesOf.ts"

const stamp = <A>(value: A, source: string, observedAt: number): Snapshot.Snapshot<A> =>
  Snapshot.make({ value, source, observedAt: instant(observedAt), retrievedAt: instant(NOW) })

const BTC = NOW - 30_000
const USDT = NOW - 40_000
const MID = NOW - 50_000

/** Prices that make mistakes visible: USDT is not a dollar, and the street is not the official rate. */
const known = new Map([
  ["bitcoin", stamp(coin("bitcoin", { price: 60_000, change_24h: 10 }), "CoinGecko", BTC)],
  ["velas", stamp(coin("velas", { price: null }), "CoinGecko", BTC)],
  ["123", stamp(coin("123", { price: 5 }), "CoinGecko", BTC)],
  ["euro-coin", stamp(coin("euro-coin", { price: 1.14, change_24h: null }), "CoinGecko", BTC)]
])

const rates: FxRates = {
  rates: { USD: 1, EUR: 0.8, GBP: 0.75, NGN: 1350 },
  observed: { USD: "2026-11-20", EUR: "2026-11-19", GBP: "2026-11-20", NGN: "2026-11-18" }
}

interface World {
  /** Every read of a part is noted here. */
  readonly reads?: Array<string>
  /** What the euro costs at each exchange, units for 1 USD. */
  readonly euro?: ReadonlyArray<number>
  /** When the last of them answered. */
  readonly euroAt?: number
  readonly euroChange?: number
  readonly midChange?: number
  /** What USDT changed by in USD. Default: 0. */
  readonly usdtChange?: number | null
  readonly mid?: "unavailable"
}

const setup = Effect.fnUntraced(function* (world: World = {}) {
  const { euro = [], euroAt = NOW - 35_000, euroChange, mid, midChange, reads = [], usdtChange = 0 } = world
  yield* atNoon
  const usdt = stamp(coin("tether", { price: 0.98, change_24h: usdtChange }), "CoinGecko", USDT)
  const noting = <A, E>(name: string, part: Effect.Effect<A, E>) =>
    Effect.andThen(
      Effect.sync(() => void reads.push(name)),
      part
    )
  const coins = Coins.layerTest({
    coin: (id) =>
      noting(
        id,
        Effect.fromNullishOr(id === "tether" ? usdt : known.get(id)).pipe(
          Effect.mapError(() => new UnknownCoin({ id, suggestions: [] }))
        )
      ),
    fiats: noting(
      "fiats",
      Effect.sync(() => {
        const [rate] = euro
        const confidence =
          euro.length > 2 ? ("high" as const) : euro.length === 2 ? ("medium" as const) : ("low" as const)
        return new Map(rate === undefined ? [] : [["EUR", stamp({ rate, confidence }, "Kraken", euroAt)]])
      })
    ),
    fiatChange: () => Effect.succeed(euroChange),
    suggest: () => Effect.succeed([])
  })
  const markets = P2pMarkets.layerTest().pipe(
    Layer.provide(
      Naira.layerTest({
        mid: noting(
          "mid",
          mid === "unavailable"
            ? Effect.fail(new Unavailable({ question: "the naira rate", retryAfter: 60 }))
            : Effect.succeed({ ...stamp(1470, "Bybit P2P", MID), confidence: "high" } as const)
        ),
        change24h: () => Effect.succeed(Option.fromUndefinedOr(midChange))
      })
    )
  )
  const fx = ExchangeRates.layerTest({
    current: noting("fx", Effect.succeed(stamp(rates, "Frankfurter", NOW - 43_200_000)))
  })
  const context = yield* Layer.build(Conversions.layerNoDeps.pipe(Layer.provide([coins, markets, fx])))
  const conversions = Context.get(context, Conversions)
  return {
    price: conversions.price,
    convert: (from: string, to: string, amount = "1") =>
      conversions.convert(parseAsset(from), parseAsset(to), BigDecimal.fromStringUnsafe(amount))
  }
})

const legs = (conversion: {
  readonly legs: ReadonlyArray<{ readonly from: string; readonly to: string; readonly source: string }>
}) => conversion.legs.map(({ from, source, to }) => `${from}>${to} ${source}`)

const ruleWith = rulesOf(it, setup())

describe("a price", () => {
  rule("takes a fiat's rate on the exchanges where it is credible, on mid alone, else the official one", function* () {
    const ofExchanges = [[0.81], [0.785], [0.85, 0.845], [0.879, 0.6, 0.6], [0.721, 0.9, 0.9]]
    for (const euro of ofExchanges) {
      const { convert, price } = yield* setup({ euro })
      const rate = 60_000 * (euro[0] ?? 0)
      assert.deepInclude(yield* price("bitcoin", "EUR"), { price: rate, change_24h: 10, source: "CoinGecko + Kraken" })
      assert.strictEqual((yield* convert("bitcoin", "eur")).rate, rate)
      for (const basis of ["official", "p2p", "customer"] as const) {
        assert.strictEqual((yield* price("bitcoin", "EUR", basis)).price, 48_000)
      }
      assert.deepStrictEqual(legs(yield* convert("eur", "gbp")), ["EUR>USD Frankfurter", "USD>GBP Frankfurter"])
    }
    const silent = yield* setup({ euro: [0.81, 0.81, 0.81], euroAt: BTC - 3_600_001 })
    assert.deepInclude(yield* silent.price("bitcoin", "EUR"), { price: 48_000, source: "CoinGecko + Frankfurter" })
    // One is 2 % off, and none counts beyond 10 %.
    for (const euro of [[0.8161], [0.7839], [0.8801, 0.88, 0.88], [0.7199, 0.72, 0.72], [80, 80, 80]]) {
      const { convert, price } = yield* setup({ euro })
      const answer = yield* price("bitcoin", "EUR")
      assert.deepInclude(answer, { price: 48_000, change_24h: 10, source: "CoinGecko + Frankfurter" }, String(euro))
      assert.strictEqual((yield* convert("bitcoin", "eur")).rate, 48_000)
    }
  })

  ruleWith("in dollars is the source's, as it is, with the coin's time", function* ({ price }) {
    const answer = yield* price("bitcoin", "USD")
    assert.deepInclude(answer, { price: 60_000, change_24h: 10, source: "CoinGecko" })
    assert.strictEqual(answer.updated.epochMilliseconds, BTC)
  })

  ruleWith("in naira goes through USDT at its own price and the P2P mid, never the official", function* ({ price }) {
    const answer = yield* price("bitcoin", "NGN")
    // 60,000 × 1.02040816327 (1 / 0.98 with twelve digits) × 1470.
    assert.strictEqual(answer.price, 90_000_000.0004)
    assert.strictEqual(answer.source, "CoinGecko + Bybit P2P")
    assert.strictEqual(answer.updated.epochMilliseconds, MID)
  })

  rule("changes in naira as the product of its parts: the coin over USDT, and the mid", function* () {
    const changeOf = Effect.fnUntraced(function* (id: string, world: World) {
      return (yield* (yield* setup(world)).price(id, "NGN")).change_24h
    })
    assert.strictEqual(yield* changeOf("bitcoin", { midChange: -10 }), -1)
    assert.isNull(yield* changeOf("euro-coin", { midChange: -10 }))
    // USDT loses 5 % and costs as much naira less: a dollar costs what it did. Then 1 USDT costs the same: a dollar costs more.
    assert.strictEqual(yield* changeOf("bitcoin", { midChange: -5, usdtChange: -5 }), 10)
    assert.strictEqual(yield* changeOf("tether", { midChange: -5, usdtChange: -5 }), -5)
    assert.strictEqual(yield* changeOf("bitcoin", { midChange: 0, usdtChange: -12 }), 25)
    assert.strictEqual(yield* changeOf("tether", { midChange: 0.7, usdtChange: -0.3 }), 0.7)
  })

  rule("changes in naira by the coin's change in USD where one of the others is not known", function* () {
    for (const world of [{}, { midChange: -10, usdtChange: null }]) {
      assert.strictEqual((yield* (yield* setup(world)).price("bitcoin", "NGN")).change_24h, 10)
    }
  })

  rule("changes in a fiat of the exchanges by both changes compounded, if the fiat's is recorded", function* () {
    const changeOf = Effect.fnUntraced(function* (world: World) {
      return (yield* (yield* setup(world)).price("bitcoin", "EUR")).change_24h
    })
    assert.strictEqual(yield* changeOf({ euro: [0.8], euroChange: -10 }), -1)
    assert.strictEqual(yield* changeOf({ euro: [0.8] }), 10)
    // At the official rate the coin's change counts alone.
    assert.strictEqual(yield* changeOf({ euro: [80], euroChange: -10 }), 10)
  })

  ruleWith("across a fiat's rate is as old as that rate's day, if older than the coin", function* ({ price }) {
    assert.strictEqual(DateTime.formatIso((yield* price("bitcoin", "EUR")).updated), "2026-11-19T00:00:00.000Z")
    assert.strictEqual(DateTime.formatIso((yield* price("bitcoin", "GBP")).updated), "2026-11-20T00:00:00.000Z")
  })

  rule("reads each of its parts once", function* () {
    const readsOf = Effect.fnUntraced(function* (
      use: (world: Effect.Success<ReturnType<typeof setup>>) => Effect.Effect<unknown, unknown>,
      world: World = {}
    ) {
      const reads: Array<string> = []
      yield* use(yield* setup({ ...world, reads }))
      return reads.toSorted()
    })
    assert.deepStrictEqual(yield* readsOf(({ price }) => price("bitcoin", "USD")), ["bitcoin"])
    assert.deepStrictEqual(yield* readsOf(({ price }) => price("bitcoin", "EUR"), { euro: [0.8] }), [
      "bitcoin",
      "fiats",
      "fx"
    ])
    assert.deepStrictEqual(yield* readsOf(({ price }) => price("bitcoin", "GBP")), ["bitcoin", "fiats", "fx"])
    assert.deepStrictEqual(yield* readsOf(({ price }) => price("bitcoin", "NGN")), ["bitcoin", "mid", "tether"])
    assert.deepStrictEqual(yield* readsOf(({ price }) => price("tether", "NGN")), ["mid", "tether"])
    assert.deepStrictEqual(yield* readsOf(({ convert }) => convert("eur", "gbp")), ["fx"])
    const failing = yield* readsOf(({ price }) => Effect.flip(price("bitcoin", "NGN")), { mid: "unavailable" })
    assert.deepStrictEqual(failing, ["bitcoin", "mid", "tether"], "also where it fails")
  })

  rule("of a coin without a quote is no price, of an unknown one unknown, without a mid unavailable", function* () {
    const { price } = yield* setup({ mid: "unavailable" })
    assert.strictEqual((yield* Effect.flip(price("velas", "USD")))._tag, "NoPrice")
    assert.strictEqual((yield* Effect.flip(price("no-such-coin", "USD")))._tag, "UnknownCoin")
    assert.strictEqual((yield* Effect.flip(price("bitcoin", "NGN")))._tag, "Unavailable")
    assert.strictEqual((yield* price("bitcoin", "USD")).price, 60_000)
  })
})

describe("a conversion", () => {
  ruleWith("between fiats and the naira walks over the dollar and USDT", function* ({ convert }) {
    const answer = yield* convert("eur", "ngn", "100")
    assert.deepStrictEqual(legs(answer), ["EUR>USD Frankfurter", "USD>tether CoinGecko", "tether>NGN Bybit P2P"])
    assert.strictEqual(answer.rate, 1875.000_000_01)
    assert.strictEqual(BigDecimal.format(answer.result), "187500.000001")
    assert.strictEqual(answer.source, "Frankfurter + CoinGecko + Bybit P2P")
    assert.strictEqual(DateTime.formatIso(answer.updated), "2026-11-19T00:00:00.000Z")
    const back = yield* convert("ngn", "eur")
    assert.closeTo(back.rate * answer.rate, 1, 1e-10)
  })

  rule("uses a fiat's rate on the exchanges in either direction", function* () {
    const { convert } = yield* setup({ euro: [0.81, 0.811] })
    assert.deepStrictEqual(legs(yield* convert("bitcoin", "eur")), ["bitcoin>USD CoinGecko", "USD>EUR Kraken"])
    const back = yield* convert("eur", "bitcoin", "97200")
    assert.deepStrictEqual(legs(back), ["EUR>USD Kraken", "USD>bitcoin CoinGecko"])
    assert.strictEqual(BigDecimal.format(back.result), "2")
  })

  ruleWith("of an asset into itself is exactly the amount, stamped by who vouches for it", function* ({ convert }) {
    const amount = "123456789012345.123456789012345678"
    for (const [asset, source] of [
      ["bitcoin", "CoinGecko"],
      ["EUR", "Frankfurter"],
      ["usd", "Frankfurter"],
      ["ngn", "Bybit P2P"]
    ] as const) {
      const answer = yield* convert(asset, asset, amount)
      assert.isTrue(BigDecimal.equals(answer.result, BigDecimal.fromStringUnsafe(amount)), asset)
      assert.deepStrictEqual([answer.rate, answer.legs], [1, []])
      assert.strictEqual(answer.source, source)
    }
  })

  ruleWith("from or to what is not known, or known and not quoted, says which", function* ({ convert }) {
    assert.deepInclude(yield* Effect.flip(convert("bitcoin", "no-such-coin")), {
      _tag: "UnknownCoin",
      id: "no-such-coin"
    })
    assert.deepInclude(yield* Effect.flip(convert("no-such-coin", "no-such-coin")), {
      _tag: "UnknownCoin",
      id: "no-such-coin"
    })
    assert.deepInclude(yield* Effect.flip(convert("velas", "bitcoin")), { _tag: "NoPrice", asset: "velas" })
    // A currency in use that the source lacks, and a code that is no currency.
    assert.deepInclude(yield* Effect.flip(convert("bitcoin", "kes")), { _tag: "NoPrice", asset: "KES" })
    assert.deepInclude(yield* Effect.flip(convert("bitcoin", "fiat:xyz")), { _tag: "UnknownCoin", id: "XYZ" })
    // A coin and a fiat of one name are not the same, and only the coin is known.
    assert.strictEqual((yield* convert("coin:123", "coin:123")).rate, 1)
    assert.deepInclude(yield* Effect.flip(convert("coin:123", "fiat:123")), { _tag: "UnknownCoin", id: "123" })
  })
})

describe("what a caller names", () => {
  it("is a fiat where it is spelled like one, in any case, and else a coin", () => {
    assert.deepStrictEqual(parseAsset("eUr"), { _tag: "Fiat", code: "EUR" })
    assert.deepStrictEqual(parseAsset("Bitcoin"), { _tag: "Coin", id: "bitcoin" })
    assert.deepStrictEqual(parseAsset("btc"), { _tag: "Coin", id: "btc" })
  })

  it("is what its prefix says", () => {
    assert.deepStrictEqual(parseAsset("coin:EUR"), { _tag: "Coin", id: "eur" })
    assert.deepStrictEqual(parseAsset("FIAT:bitcoin"), { _tag: "Fiat", code: "BITCOIN" })
  })
})
