import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import type { Coin } from "../../src/domain/Coin.ts"
import { type Bounds, bounds, type Check, isWithin } from "../../src/domain/Plausibility.ts"
import * as Market from "../../src/domain/PlausibleMarket.ts"
import * as Rates from "../../src/domain/PlausibleRates.ts"

const now = DateTime.makeUnsafe("2026-11-20T12:00:00Z")
const at = (seconds: number) => DateTime.add(now, { seconds })

const bitcoin: Coin = {
  id: "bitcoin",
  symbol: "BTC",
  name: "Bitcoin",
  rank: 1,
  price: 90_000,
  market_cap: 1.8e12,
  volume_24h: 3e10,
  circulating_supply: 2e7,
  total_supply: 2e7,
  max_supply: 2.1e7,
  change_1h: 0.1,
  change_24h: -2,
  change_7d: 5,
  updated: at(-30),
  high_24h: 92_000,
  low_24h: 88_000,
  ath: 126_000,
  ath_date: at(-1e6),
  image: null
}

const check = <A>(rule: Check<A>, value: A) => {
  const { leftOut, value: kept } = rule(value, { now })
  return { kept, leftOut: Object.fromEntries(leftOut) }
}

const coin = (fields: Partial<Coin>) => {
  const { kept, leftOut } = check(Market.coinPage, [{ ...bitcoin, ...fields }])
  return { kept: kept?.[0], leftOut }
}

describe("Plausible: bounds", () => {
  it("include their ends and exclude what is not finite", () => {
    for (const limits of Object.values<Bounds>(bounds)) {
      assert.isTrue(isWithin(limits.most, limits))
      assert.isFalse(isWithin(limits.most * 1.001, limits))
      if (limits.least !== undefined) assert.isTrue(isWithin(limits.least, limits))
      if (limits.above !== undefined) assert.isFalse(isWithin(limits.above, limits))
      for (const value of [Number.NaN, Infinity, -Infinity]) assert.isFalse(isWithin(value, limits))
    }
  })
})

describe("Plausible: a coin", () => {
  it("page that loses all its rows is refused; an empty one is the end of the list", () => {
    const future = { ...bitcoin, updated: DateTime.add(now, { days: 1 }) }
    assert.isNull(check(Market.coinPage, [future, future]).kept)
    assert.deepStrictEqual(check(Market.coinPage, []).kept, [])
  })

  it("within all bounds passes unchanged", () => {
    assert.deepStrictEqual(coin({}), { kept: bitcoin, leftOut: {} })
  })

  it("loses each figure that is out of its bounds, and that is counted", () => {
    const figures = {
      rank: -1,
      price: 1.1e9,
      market_cap: 1.1e14,
      volume_24h: -1,
      circulating_supply: -2e7,
      total_supply: 1e25,
      max_supply: -1,
      change_1h: -100.1,
      change_24h: 2e6,
      change_7d: -101,
      high_24h: -92_000,
      low_24h: 1e30,
      ath: 1e10
    } satisfies Partial<Coin>
    for (const [figure, value] of Object.entries(figures)) {
      const { kept, leftOut } = coin({ [figure]: value, market_cap: figure === "market_cap" ? 1.1e14 : null })
      assert.deepStrictEqual(kept, { ...bitcoin, market_cap: null, [figure]: null }, figure)
      assert.deepStrictEqual(leftOut, { [figure]: 1 }, figure)
    }
  })

  it("has no cap beside an impossible price or supply: the columns may have changed places", () => {
    for (const fields of [{ price: 1.8e12, market_cap: 90_000 }, { price: -1 }, { circulating_supply: 1e30 }]) {
      const { kept, leftOut } = coin(fields)
      assert.strictEqual(kept?.market_cap, null)
      assert.strictEqual(leftOut["market_cap"], 1)
    }
  })

  it("has neither cap nor volume where the two seem to have changed places", () => {
    const { kept, leftOut } = coin({ market_cap: bitcoin.volume_24h, volume_24h: bitcoin.market_cap })
    assert.deepStrictEqual([kept?.market_cap, kept?.volume_24h], [null, null])
    assert.deepStrictEqual(leftOut, { market_cap: 1, volume_24h: 1 })
    assert.strictEqual(coin({ market_cap: 1.79e11 }).kept?.volume_24h, bitcoin.volume_24h)
  })

  it("may have a volume of 0; a price, cap or supply of 0 is not known, and is not counted", () => {
    assert.deepStrictEqual(coin({ volume_24h: 0 }), { kept: { ...bitcoin, volume_24h: 0 }, leftOut: {} })
    for (const figure of ["price", "market_cap", "max_supply"]) {
      assert.deepStrictEqual(coin({ [figure]: 0 }), { kept: { ...bitcoin, [figure]: null }, leftOut: {} })
    }
  })

  it("has a cap within a factor 10 of price × circulating supply, or none", () => {
    for (const [market_cap, isKept] of [
      [1.8e13, true],
      [1.81e13, false],
      [1.8e11, true],
      [1.79e11, false]
    ] as const) {
      assert.strictEqual(coin({ market_cap }).kept?.market_cap, isKept ? market_cap : null)
    }
    assert.strictEqual(coin({ market_cap: 5e13, circulating_supply: null }).kept?.market_cap, 5e13)
  })

  it("has no price either where that would make an impossible cap which the source does not name", () => {
    const swapped = coin({ price: 5e7, market_cap: 0.09, circulating_supply: 5e8 })
    assert.deepStrictEqual([swapped.kept?.price, swapped.kept?.market_cap], [null, null])
    assert.deepStrictEqual(swapped.leftOut, { market_cap: 1, price: 1 })
    const manifold = coin({ price: 9e7, market_cap: 1.8e15, circulating_supply: 2e10 })
    assert.deepStrictEqual([manifold.kept?.price, manifold.kept?.market_cap], [null, null])
    assert.strictEqual(coin({ price: 10, market_cap: null, circulating_supply: 1e20 }).kept?.price, 10)
  })

  it("has no range where its high is below its low", () => {
    const { kept, leftOut } = coin({ high_24h: 88_000, low_24h: 92_000 })
    assert.deepStrictEqual([kept?.high_24h, kept?.low_24h, leftOut], [null, null, { high_24h: 1 }])
  })

  it("stamped up to a minute ahead counts as of now; stamped later it is left out", () => {
    assert.deepStrictEqual(coin({ updated: at(60) }).kept?.updated, now)
    assert.deepStrictEqual(coin({ updated: at(61) }), { kept: undefined, leftOut: { updated: 1 } })
    assert.strictEqual(coin({ ath_date: at(61) }).kept?.ath_date, null)
  })
})

