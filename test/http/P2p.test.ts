// The P2P markets over HTTP, in a world with every market that is known: four of them are not in order.
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { p2pMarkets } from "../../src/domain/P2pMarket.ts"
import { friday, RunningService, withoutEvidence, get, pass } from "../RunningService.ts"
import { Conversion, Fx } from "../../src/api/ConversionApi.ts"
import { Price } from "../../src/api/MarketApi.ts"
import { P2pMarket, P2pMarkets } from "../../src/api/P2pApi.ts"
import { jsonAt, read, refused } from "./support.ts"
import { rulesIn } from "../rulesOf.ts"

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

rulesIn(
  RunningService.layer({
    at: friday,
    config: { ...withoutEvidence, P2P_MARKETS: all.join(","), COINGECKO_PLAN: "pro" }
  })
)("/v1/p2p", (rule) => {
  rule("lists every market that is followed, the naira first, each as its own path has it", function* () {
    yield* pass("4 minutes")
    const { data, meta } = yield* read("/v1/p2p", P2pMarkets)
    assert.deepStrictEqual(
      data.markets.map(({ fiat }) => fiat),
      inOrder
    )
    for (const { fiat, ...row } of data.markets) {
      const { meta: own, official_source: _, venues: __, ...one } = yield* market(fiat.toLowerCase())
      assert.deepStrictEqual({ ...one, updated: own.updated, source: own.source }, row, fiat)
      assert.isAtMost(Date.parse(own.updated), Date.parse(meta.updated))
    }
    assert.match(meta.source, /Bybit P2P \(sandbox\).*Binance P2P \(sandbox\)/)
  })

  rule("the naira is what /v1/naira is, to the digit", function* () {
    assert.strictEqual(yield* text("/v1/p2p/ngn"), yield* text("/v1/naira"))
    assert.strictEqual(yield* text("/v1/p2p/NGN"), yield* text("/v1/naira"))
  })

  rule("every market that is in order is near its street, with high confidence, by all of its venues", function* () {
    const { sandbox } = yield* RunningService
    const { street } = yield* sandbox.truth
    for (const fiat of all.filter((one) => one !== "RWF")) {
      const { buy, confidence, mid, sell, venues } = yield* market(fiat)
      near(mid ?? 0, street(fiat), 0.01, fiat)
      if (["EGP", "XAF", "CUP"].includes(fiat)) continue
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

  rule("too few ads are no rate: null with a reason, never a number", function* () {
    const { buy, mid, premium, reason, sell, spread, venues } = yield* market("rwf")
    assert.deepStrictEqual([buy, sell, mid, spread, premium], [null, null, null, null, null])
    assert.match(reason ?? "", /too_few_ads/)
    assert.isTrue(venues.every((venue) => venue.mid === null && venue.reason !== null))
    const { detail } = yield* refused("/v1/convert?from=usd&to=rwf&basis=p2p", 503, "source_unavailable")
    assert.match(detail, /^No fresh data for the P2P rate of RWF: too few ads/)
  })

  rule("without an official rate there is no premium, and the reason says so", function* () {
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

  rule("without an official rate every path takes the market's mid, and the leg says so", function* () {
    const gecko = "/compat/coingecko/api/v3"
    const rateOf = (from: string, basis: string) =>
      Effect.map(jsonAt(`/v1/convert?from=${from}&to=GHS&basis=${basis}`), ({ data }) => data)
    const [bitcoin, dollar] = [yield* rateOf("bitcoin", "p2p"), yield* rateOf("usd", "p2p")]
    const { legs, rate } = yield* rateOf("bitcoin", "mid")
    assert.strictEqual(rate, bitcoin.rate)
    assert.deepStrictEqual(legs.at(-1), bitcoin.legs.at(-1))
    assert.deepInclude(legs.at(-1), { from: "tether", to: "GHS", basis: "p2p" })
    for (const basis of ["", "/mid", "/p2p"]) {
      const yadio = `/compat/yadio.io${basis}`
      assert.strictEqual((yield* jsonAt(`${yadio}/exrates/BTC`)).BTC.GHS, bitcoin.rate, basis)
      assert.strictEqual((yield* jsonAt(`${yadio}/rate/GHS`)).rate, dollar.rate, basis)
      const [row] = yield* jsonAt(`/compat/btcpay${basis}/api/rates?currencyPairs=BTC_GHS`)
      assert.strictEqual(row.rate, bitcoin.rate, basis)
    }
    assert.property(yield* jsonAt("/compat/yadio.io/currencies"), "GHS")
    assert.isNumber((yield* jsonAt("/compat/yadio.io/customer/exrates/USD")).USD.GHS)
    assert.strictEqual((yield* jsonAt(`${gecko}/simple/price?ids=bitcoin&vs_currencies=ghs`)).bitcoin.ghs, bitcoin.rate)
    assert.include(yield* jsonAt(`${gecko}/simple/supported_vs_currencies`), "ghs")
    assert.notProperty((yield* jsonAt("/compat/yadio.io/official/exrates/USD")).USD, "GHS")
    const { detail } = yield* refused("/v1/convert?from=usd&to=GHS&basis=official", 404, "no_price")
    assert.strictEqual(detail, "No rate of GHS is known on this basis.")
    // A fiat that has both keeps the official one.
    assert.notProperty((yield* jsonAt("/v1/convert?from=usd&to=KES")).data.legs[0], "basis")
  })

  rule("a venue whose sides lie the wrong way round is passed over and named", function* () {
    const { sandbox } = yield* RunningService
    const { mid, venues } = yield* market("xaf")
    const swapped = venues.find(({ venue }) => venue.startsWith("Binance"))
    assert.deepStrictEqual([swapped?.mid, swapped?.reason], [null, "inverted"])
    near(mid ?? 0, (yield* sandbox.truth).street("XAF"), 0.003, "the rest")
  })

  rule("sides that meet are still one market", function* () {
    const { sandbox } = yield* RunningService
    const { buy, mid, sell } = yield* market("egp")
    near(mid ?? 0, (yield* sandbox.truth).street("EGP"), 0.01, "the street")
    near(buy ?? 0, sell ?? 0, 0.01, "the sides")
  })

  rule("a fiat without a market is an unknown asset; those there are are suggested", function* () {
    for (const path of ["/v1/p2p/eur", "/v1/p2p/xxx", "/v1/p2p/eur/history"]) {
      const problem = yield* refused(path, 404, "unknown_asset")
      assert.deepStrictEqual(
        problem.suggestions?.map(({ id }) => id),
        inOrder
      )
    }
  })

  rule("refuses data older than max_age, and asks for the past only with a history", function* () {
    assert.strictEqual((yield* get("/v1/p2p/kes?max_age=600")).status, 200)
    const old = yield* get("/v1/p2p/ugx?max_age=1")
    assert.strictEqual(old.status, 503)
    assert.strictEqual(JSON.parse(old.text).code, "too_old")
    yield* refused("/v1/p2p/kes?at=2026-11-19", 503, "source_unavailable")
  })

  describe("for an amount", () => {
    const quoted = (fiat: string, query: string) =>
      Effect.map(market(fiat, query), ({ quote, ...rate }) => {
        assert(quote !== undefined)
        return { ...rate, ...quote, atRate: quote.rate }
      })

    rule("is up to the order size what the side is, with the ads that make it", function* () {
      for (const [query, side] of [
        ["?amount=9000", "sell"],
        ["?amount=9000&side=buy", "buy"],
        ["?side=sell&amount=0.01", "sell"]
      ] as const) {
        const found = yield* quoted("kes", query)
        assert.deepInclude(found, { side, filled: found.amount, reason: null, atRate: found[side] })
        assert.isAbove(found.ads, 5)
        near(found.distance ?? 0, ((found[side] ?? 0) / (found.mid ?? 1) - 1) * 100, 1e-6, query)
      }
      assert.notProperty(yield* market("kes"), "quote")
    })

    rule("is beyond it never better, and says what the ads cannot fill", function* () {
      const buying = yield* quoted("kes", "?amount=3000000&side=buy")
      assert.isAtLeast(buying.atRate ?? 0, buying.buy ?? Infinity)
      assert.deepInclude(buying, { amount: 3e6, filled: 3e6, merchants: buying.ads })
      const large = yield* quoted("kes", "?amount=900000000000")
      assert.deepInclude(large, { atRate: null, distance: null, reason: "too_thin" })
      assert.isTrue(large.filled > 3e6 && large.filled < 9e11)
      const thin = yield* quoted("rwf", "?amount=100000")
      assert.deepInclude(thin, { atRate: null, filled: 0, ads: 0, reason: thin.reason })
      assert.match(thin.reason ?? "", /too_few_ads/)
    })

    rule("is in a conversion for a customer the same rate, into the market and out of it", function* () {
      const legOf = (from: string, to: string, amount: number) =>
        Effect.map(
          read(`/v1/convert?from=${from}&to=${to}&amount=${amount}&basis=customer`, Conversion),
          ({ data }) => ({ ...data, ads: data.legs.find(({ ads }) => ads !== undefined)?.ads })
        )
      for (const amount of [9000, 500_000, 5_000_000]) {
        const buying = yield* quoted("kes", `?amount=${amount}&side=buy`)
        const out = yield* legOf("kes", "tether", amount)
        near(out.result, amount / (buying.atRate ?? 0), 1e-10, "out")
        assert.strictEqual(out.ads, buying.ads)
        const selling = yield* quoted("kes", `?amount=${amount}`)
        const into = yield* legOf("tether", "kes", amount / (selling.atRate ?? 0) - 1e-9)
        near(into.result, amount, 1e-6, "into")
        assert.strictEqual(into.ads, selling.ads)
      }
    })

    rule("that cannot be filled is a 503 with what can, on /v1/convert for a customer alone", function* () {
      const large = yield* quoted("kes", "?amount=900000000000&side=buy")
      const path = "/v1/convert?from=kes&to=tether&amount=900000000000"
      const answer = yield* get(`${path}&basis=customer`)
      assert.deepStrictEqual([answer.status, answer.headers["retry-after"]], [503, "60"])
      assert.deepInclude(JSON.parse(answer.text), { code: "too_thin", fiat: "KES", available: large.filled })
      for (const basis of ["mid", "p2p", "official"])
        assert.strictEqual((yield* get(`${path}&basis=${basis}`)).status, 200)
      for (const base of ["/compat/yadio.io/customer", "/compat/yadio.io"]) {
        const { status } = yield* get(`${base}/convert/900000000000/KES/USD`)
        assert.strictEqual(status, base.endsWith("customer") ? 503 : 200)
      }
      assert.strictEqual((yield* get("/compat/yadio.io/customer/rate/KES")).status, 200)
    })

    rule("is refused where it says nothing: a side without it, or of a time in the past", function* () {
      for (const query of ["side=buy", "amount=0", "amount=1e9", "amount=1&side=both", "amount=1&at=2026-11-19"]) {
        yield* refused(`/v1/p2p/kes?${query}`, 400, "invalid_parameter")
        yield* refused(`/v1/naira?${query}`, 400, "invalid_parameter")
      }
    })
  })

  describe("basis", () => {
    rule("mid is the naira's P2P mid and the official rate of every other fiat, and the default", function* () {
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

    rule("p2p is the mid of every fiat with a market, through USDT, and the official rate of others", function* () {
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

    rule("customer is sell into a fiat and buy out of it", function* () {
      for (const fiat of ["NGN", "KES"]) {
        const { buy, sell } = yield* market(fiat)
        const into = yield* converted("tether", fiat, "customer")
        const out = yield* converted(fiat, "tether", "customer")
        assert.deepStrictEqual([into.rate, into.legs], [sell, [`tether>${fiat} customer`]])
        near(out.rate, 1 / (buy ?? 0), 1e-10, fiat)
        assert.deepStrictEqual(out.legs, [`${fiat}>tether customer`])
      }
    })

    rule("official is the rate of /v1/fx of every fiat, the naira too, without USDT", function* () {
      const { data } = yield* read("/v1/fx", Fx)
      for (const fiat of ["NGN", "KES", "EUR"]) {
        const { legs, rate } = yield* converted("usd", fiat, "official")
        assert.deepStrictEqual([rate, legs], [data.rates[fiat], [`USD>${fiat} official`]], fiat)
        const coin = yield* converted("bitcoin", fiat, "official")
        assert.deepStrictEqual(coin.legs, ["bitcoin>USD -", `USD>${fiat} official`])
      }
      yield* refused("/v1/convert?from=usd&to=ghs&basis=official", 404, "no_price")
    })

    rule("a market without a figure is a 503, never the official rate", function* () {
      for (const basis of ["p2p", "customer"]) {
        yield* refused(`/v1/convert?from=usd&to=rwf&basis=${basis}`, 503, "source_unavailable")
      }
    })

    rule("is the same in a price, in many prices and in a conversion of 1", function* () {
      for (const basis of ["mid", "p2p", "customer", "official"]) {
        for (const fiat of ["ngn", "zar", "eur"]) {
          const price = (yield* read(`/v1/price/tether/${fiat}?basis=${basis}`, Price)).data.price
          const { rate } = yield* converted("tether", fiat, basis)
          const many = JSON.parse(yield* text(`/v1/prices?ids=tether&fiats=${fiat}&basis=${basis}`))
          assert.strictEqual(rate, price, `${basis} ${fiat}`)
          assert.strictEqual(many.data.prices[0].price[fiat.toUpperCase()], price, `${basis} ${fiat}`)
        }
      }
    })

    rule("in South Africa the street is not the bank: a price in rand differs by basis", function* () {
      const priceBy = (basis: string) =>
        Effect.map(read(`/v1/price/bitcoin/zar?basis=${basis}`, Price), ({ data }) => data.price)
      const [mid, street, official] = [yield* priceBy("mid"), yield* priceBy("p2p"), yield* priceBy("official")]
      near(mid, official, 0.01, "the source's own quote")
      assert.notStrictEqual(street, official)
    })
  })
})
