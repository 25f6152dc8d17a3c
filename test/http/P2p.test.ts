// The P2P markets over HTTP, in a world with every market that is known: four of them are not in order.
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { COINGECKO_BASE } from "../../src/api/coingecko/CoinGeckoDialect.ts"
import { BASES } from "../../src/domain/Conversion.ts"
import { p2pMarkets } from "../../src/domain/P2pMarket.ts"
import streetCurrencies from "../../src/domain/streetCurrencies.json" with { type: "json" }
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

/** A conversion, its legs as `from>to basis`. */
const converted = (from: string, to: string, basis: string, amount = 1) =>
  Effect.map(read(`/v1/convert?from=${from}&to=${to}&basis=${basis}&amount=${amount}`, Conversion), ({ data }) => ({
    ...data,
    legs: data.legs.map((leg) => `${leg.from}>${leg.to} ${leg.basis ?? "-"}`),
    ads: data.legs.find(({ ads }) => ads !== undefined)?.ads
  }))

const near = (a: number, b: number, share: number, what: string) => assert.isBelow(Math.abs(a / b - 1), share, what)

rulesIn(RunningService.layer({ at: friday, config: { ...withoutEvidence, P2P_MARKETS: all.join(",") } }))(
  "/v1/p2p",
  (rule) => {
    rule("lists every market that is followed, the naira first, each as its own path has it", function* () {
      yield* pass("3 minutes")
      const { data, meta } = yield* read("/v1/p2p", P2pMarkets)
      assert.deepStrictEqual(
        data.markets.map(({ fiat }) => fiat),
        inOrder
      )
      for (const { fiat, ...row } of data.markets) {
        const { meta: own, official_source: _, venues: __, ...one } = yield* market(fiat.toLowerCase())
        assert.deepStrictEqual<unknown>({ ...one, updated: own.updated, source: own.source }, row, fiat)
        assert.isAtMost(Date.parse(own.updated), Date.parse(meta.updated))
      }
      for (const fiat of ["ngn", "NGN"]) assert.strictEqual(yield* text(`/v1/p2p/${fiat}`), yield* text("/v1/naira"))
    })

    rule("every market that is in order is near its street, with high confidence, by all of its venues", function* () {
      const { sandbox } = yield* RunningService
      const { street } = yield* sandbox.truth
      for (const fiat of all.filter((one) => one !== "RWF")) {
        const { confidence, mid, venues } = yield* market(fiat)
        near(mid ?? 0, street(fiat), 0.01, fiat)
        if (["EGP", "XAF", "CUP"].includes(fiat)) continue
        const { orderBooks, venues: known } = p2pMarkets[fiat as keyof typeof p2pMarkets]
        const answering = venues.filter((venue) => venue.mid !== null)
        assert.deepStrictEqual([confidence, answering.length], ["high", known.length + orderBooks.length], fiat)
      }
    })

    rule(
      "a currency that people exchange at another rate than the official one has its market's everywhere",
      function* () {
        const followed = Object.keys(streetCurrencies).filter((code) => all.includes(code))
        assert.isAtLeast(followed.length, 9)
        for (const code of followed) {
          const { mid } = yield* market(code)
          assert.isNumber(mid, code)
          const { data } = yield* jsonAt(`/v1/convert?from=tether&to=${code}`)
          assert.deepStrictEqual([data.rate, data.legs[0].street], [mid, undefined], code)
          const dollar = (yield* converted("usd", code, "mid")).rate
          const [vs, yadio] = [code.toLowerCase(), "/compat/yadio.io"]
          const [row] = yield* jsonAt(`/compat/btcpay/api/rates?currencyPairs=USD_${code}`)
          const rates = [(yield* jsonAt(`${yadio}/rate/${code}`)).rate, row.rate]
          assert.deepStrictEqual(
            [...rates, (yield* jsonAt(`${yadio}/exrates/USD`)).USD[code]],
            [dollar, dollar, dollar]
          )
          const { tether } = yield* jsonAt(`${COINGECKO_BASE}/simple/price?ids=tether&vs_currencies=${vs}`)
          assert.strictEqual(tether[vs], mid)
        }
      }
    )

    rule("too few ads are no rate: null with a reason, never a number nor the official rate", function* () {
      const { buy, mid, premium, reason, sell, spread, venues } = yield* market("rwf")
      assert.deepStrictEqual([buy, sell, mid, spread, premium], [null, null, null, null, null])
      assert.match(reason ?? "", /too_few_ads/)
      assert.isTrue(venues.every((venue) => venue.mid === null && venue.reason !== null))
      for (const basis of ["p2p", "customer"]) {
        const { detail } = yield* refused(`/v1/convert?from=usd&to=rwf&basis=${basis}`, 503, "source_unavailable")
        assert.match(detail, /^No fresh data for the P2P rate of RWF: too few ads/)
      }
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
      const [bitcoin, dollar] = [yield* converted("bitcoin", "GHS", "p2p"), yield* converted("usd", "GHS", "p2p")]
      const { legs, rate } = yield* converted("bitcoin", "GHS", "mid")
      assert.deepStrictEqual([rate, legs.at(-1)], [bitcoin.rate, "tether>GHS p2p"])
      for (const basis of ["", "/mid", "/p2p"]) {
        const yadio = `/compat/yadio.io${basis}`
        assert.strictEqual((yield* jsonAt(`${yadio}/exrates/BTC`)).BTC.GHS, bitcoin.rate, basis)
        assert.strictEqual((yield* jsonAt(`${yadio}/rate/GHS`)).rate, dollar.rate, basis)
        const [row] = yield* jsonAt(`/compat/btcpay${basis}/api/rates?currencyPairs=BTC_GHS`)
        assert.strictEqual(row.rate, bitcoin.rate, basis)
      }
      const prices = yield* jsonAt(`${COINGECKO_BASE}/simple/price?ids=bitcoin&vs_currencies=ghs`)
      assert.strictEqual(prices.bitcoin.ghs, bitcoin.rate)
      assert.include(yield* jsonAt(`${COINGECKO_BASE}/simple/supported_vs_currencies`), "ghs")
      assert.notProperty((yield* jsonAt("/compat/yadio.io/official/exrates/USD")).USD, "GHS")
      const { detail } = yield* refused("/v1/convert?from=usd&to=GHS&basis=official", 404, "no_price")
      assert.strictEqual(detail, "No rate of GHS is known on this basis.")
    })

    rule("guards see how certain a market is", function* () {
      for (const path of [
        "/v1/p2p/xaf?",
        "/v1/convert?from=kes&to=xaf&basis=p2p&",
        "/v1/convert?from=xaf&to=kes&basis=customer&"
      ]) {
        assert.strictEqual((yield* get(`${path}min_confidence=medium`)).status, 200)
        const { status, text } = yield* get(`${path}min_confidence=high`)
        assert.deepStrictEqual([status, JSON.parse(text).confidence], [503, "medium"], path)
      }
    })

    rule("a fiat without a market is an unknown asset; those there are are suggested", function* () {
      for (const path of ["/v1/p2p/eur", "/v1/p2p/xxx/history"]) {
        const { suggestions } = yield* refused(path, 404, "unknown_asset")
        assert.deepStrictEqual(
          suggestions?.map(({ id }) => id),
          inOrder
        )
      }
    })

    describe("for an amount", () => {
      const quoted = (fiat: string, query: string) =>
        Effect.map(market(fiat, query), ({ quote, ...rate }) => {
          assert(quote !== undefined)
          return { ...rate, ...quote, atRate: quote.rate }
        })

      rule("is up to the order size what the side is, beyond it never better, or not there", function* () {
        for (const [query, side] of [
          ["?amount=9000", "sell"],
          ["?amount=9000&side=buy", "buy"]
        ] as const) {
          const found = yield* quoted("kes", query)
          assert.deepInclude(found, { side, filled: found.amount, reason: null, atRate: found[side] })
          near(found.distance ?? 0, ((found[side] ?? 0) / (found.mid ?? 1) - 1) * 100, 1e-6, query)
        }
        assert.notProperty(yield* market("kes"), "quote")
        const buying = yield* quoted("kes", "?amount=3000000&side=buy")
        assert.isAtLeast(buying.atRate ?? 0, buying.buy ?? Infinity)
        assert.deepInclude(buying, { amount: 3e6, filled: 3e6, merchants: buying.ads })
        const thin = yield* quoted("rwf", "?amount=100000")
        assert.deepInclude(thin, { atRate: null, filled: 0, ads: 0 })
        assert.match(thin.reason ?? "", /too_few_ads/)
      })

      rule("is in a conversion for a customer the same rate, into the market and out of it", function* () {
        for (const amount of [9000, 5_000_000]) {
          const buying = yield* quoted("kes", `?amount=${amount}&side=buy`)
          const out = yield* converted("kes", "tether", "customer", amount)
          near(out.result, amount / (buying.atRate ?? 0), 1e-10, "out")
          const selling = yield* quoted("kes", `?amount=${amount}`)
          const into = yield* converted("tether", "kes", "customer", amount / (selling.atRate ?? 0) - 1e-9)
          near(into.result, amount, 1e-6, "into")
          assert.deepStrictEqual([out.ads, into.ads], [buying.ads, selling.ads])
        }
      })

      rule("that cannot be filled is a 503 with what can, on /v1/convert for a customer alone", function* () {
        const large = yield* quoted("kes", "?amount=900000000000&side=buy")
        assert.deepInclude(large, { atRate: null, distance: null, reason: "too_thin" })
        const path = "/v1/convert?from=kes&to=tether&amount=900000000000"
        const answer = yield* get(`${path}&basis=customer`)
        assert.deepStrictEqual([answer.status, answer.headers["retry-after"]], [503, "60"])
        assert.deepInclude(JSON.parse(answer.text), { code: "too_thin", fiat: "KES", available: large.filled })
        const yadio = "/compat/yadio.io"
        for (const [other, status] of [
          ...["mid", "p2p", "official"].map((basis) => [`${path}&basis=${basis}`, 200] as const),
          [`${yadio}/convert/900000000000/KES/USD`, 200],
          [`${yadio}/customer/convert/900000000000/KES/USD`, 503],
          [`${yadio}/customer/rate/KES`, 200]
        ] as const) {
          assert.strictEqual((yield* get(other)).status, status, other)
        }
      })

      rule("is refused where it says nothing: a side without it, or of a time in the past", function* () {
        for (const query of ["side=buy", "amount=0", "amount=1&side=both", "amount=1&at=2026-11-19"]) {
          for (const path of ["/v1/p2p/kes", "/v1/naira"]) yield* refused(`${path}?${query}`, 400, "invalid_parameter")
        }
      })
    })

    describe("basis", () => {
      rule("chooses the legs of a conversion", function* () {
        for (const [from, to, basis, ...legs] of [
          ["usd", "kes", "mid", "USD>KES -"],
          ["kes", "ngn", "p2p", "KES>tether p2p", "tether>NGN p2p"],
          ["eur", "kes", "p2p", "EUR>USD official", "USD>tether -", "tether>KES p2p"],
          ["tether", "kes", "customer", "tether>KES customer"],
          ["ngn", "tether", "customer", "NGN>tether customer"],
          ["bitcoin", "ngn", "official", "bitcoin>USD -", "USD>NGN official"],
          ["usd", "eur", "official", "USD>EUR official"]
        ] as const) {
          assert.deepStrictEqual((yield* converted(from, to, basis)).legs, legs, `${from} ${to} ${basis}`)
        }
        for (const query of ["from=usd&to=ngn", "from=usd&to=kes", "from=bitcoin&to=zar"]) {
          const path = `/v1/convert?${query}`
          assert.strictEqual(yield* text(`${path}&basis=mid`), yield* text(path), "the default")
        }
      })

      rule("chooses the figure: the mid, the side that a customer gets, or the official rate", function* () {
        const { data } = yield* read("/v1/fx", Fx)
        for (const fiat of ["NGN", "KES"]) {
          const { buy, mid, sell } = yield* market(fiat)
          const rates = [
            (yield* converted("tether", fiat, "p2p")).rate,
            (yield* converted("tether", fiat, "customer")).rate,
            (yield* converted("usd", fiat, "official")).rate
          ]
          assert.deepStrictEqual(rates, [mid, sell, data.rates[fiat]], fiat)
          near((yield* converted(fiat, "tether", "customer")).rate, 1 / (buy ?? 0), 1e-10, fiat)
        }
      })

      rule("is the same in a price, in many prices and in a conversion of 1", function* () {
        for (const basis of BASES) {
          for (const fiat of ["ngn", "zar", "eur"]) {
            const price = (yield* read(`/v1/price/tether/${fiat}?basis=${basis}`, Price)).data.price
            const many = JSON.parse(yield* text(`/v1/prices?ids=tether&fiats=${fiat}&basis=${basis}`))
            const figures = [
              (yield* converted("tether", fiat, basis)).rate,
              many.data.prices[0].price[fiat.toUpperCase()]
            ]
            assert.deepStrictEqual(figures, [price, price], `${basis} ${fiat}`)
          }
        }
      })
    })
  }
)