describe("a coin at another price", () => {
  it("has its changes against the same past, and a range and a highest price that include the price", () => {
    const fell = Market.coinAtPrice(bitcoin, { price: 81_000, updated: now })
    assert.deepStrictEqual(fell, {
      ...bitcoin,
      price: 81_000,
      updated: now,
      change_1h: -9.91,
      change_24h: -11.8,
      change_7d: -5.5,
      low_24h: 81_000
    })
    const rose = Market.coinAtPrice({ ...bitcoin, change_1h: null, low_24h: null }, { price: 180_000, updated: now })
    assert.deepInclude(rose, {
      change_1h: null,
      change_24h: 96,
      low_24h: null,
      high_24h: 180_000,
      ath: 180_000,
      ath_date: now
    })
    assert.deepStrictEqual(Market.coinAtPrice(bitcoin, bitcoin), bitcoin)
  })

  it("has no changes and no range where its own price is further than a jump away, nor a change beyond its bound", () => {
    const unknown = { change_1h: null, change_24h: null, change_7d: null, high_24h: null, low_24h: null, ath: null }
    for (const price of [17_000, 460_000]) {
      assert.deepInclude(Market.coinAtPrice(bitcoin, { price, updated: now }), { ...unknown, ath_date: null })
    }
    const risen = Market.coinAtPrice({ ...bitcoin, change_7d: 900_000 }, { price: 180_000, updated: now })
    assert.deepInclude(risen, { change_24h: 96, change_7d: null })
  })
})

describe("Plausible: a coin that was asked for", () => {
  it("stamped in the future is known, without figures and with the oldest time", () => {
    const { kept } = check(Market.coinsById, [{ ...bitcoin, updated: at(61) }])
    assert.deepInclude(kept?.[0], { id: "bitcoin", price: null, market_cap: null, rank: null })
    assert.strictEqual(kept?.[0]?.updated.epochMilliseconds, 0)
  })
})

