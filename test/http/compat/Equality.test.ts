// The same coin at the same moment: every figure of these answers is the one that `/v1` gives, as it is written.
import { assert } from "@effect/vitest"
import { Effect, Random } from "effect"
import { COINGECKO_BASE } from "../../../src/api/coingecko/CoinGeckoDialect.ts"
import { knownCoins } from "../../../src/domain/CoinRegistry.ts"
import { derived } from "../../../src/domain/Decimal.ts"
import { coinOfVs, steadyCurrencies } from "../../../src/domain/VsCurrency.ts"
import { friday, RunningService, withoutEvidence, get, pass, onFriday } from "../../RunningService.ts"
import { conversion, fiats, jsonAt } from "../support.ts"
import { rulesIn } from "../../rulesOf.ts"

const ids = knownCoins.map(({ id }) => id)

const compat = (path: string) => jsonAt(`${COINGECKO_BASE}${path}`)

const seconds = (time: string) => Math.floor(Date.parse(time) / 1000)

/** The figures of `/v1` for a coin in a currency: price, change, time; none where it has no price. */
const own = Effect.fnUntraced(function* (id: string, vs: string) {
  const isPriced = (fiats as ReadonlyArray<string>).includes(vs)
  const path = isPriced ? `/v1/price/${encodeURIComponent(id)}/${vs}` : conversion(id, coinOfVs(vs) ?? vs)
  const answer = yield* get(path)
  if (answer.status !== 200) return undefined
  const { data, meta } = JSON.parse(answer.text)
  return { price: data.price ?? data.rate, change: isPriced ? data.change_24h : undefined, updated: meta.updated }
})

/** The rate of the dollar in a currency, by `/v1`. */
const dollar = (vs: string) =>
  vs === "usd" ? Effect.succeed(1) : Effect.map(jsonAt(conversion("usd", coinOfVs(vs) ?? vs)), ({ data }) => data.rate)

const times = (value: number | null, rate: number) =>
  value === null ? null : rate === 1 ? value : derived(value * rate)

const compareSimple = Effect.fnUntraced(function* (some: ReadonlyArray<string>, vss: ReadonlyArray<string>) {
  const answer = yield* compat(
    `/simple/price?ids=${some.map(encodeURIComponent).join(",")}&vs_currencies=${vss.join(",")}` +
      "&include_market_cap=true&include_24hr_vol=true&include_24hr_change=true&include_last_updated_at=true"
  )
  assert.deepStrictEqual(Object.keys(answer).toSorted(), some.filter((id) => ids.includes(id)).toSorted())
  for (const id of Object.keys(answer)) {
    const row = answer[id]
    const { data: coin } = yield* jsonAt(`/v1/coins/${encodeURIComponent(id)}`)
    const stamps: Array<string> = []
    for (const vs of vss) {
      const expected = yield* own(id, vs)
      if (expected === undefined) {
        assert.notProperty(row, vs, id)
        continue
      }
      const rate = yield* dollar(vs)
      stamps.push(expected.updated)
      assert.strictEqual(row[vs], expected.price, `${id} in ${vs}`)
      if (expected.change !== undefined) assert.strictEqual(row[`${vs}_24h_change`], expected.change, `${id} in ${vs}`)
      assert.strictEqual(row[`${vs}_market_cap`], times(coin.market_cap, rate))
      assert.strictEqual(row[`${vs}_24h_vol`], times(coin.volume_24h, rate))
    }
    const [oldest] = stamps.toSorted()
    assert.strictEqual(row.last_updated_at, oldest === undefined ? undefined : seconds(oldest))
  }
})

const compareMarkets = Effect.fnUntraced(function* (vs: string, page: number) {
  const rows = yield* compat(`/coins/markets?vs_currency=${vs}&per_page=7&page=${page}&price_change_percentage=1h,7d`)
  const { data } = yield* jsonAt(`/v1/coins?limit=7&page=${page}`)
  assert.lengthOf(rows, data.coins.length)
  const rate = yield* dollar(vs)
  for (const [n, coin] of data.coins.entries()) {
    const row = rows[n]
    const expected = yield* own(coin.id, vs)
    const changes = vs === "usd" ? [coin.change_1h, coin.change_7d] : [null, null]
    assert.deepInclude(row, {
      id: coin.id,
      symbol: coin.symbol.toLowerCase(),
      current_price: expected?.price ?? null,
      market_cap: times(coin.market_cap, rate),
      total_volume: times(coin.volume_24h, rate),
      market_cap_rank: coin.rank,
      circulating_supply: coin.circulating_supply,
      last_updated: coin.updated,
      price_change_percentage_1h_in_currency: changes[0],
      price_change_percentage_7d_in_currency: changes[1],
      ...(expected?.change !== undefined && { price_change_percentage_24h: expected.change })
    })
  }
})

