// The P2P markets over HTTP, in a world with every market that is known: four of them are not in order.
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { p2pMarkets } from "../../src/domain/P2pMarket.ts"
import { friday, RunningService, withoutEvidence, get, pass } from "../RunningService.ts"
import { Conversion, Fx, P2pMarket, P2pMarkets, Price, read, refused } from "./support.ts"

const all = Object.keys(p2pMarkets)

const inOrder = ["NGN", ...all.filter((fiat) => fiat !== "NGN").toSorted()]

const text = (path: string) => Effect.map(get(path), ({ text }) => text)

const market = (fiat: string, query = "") =>
  Effect.map(read(`/v1/p2p/${fiat}${query}`, P2pMarket), ({ data, meta }) => ({ ...data, meta }))

/** A rate of `/v1/convert`, its legs as `from>to basis`. */
const converted = (from: string, to: string, basis: string) =>
  Effect.map(read(`/v1/convert?from=${from}&to=${to}&basis=${basis}`, Conversion), ({ data }) => ({
    rate: data.rate,
    legs: data.legs.map((leg) => `${leg.from}>${leg.to} ${leg.basis ?? "-"}`)
  }))

const near = (a: number, b: number, share: number, what: string) => assert.isBelow(Math.abs(a / b - 1), share, what)