describe("Plausible: a list of coins", () => {
  const list = (fields: Partial<Coin>, count: number) =>
    Array.from({ length: 10 }, (_, n) => ({ ...bitcoin, id: `coin-${n}`, ...(n < count && fields) }))

  it("is refused when half of its prices or caps are out of bounds", () => {
    for (const fields of [{ price: -1 }, { price: 0 }, { market_cap: 1e30 }, { updated: at(3600) }]) {
      assert.strictEqual(
        check(Market.coinList, list(fields, 4)).kept?.some(({ price }) => price === 90_000),
        true
      )
      assert.isNull(check(Market.coinList, list(fields, 5)).kept)
    }
  })

  it("may have no cap at all", () => {
    assert.lengthOf(check(Market.coinList, list({ market_cap: null }, 10)).kept ?? [], 10)
  })
})

describe("Plausible: the whole market", () => {
  const market = {
    market_cap: 3e12,
    volume_24h: 1e11,
    market_cap_change_24h: -1,
    btc_dominance: 58,
    eth_dominance: 12,
    active_coins: 17_000
  }

  it("without a plausible cap is refused", () => {
    for (const market_cap of [0, -3e12, 1.1e15, 1e30]) {
      assert.isNull(check(Market.globalMarket, { ...market, market_cap }).kept)
    }
  })

  it("with a turnover beyond its cap is refused", () => {
    assert.isNull(check(Market.globalMarket, { ...market, market_cap: 1e11, volume_24h: 3e12 }).kept)
  })

  it("loses other figures that are out of bounds", () => {
    for (const [figure, value] of Object.entries({ volume_24h: -1, btc_dominance: 100.1, active_coins: 1e9 })) {
      assert.deepStrictEqual(check(Market.globalMarket, { ...market, [figure]: value }).kept, {
        ...market,
        [figure]: null
      })
    }
  })

  it("has no dominances where the two together exceed 100 %", () => {
    const { kept } = check(Market.globalMarket, { ...market, btc_dominance: 80, eth_dominance: 21 })
    assert.deepStrictEqual(kept, { ...market, btc_dominance: null, eth_dominance: null })
  })
})

describe("Plausible: hourly prices", () => {
  const series = (prices: ReadonlyArray<number>) =>
    check(Market.priceHistories, [
      { id: "steady", end: now, prices: [1, 2, 3] },
      { id: "asked", end: now, prices }
    ]).kept?.map(({ id }) => id)

  it("are left out where one is no price, or many-fold away from the hours beside it", () => {
    assert.deepStrictEqual(series([10, 11, 60, 61]), ["steady", "asked"])
    for (const prices of [
      [10, 60, 10],
      [10, 11, 60],
      [60, 10, 11],
      [10, -10, 10],
      [1e9, 2e9, 1e9]
    ]) {
      assert.deepStrictEqual(series(prices), ["steady"])
    }
  })
})

describe("Plausible: fiat rates", () => {
  const days = (rates: Readonly<Record<string, number>>) => ({
    rates,
    observed: Object.fromEntries(Object.keys(rates).map((code) => [code, "2026-11-20"]))
  })
  const nine = { USD: 1, NGN: 1400, EUR: 0.9, GBP: 0.8, INR: 90, ZAR: 17, AED: 3.67, CAD: 1.4, JPY: 150 }
  const kept = (rates: Readonly<Record<string, number>>) =>
    check(Rates.fxRates, days({ ...nine, ...rates })).kept?.rates

  it("are within the bounds of all currencies", () => {
    assert.strictEqual(kept({ EUR: 17.7 })?.["EUR"], 17.7)
    for (const rate of [-1400, 0.009, 1.1e7]) assert.isUndefined(kept({ NGN: rate })?.["NGN"])
    assert.strictEqual(kept({ VND: 26_000 })?.["VND"], 26_000)
  })

  it("are refused as a whole where half of the nine are left out", () => {
    assert.isUndefined(kept({ EUR: 0, GBP: -1, INR: 1e30, ZAR: 0, AED: 0 }))
    assert.isDefined(kept({ EUR: 0, GBP: -1, INR: 1e30, ZAR: 0 }))
  })

  it("dated after today in every time zone are left out", () => {
    const rates = days({ ...nine, NZD: 1.7, CHF: 0.8 })
    const { kept } = check(Rates.fxRates, {
      ...rates,
      observed: { ...rates.observed, NZD: "2026-11-22", CHF: "2026-11-23" }
    })
    assert.deepStrictEqual([kept?.rates["NZD"], kept?.observed["CHF"]], [1.7, undefined])
  })

  it("the official naira rate is taken or refused as a whole", () => {
    const official = (rate: number) => check(Rates.officialRate, { rate, date: "2026-11-20" }).kept
    assert.isNotNull(official(1400))
    for (const rate of [-1400, 0, 0.009, 1.1e7]) assert.isNull(official(rate))
  })
})