const compareCoin = Effect.fnUntraced(function* (id: string) {
  const coin = yield* compat(`/coins/${encodeURIComponent(id)}`)
  const { data } = yield* jsonAt(`/v1/coins/${encodeURIComponent(id)}`)
  const { market_data: market } = coin
  for (const vs of [...fiats, "btc", "eth", "sol", "kes", "chf"]) {
    const expected = yield* own(id, vs)
    const rate = yield* dollar(vs)
    assert.strictEqual(market.current_price[vs], expected?.price, `${id} in ${vs}`)
    assert.strictEqual(market.market_cap[vs], times(data.market_cap, rate) ?? undefined)
    const hasDay = vs !== "ngn" && coinOfVs(vs) === undefined
    assert.strictEqual(market.high_24h[vs], hasDay ? (times(data.high_24h, rate) ?? undefined) : undefined)
  }
  assert.strictEqual(market.ath.usd, data.ath ?? undefined)
  assert.strictEqual(market.ath_date.usd, data.ath_date ?? undefined)
  assert.strictEqual(market.price_change_percentage_7d, data.change_7d)
  assert.strictEqual(market.max_supply, data.max_supply)
  const hasNone = data.platforms !== null && Object.keys(data.platforms).length === 0
  assert.deepStrictEqual(coin.platforms, hasNone ? { "": "" } : (data.platforms ?? {}))
  assert.strictEqual(coin.last_updated, data.updated)
})

rulesIn(onFriday)("figures now", (rule, it) => {
  it.effect("are those of /v1 for any coins and currencies, from refresh to refresh", () =>
    Effect.gen(function* () {
      yield* pass("30 seconds")
      const vss = [...fiats, "btc", "eth", "ltc", "kes", "brl", "krw"]
      for (let n = 0; n < 3; n++) {
        const some = (yield* Random.shuffle([...ids, "no-such-coin"])).slice(0, 5)
        yield* compareSimple(some, (yield* Random.shuffle(vss)).slice(0, 3))
        yield* compareMarkets(vss[(yield* Random.nextInt) % vss.length] ?? "usd", 1 + (n % 3))
        yield* compareCoin(some.find((id) => ids.includes(id)) ?? "bitcoin")
        yield* pass("25 seconds")
      }
      for (const vs of ["usd", "ngn", "btc"]) yield* compareMarkets(vs, 1)
    }).pipe(Random.withSeed("coingecko"))
  )

  rule("of the market and of bitcoin in other currencies are those of /v1", function* () {
    const { data: market } = yield* compat("/global")
    const { data, meta } = yield* jsonAt("/v1/global")
    for (const vs of [...fiats, "btc", "eth", "xrp"]) {
      assert.strictEqual(market.total_market_cap[vs], times(data.market_cap, yield* dollar(vs)), vs)
      assert.strictEqual(market.total_volume[vs], times(data.volume_24h, yield* dollar(vs)), vs)
    }
    assert.deepStrictEqual(market.market_cap_percentage, { btc: data.btc_dominance, eth: data.eth_dominance })
    assert.strictEqual(market.market_cap_change_percentage_24h_usd, data.market_cap_change_24h)
    assert.strictEqual(market.active_cryptocurrencies, data.active_coins)
    assert.strictEqual(market.updated_at, seconds(meta.updated))
    const { rates } = yield* compat("/exchange_rates")
    for (const [code, { type, value }] of Object.entries<{ type: string; value: number }>(rates)) {
      assert.strictEqual(type, coinOfVs(code) !== undefined || ["bits", "sats"].includes(code) ? "crypto" : "fiat")
      if (code === "bits" || code === "sats") continue
      assert.strictEqual(value, (yield* own("bitcoin", code))?.price, code)
    }
  })

  rule("keep so many decimals as precision says, and all without it", function* () {
    const price = (yield* own("bitcoin", "usd"))?.price
    for (const [precision, expected] of [
      ["full", price],
      ["0", Math.round(price)],
      ["3", Number(price.toFixed(3))]
    ]) {
      const { bitcoin } = yield* compat(`/simple/price?ids=bitcoin&vs_currencies=usd&precision=${precision}`)
      assert.strictEqual(bitcoin.usd, expected, precision)
    }
  })
})

/** A minute at which ether is older than bitcoin; no other rates are known than those of coins. */
const etherIsOlder = RunningService.layer({
  at: friday + 60_000,
  config: {
    SOURCES_DISABLED: `${withoutEvidence.SOURCES_DISABLED},FRANKFURTER,CURRENCY_API,CBN,BYBIT_P2P,BITGET_P2P,QUIDAX,LUNO`
  }
})

rulesIn(etherIsOlder)("exchange rates, in CoinGecko's shape", (rule) => {
  rule("have the time of their oldest row, those in coins included", function* () {
    const answer = yield* get(`${COINGECKO_BASE}/exchange_rates`)
    const codes = Object.keys(JSON.parse(answer.text).rates)
    const priced = yield* Effect.filter(steadyCurrencies, (vs) =>
      Effect.map(own("bitcoin", vs), (one) => one !== undefined)
    )
    assert.includeMembers(priced, steadyCurrencies.slice(0, 10))
    assert.sameMembers(codes, [...new Set([...priced, "usd", "bits", "sats"])])
    const [bitcoin, ether] = [yield* own("bitcoin", "usd"), yield* own("bitcoin", "eth")]
    assert.isBelow(Date.parse(ether?.updated), Date.parse(bitcoin?.updated))
    const times = yield* Effect.forEach(priced, (vs) => own("bitcoin", vs))
    assert.strictEqual(answer.headers["x-updated"], times.map((one) => String(one?.updated)).toSorted()[0])
  })
})