layer(
  RunningService.layer({
    at: friday,
    config: { ...withoutEvidence, P2P_MARKETS: all.join(","), COINGECKO_PLAN: "pro" }
  })
)("/v1/p2p", (it) => {
  it.effect("lists every market that is followed, the naira first, each as its own path has it", () =>
    Effect.gen(function* () {
      yield* pass("2 minutes")
      const { data, meta } = yield* read("/v1/p2p", P2pMarkets)
      assert.deepStrictEqual(
        data.markets.map(({ fiat }) => fiat),
        inOrder
      )
      for (const { fiat, ...row } of data.markets) {
        const { meta: own, official_source: _, venues: __, ...one } = yield* market(fiat.toLowerCase())
        assert.deepStrictEqual({ ...one, updated: own.updated }, row, fiat)
        assert.isAtMost(Date.parse(own.updated), Date.parse(meta.updated))
      }
      assert.match(meta.source, /Bybit P2P \(sandbox\).*Binance P2P \(sandbox\)/)
    })
  )

  it.effect("the naira is what /v1/naira is, to the digit", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* text("/v1/p2p/ngn"), yield* text("/v1/naira"))
      assert.strictEqual(yield* text("/v1/p2p/NGN"), yield* text("/v1/naira"))
    })
  )

  it.effect("every market that is in order is near its street, with high confidence, by all of its venues", () =>
    Effect.gen(function* () {
      const { sandbox } = yield* RunningService
      const { street } = yield* sandbox.truth
      for (const fiat of all.filter((one) => one !== "RWF")) {
        const { buy, confidence, mid, sell, venues } = yield* market(fiat)
        near(mid ?? 0, street(fiat), 0.01, fiat)
        if (fiat === "EGP" || fiat === "XAF") continue
        assert.strictEqual(confidence, "high", fiat)
        assert.isAbove(buy ?? 0, sell ?? 0, fiat)
        const { orderBooks, venues: known } = p2pMarkets[fiat as keyof typeof p2pMarkets]
        assert.strictEqual(venues.length, known.length + orderBooks.length, fiat)
        assert.isTrue(
          venues.every((venue) => venue.mid !== null),
          fiat
        )
      }
    })
  )

  it.effect("too few ads are no rate: null with a reason, never a number", () =>
    Effect.gen(function* () {
      const { buy, mid, premium, reason, sell, spread, venues } = yield* market("rwf")
      assert.deepStrictEqual([buy, sell, mid, spread, premium], [null, null, null, null, null])
      assert.match(reason ?? "", /too_few_ads/)
      assert.isTrue(venues.every((venue) => venue.mid === null && venue.reason !== null))
    })
  )

  it.effect("without an official rate there is no premium, and the reason says so", () =>
    Effect.gen(function* () {
      const { data } = yield* read("/v1/fx", Fx)
      for (const fiat of ["GHS", "ZMW"]) {
        const { mid, official, official_date, official_source, premium, reason } = yield* market(fiat)
        assert.notProperty(data.rates, fiat)
        assert.isNotNull(mid)
        assert.deepStrictEqual([official, official_date, official_source, premium], [null, null, null, null])
        assert.strictEqual(reason, "official_rate_missing")
      }
      for (const fiat of ["KES", "ZAR", "XOF"]) {
        const { official, official_date } = yield* market(fiat)
        assert.deepStrictEqual([official, official_date], [data.rates[fiat], data.observed[fiat]], fiat)
      }
    })
  )

  it.effect("a venue whose sides lie the wrong way round is passed over and named", () =>
    Effect.gen(function* () {
      const { sandbox } = yield* RunningService
      const { mid, venues } = yield* market("xaf")
      const swapped = venues.find(({ venue }) => venue.startsWith("Binance"))
      assert.deepStrictEqual([swapped?.mid, swapped?.reason], [null, "inverted"])
      near(mid ?? 0, (yield* sandbox.truth).street("XAF"), 0.003, "the rest")
    })
  )

  it.effect("sides that meet are still one market", () =>
    Effect.gen(function* () {
      const { sandbox } = yield* RunningService
      const { buy, mid, sell } = yield* market("egp")
      near(mid ?? 0, (yield* sandbox.truth).street("EGP"), 0.01, "the street")
      near(buy ?? 0, sell ?? 0, 0.01, "the sides")
    })
  )

  it.effect("a fiat without a market is an unknown asset; those there are are suggested", () =>
    Effect.gen(function* () {
      for (const path of ["/v1/p2p/eur", "/v1/p2p/xxx", "/v1/p2p/eur/history"]) {
        const problem = yield* refused(path, 404, "unknown_asset")
        assert.deepStrictEqual(
          problem.suggestions?.map(({ id }) => id),
          inOrder
        )
      }
    })
  )

  it.effect("refuses data older than max_age, and asks for the past only with a history", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* get("/v1/p2p/kes?max_age=600")).status, 200)
      const old = yield* get("/v1/p2p/ugx?max_age=1")
      assert.strictEqual(old.status, 503)
      assert.strictEqual(JSON.parse(old.text).code, "too_old")
      yield* refused("/v1/p2p/kes?at=2026-11-19", 503, "source_unavailable")
    })
  )

  describe("basis", () => {
    it.effect("mid is the naira's P2P mid and the official rate of every other fiat, and the default", () =>
      Effect.gen(function* () {
        for (const [from, to] of [
          ["usd", "ngn"],
          ["usd", "kes"],
          ["kes", "ngn"],
          ["bitcoin", "zar"]
        ]) {
          assert.strictEqual(
            yield* text(`/v1/convert?from=${from}&to=${to}&basis=mid`),
            yield* text(`/v1/convert?from=${from}&to=${to}`)
          )
        }
        const { legs } = yield* converted("usd", "kes", "mid")
        assert.deepStrictEqual(legs, ["USD>KES -"])
      })
    )

    it.effect("p2p is the mid of every fiat with a market, through USDT, and the official rate of others", () =>
      Effect.gen(function* () {
        for (const fiat of ["NGN", "KES", "GHS", "ZAR"]) {
          const { mid } = yield* market(fiat)
          const usdt = yield* converted("tether", fiat, "p2p")
          assert.strictEqual(usdt.rate, mid, fiat)
          assert.deepStrictEqual(usdt.legs, [`tether>${fiat} p2p`])
        }
        const both = yield* converted("kes", "ngn", "p2p")
        assert.deepStrictEqual(both.legs, ["KES>tether p2p", "tether>NGN p2p"])
        assert.deepStrictEqual((yield* converted("eur", "kes", "p2p")).legs, [
          "EUR>USD official",
          "USD>tether -",
          "tether>KES p2p"
        ])
      })
    )

    it.effect("customer is sell into a fiat and buy out of it", () =>
      Effect.gen(function* () {
        for (const fiat of ["NGN", "KES"]) {
          const { buy, sell } = yield* market(fiat)
          const into = yield* converted("tether", fiat, "customer")
          const out = yield* converted(fiat, "tether", "customer")
          assert.deepStrictEqual([into.rate, into.legs], [sell, [`tether>${fiat} customer`]])
          near(out.rate, 1 / (buy ?? 0), 1e-10, fiat)
          assert.deepStrictEqual(out.legs, [`${fiat}>tether customer`])
        }
      })
    )

    it.effect("official is the rate of /v1/fx of every fiat, the naira too, without USDT", () =>
      Effect.gen(function* () {
        const { data } = yield* read("/v1/fx", Fx)
        for (const fiat of ["NGN", "KES", "EUR"]) {
          const { legs, rate } = yield* converted("usd", fiat, "official")
          assert.deepStrictEqual([rate, legs], [data.rates[fiat], [`USD>${fiat} official`]], fiat)
          const coin = yield* converted("bitcoin", fiat, "official")
          assert.deepStrictEqual(coin.legs, ["bitcoin>USD -", `USD>${fiat} official`])
        }
        yield* refused("/v1/convert?from=usd&to=ghs&basis=official", 404, "no_price")
      })
    )

    it.effect("a market without a figure is a 503, never the official rate", () =>
      Effect.gen(function* () {
        for (const basis of ["p2p", "customer"]) {
          yield* refused(`/v1/convert?from=usd&to=rwf&basis=${basis}`, 503, "source_unavailable")
        }
      })
    )

    it.effect("is the same in a price, in many prices and in a conversion of 1", () =>
      Effect.gen(function* () {
        for (const basis of ["mid", "p2p", "customer", "official"]) {
          for (const fiat of ["ngn", "zar", "eur"]) {
            const price = (yield* read(`/v1/price/bitcoin/${fiat}?basis=${basis}`, Price)).data.price
            const { rate } = yield* converted("bitcoin", fiat, basis)
            const many = JSON.parse(yield* text(`/v1/prices?ids=bitcoin&fiats=${fiat}&basis=${basis}`))
            assert.strictEqual(rate, price, `${basis} ${fiat}`)
            assert.strictEqual(many.data.prices[0].price[fiat.toUpperCase()], price, `${basis} ${fiat}`)
          }
        }
      })
    )

    it.effect("in South Africa the street is not the bank: a price in rand differs by basis", () =>
      Effect.gen(function* () {
        const priceBy = (basis: string) =>
          Effect.map(read(`/v1/price/bitcoin/zar?basis=${basis}`, Price), ({ data }) => data.price)
        const [mid, street, official] = [yield* priceBy("mid"), yield* priceBy("p2p"), yield* priceBy("official")]
        near(mid, official, 0.01, "the source's own quote")
        assert.notStrictEqual(street, official)
      })
    )
  })
})
