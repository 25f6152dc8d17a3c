import { assert } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { rateAt } from "../../src/sandbox/Fiats.ts"
import { friday, RunningService, withoutEvidence, get, pass, onFriday } from "../RunningService.ts"
import { Coin, Coins, Conversion, conversion, fiats, Fx, Global, Naira, Price, read } from "./support.ts"
import { rulesIn } from "../rulesOf.ts"

const millis = (instant: string): number => DateTime.makeUnsafe(instant).epochMilliseconds

const within = (actual: number, expected: number, percent: number, what: string) =>
  assert.isAtMost(Math.abs(actual / expected - 1) * 100, percent, `${what}: ${actual}, not ${expected}`)

const average = (values: ReadonlyArray<number | null>): number =>
  values.reduce<number>((sum, value) => sum + (value ?? Number.NaN), 0) / values.length

rulesIn(onFriday)("what each endpoint answers", (rule) => {
  rule("/v1/global has six figures of one source", function* () {
    const { data, meta } = yield* read("/v1/global", Global)
    const { sandbox } = yield* RunningService
    assert.strictEqual(meta.source, "CoinGecko (sandbox)")
    assert.strictEqual(data.active_coins, 17_397)
    const bitcoin = (sandbox.world.market.coins(friday)[0]?.marketCap ?? 0) / data.market_cap
    within(data.btc_dominance ?? 0, bitcoin * 100, 0.01, "dominance")
    assert.isBelow((data.btc_dominance ?? 0) + (data.eth_dominance ?? 0), 100)
  })

  rule("/v1/coins/{id} has the list's row and twelve members more", function* () {
    const list = yield* read("/v1/coins?limit=5", Coins)
    for (const row of list.data.coins) {
      const { data } = yield* read(`/v1/coins/${row.id}`, Coin)
      const {
        ath,
        ath_date,
        confidence,
        dispersion,
        high,
        high_24h,
        image,
        low,
        low_24h,
        platforms,
        quotes,
        venues,
        ...rest
      } = data
      assert.isNotArray(platforms)
      assert.deepStrictEqual(rest, row)
      const { price, updated } = data
      assert.deepInclude(quotes, { source: "CoinGecko (sandbox)", kind: "aggregator", price, updated })
      assert.deepStrictEqual([venues, dispersion, low, high], [null, null, null, null])
      assert.strictEqual(confidence, "medium")
      assert.isAtLeast(high_24h ?? 0, data.price ?? 0)
      assert.isAtMost(low_24h ?? 0, data.price ?? 0)
      assert.isAtLeast(ath ?? 0, high_24h ?? 0)
      assert.isNotNull(ath_date)
      assert.match(image ?? "", /^https:\/\//)
    }
  })

  rule("a coin's figures are the world's", function* () {
    const { sandbox } = yield* RunningService
    for (const state of sandbox.world.market.coins(friday).slice(0, 8)) {
      const { data } = yield* read(`/v1/coins/${state.coin.id}`, Coin)
      within(data.price ?? 0, state.price, 1e-9, "price")
      within(data.market_cap ?? 0, state.marketCap, 1e-6, "market cap")
      within(data.volume_24h ?? 0, state.volume, 1e-6, "volume")
      assert.closeTo(data.change_24h ?? 0, state.change24h, 1e-4)
      assert.strictEqual(data.circulating_supply, state.coin.circulatingSupply)
      assert.strictEqual(data.max_supply, state.coin.maxSupply)
    }
  })

  rule("what is unknown is null and never 0", function* () {
    const further = yield* read("/v1/coins?limit=250&page=2", Coins)
    const capless = further.data.coins.find(({ id }) => id === "kadena")
    assert.isNull(capless?.market_cap)
    assert.isNull(capless?.circulating_supply)
    assert.isAbove(capless?.price ?? 0, 0)
    const priceless = yield* read("/v1/coins/velas", Coin)
    assert.isNull(priceless.data.price)
    assert.isNull(priceless.data.volume_24h)
    assert.isNull(priceless.data.change_24h)
    const newcomer = further.data.coins.find(({ id }) => id === "zama")
    assert.isNull(newcomer?.change_7d)
    assert.isNotNull(newcomer?.change_24h)
    const endless = yield* read("/v1/coins/ethereum", Coin)
    assert.isNull(endless.data.max_supply)
  })

  rule("a price in a fiat is the source's own quote, with its own change in that fiat", function* () {
    const { sandbox } = yield* RunningService
    const { world } = sandbox
    const usd = world.market.price("ethereum", friday) ?? 0
    for (const fiat of ["EUR", "GBP", "INR", "ZAR", "AED", "CAD", "JPY"]) {
      const { data, meta } = yield* read(`/v1/price/ethereum/${fiat}`, Price)
      const now = world.fiat(fiat, friday) ?? 0
      const then = world.fiat(fiat, friday - 86_400_000) ?? 0
      within(data.price, usd * now, 1e-9, fiat)
      const change = world.market.coins(friday).find(({ coin }) => coin.id === "ethereum")?.change24h ?? 0
      assert.closeTo(data.change_24h ?? 0, ((1 + change / 100) * (now / then) - 1) * 100, 1e-6, fiat)
      assert.strictEqual(meta.source, "CoinGecko (sandbox)")
    }
  })

  rule("/v1/naira says what a user pays and gets, per venue and together, and the premium", function* () {
    const { sandbox } = yield* RunningService
    const { data, meta } = yield* read("/v1/naira", Naira)
    const truth = sandbox.world.truth(friday)
    const buy = data.buy ?? 0
    const sell = data.sell ?? 0
    const mid = data.mid ?? 0
    assert.isAtLeast(buy, sell)
    within(mid, (buy + sell) / 2, 1e-9, "mid")
    within(data.spread ?? 0, ((buy - sell) / mid) * 100, 1e-6, "spread")
    within(mid, truth.p2pMid, 1, "the street")
    within(data.official ?? 0, truth.official.rate, 0.1, "official")
    assert.strictEqual(data.official_date, truth.official.date)
    within(data.premium ?? 0, ((mid - (data.official ?? 0)) / (data.official ?? 0)) * 100, 1e-6, "premium")
    assert.deepStrictEqual(
      data.venues.map(({ kind, venue }) => [venue, kind]),
      [
        ["Bybit P2P (sandbox)", "p2p"],
        ["Bitget P2P (sandbox)", "p2p"],
        ["Quidax (sandbox)", "order_book"],
        ["Luno (sandbox)", "order_book"]
      ]
    )
    const p2p = data.venues.filter(({ kind }) => kind === "p2p")
    // Two venues weigh by the square of the ads they show, up to 40.
    const weights = p2p.map((venue) => Math.min(venue.ads_used ?? 0, 40) ** 2)
    const weighted = p2p.map((venue, n) => (venue.buy ?? 0) * (weights[n] ?? 0))
    within(buy, average(weighted) / average(weights), 1e-9, "P2P makes the number")
    for (const venue of p2p) assert.isAbove(venue.ads_used ?? 0, 0)
    for (const venue of data.venues.filter(({ kind }) => kind === "order_book")) assert.isNull(venue.ads_used)
    assert.strictEqual(meta.source, "Bybit P2P (sandbox) + Bitget P2P (sandbox) + CBN (sandbox)")
    assert.strictEqual(data.official_source, "CBN (sandbox)")
  })

  rule("/v1/fx has the nine and more, each with its day, and its naira is the official rate", function* () {
    const { sandbox } = yield* RunningService
    const { data } = yield* read("/v1/fx", Fx)
    const naira = yield* read("/v1/naira", Naira)
    for (const fiat of fiats) assert.isAbove(data.rates[fiat.toUpperCase()] ?? 0, 0, fiat)
    assert.isAbove(Object.keys(data.rates).length, 40)
    assert.sameMembers(Object.keys(data.rates), Object.keys(data.observed))
    assert.strictEqual(data.rates["USD"], 1)
    // Of two sources that agree the newer day is served: at noon Frankfurter has yesterday's rate, currency-api that of this midnight.
    const midnight = Date.UTC(2026, 10, 20)
    assert.strictEqual(data.observed["EUR"], "2026-11-20")
    within(data.rates["EUR"] ?? 0, rateAt(sandbox.world.seed, "EUR", midnight) ?? 0, 1e-3, "EUR")
    within(data.rates["NGN"] ?? 0, naira.data.official ?? 0, 0.2, "official")
    assert.isAbove((naira.data.mid ?? 0) / (data.rates["NGN"] ?? 0), 1.01)
  })
})

rulesIn(onFriday)("when an answer was observed", (rule) => {
  rule("is by the source's clock and before the request", function* () {
    for (const path of [
      "/v1/global",
      "/v1/coins",
      "/v1/coins/bitcoin",
      "/v1/price/bitcoin/ngn",
      "/v1/naira",
      "/v1/fx"
    ]) {
      const { text } = yield* get(path)
      const [, updated = ""] = /"updated":"([^"]+)","tier"/.exec(text) ?? []
      assert.isBelow(millis(updated), friday, `${path} ${updated}`)
    }
  })

  rule("is a coin's own time for a coin, and the list's for the list", function* () {
    const one = yield* read("/v1/coins/figure-heloc", Coin)
    assert.strictEqual(one.meta.updated, one.data.updated)
    const list = yield* read("/v1/coins?limit=250", Coins)
    const stale = list.data.coins.find(({ id }) => id === "figure-heloc")
    assert.strictEqual(stale?.updated, one.data.updated)
    assert.isAbove(millis(list.meta.updated) - millis(stale?.updated ?? ""), 29 * 60_000)
    assert.strictEqual(
      list.meta.updated,
      list.data.coins
        .map(({ updated }) => updated)
        .toSorted()
        .at(-1)
    )
  })

  rule("is the oldest part's time where several sources made the answer", function* () {
    for (const [from, to] of [
      ["figure-heloc", "NGN"],
      ["bitcoin", "NGN"],
      ["EUR", "NGN"],
      ["KES", "solana"]
    ] as const) {
      const { data, meta } = yield* read(conversion(from, to), Conversion)
      assert.strictEqual(meta.updated, data.legs.map(({ updated }) => updated).toSorted()[0], `${from} to ${to}`)
      assert.strictEqual(
        meta.source,
        [...new Set(data.legs.flatMap(({ source }) => source.split(" + ")))].join(" + "),
        `${from} to ${to}`
      )
    }
    const price = yield* read("/v1/price/figure-heloc/ngn", Price)
    const coin = yield* read("/v1/coins/figure-heloc", Coin)
    assert.strictEqual(price.meta.updated, coin.data.updated)
  })

  rule("is the oldest book's time for the naira, whose official rate has its own day", function* () {
    const { data, meta } = yield* read("/v1/naira", Naira)
    assert.strictEqual(meta.updated, data.venues.map(({ updated }) => updated).toSorted()[0])
    assert.strictEqual(data.official_date, "2026-11-19")
  })

  rule("is the newest day observed for fiat rates", function* () {
    const { data, meta } = yield* read("/v1/fx", Fx)
    const newest = Object.values(data.observed).toSorted().at(-1)
    assert.strictEqual(meta.updated, `${newest}T00:00:00.000Z`)
  })

  rule("moves on with the world", function* () {
    const { sandbox } = yield* RunningService
    const before = yield* read("/v1/coins/bitcoin", Coin)
    // Polls are 60 to 72 s apart, and what they bring is up to 90 s old.
    yield* pass("5 minutes")
    const after = yield* read("/v1/coins/bitcoin", Coin)
    assert.isAbove(millis(after.data.updated) - millis(before.data.updated), 60_000)
    assert.notStrictEqual(after.data.price, before.data.price)
    const { at } = yield* sandbox.truth
    assert.isBelow(at - millis(after.data.updated), 180_000)
  })
})

rulesIn(RunningService.layer({ seed: 2, config: withoutEvidence }), { excludeTestServices: true })(
  "a world of another seed, live",
  (rule) => {
    rule("has other prices, and says of every source that it is simulated", function* () {
      const { sandbox } = yield* RunningService
      const first = yield* Effect.provide(
        read("/v1/coins/bitcoin", Coin),
        RunningService.layer({ seed: 1, config: withoutEvidence })
      )
      const second = yield* read("/v1/coins/bitcoin", Coin)
      assert.strictEqual(sandbox.world.seed, 2)
      assert.isAbove(Math.abs((first.data.price ?? 0) / (second.data.price ?? 1) - 1), 1e-6)
      for (const path of [
        "/v1/global",
        "/v1/coins",
        "/v1/naira",
        "/v1/fx",
        "/v1/price/bitcoin/ngn",
        conversion("eur", "ngn")
      ]) {
        const { text } = yield* get(path)
        for (const [, name = ""] of text.matchAll(/"(?:source|official_source|venue)":"([^"]*)"/g)) {
          for (const part of name.split(" + ")) assert.isTrue(part.endsWith(" (sandbox)"), `${path}: ${name}`)
        }
      }
    })
  }
)
