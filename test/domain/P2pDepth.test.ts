import { assert, describe, it } from "@effect/vitest"
import { type P2pAd } from "../../src/domain/P2pAd.ts"
import { judgeBook } from "../../src/domain/P2pBook.ts"
import {
  type CustomerSide,
  type Depth,
  type Filling,
  joinOffers,
  offersOf,
  quoteFor
} from "../../src/domain/P2pDepth.ts"
import { p2pMarkets } from "../../src/domain/P2pMarket.ts"
import { goodAd, mulberry32, syntheticBook } from "./syntheticBooks.ts"

const market = p2pMarkets.NGN
const { orderSize } = market
const SIDES = ["buy", "sell"] as const
/** Around the order size, through a book, and beyond it. */
const AMOUNTS = [1, orderSize, orderSize + 1, 3e5, 1e6, 2.5e6, 1e7, 4e7, 1e9]

interface Known {
  readonly admitted: ReadonlyArray<{ readonly ad: P2pAd; readonly room: number; readonly who: string }>
  readonly prices: Readonly<Record<CustomerSide, number>>
  readonly depth: Depth
}

/** A market of one or two venues; none where the first has no rate. */
const known = (venues: ReadonlyArray<ReadonlyArray<P2pAd>>): Known | undefined => {
  const books = venues.map((ads) => ({ ads, judged: judgeBook(ads, market) }))
  const { asksUsed = 0, bidsUsed = 0, buy, sell } = books[0]?.judged.estimate ?? {}
  if (typeof buy !== "number" || typeof sell !== "number") return undefined
  const offers = joinOffers(books.map(({ ads, judged }, n) => offersOf(`venue ${n}`, ads, judged)))
  const admitted = books.flatMap(({ ads, judged: { admits } }, venue) =>
    ads.filter(admits).map((ad) => ({
      ad,
      room: Math.min(ad.maxAmount, ad.price * ad.available),
      who: `${venue} ${ad.merchant}`
    }))
  )
  return {
    admitted,
    prices: { buy, sell },
    depth: { orderSize, ads: { buy: asksUsed, sell: bidsUsed }, offers: () => offers }
  }
}

const shuffled = <A>(list: ReadonlyArray<A>, random: () => number): ReadonlyArray<A> =>
  list
    .map((one) => [random(), one] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, one]) => one)

const fiat = (amount: number) => ({ amount, unit: "fiat" }) as const

const get = ({ depth, prices }: Known, side: CustomerSide, amount: number) =>
  quoteFor(prices, depth, side, fiat(amount))

const SEEDS = Array.from({ length: 150 }, (_, n) => n + 1)
const markets = SEEDS.flatMap((seed) => {
  const { ads } = syntheticBook(seed)
  return known(seed % 2 === 0 ? [ads] : [ads, syntheticBook(seed).ads.slice(0, 20)]) ?? []
})

/** The walk once more, by another way: takes the best ad that is left until none fits. */
const oracle = ({ admitted, prices }: Known, side: CustomerSide, amount: number): Filling => {
  const left = admitted.filter(({ ad }) => ad.side === (side === "buy" ? "ask" : "bid"))
  if (amount <= orderSize) return { rate: prices[side], filled: amount, ads: Number.NaN }
  const taken: Array<{ readonly fiat: number; readonly price: number; readonly who: string }> = []
  const filled = () => taken.reduce((sum, one) => sum + one.fiat, 0)
  for (;;) {
    const rest = amount - filled()
    const fitting = left.filter(
      ({ ad, room, who }) =>
        rest > 0 && ad.minAmount <= rest && ad.minAmount <= room && !taken.some((one) => one.who === who)
    )
    const prices = fitting.map(({ ad }) => ad.price)
    const best = side === "buy" ? Math.min(...prices) : Math.max(...prices)
    const equal = fitting.filter(({ ad }) => ad.price === best)
    const most = Math.max(...equal.map(({ room }) => room))
    const widest = equal
      .filter(({ room }) => room === most)
      .toSorted((a, b) => a.ad.minAmount - b.ad.minAmount || (a.who < b.who ? -1 : 1))
    const [one] = widest
    if (one === undefined) break
    taken.push({ fiat: Math.min(rest, one.room), price: one.ad.price, who: one.who })
  }
  if (amount - filled() > amount * 1e-12) return { rate: null, filled: filled(), ads: taken.length }
  const walked = amount / taken.reduce((sum, one) => sum + one.fiat / one.price, 0)
  const rate = side === "buy" ? Math.max(walked, prices.buy) : Math.min(walked, prices.sell)
  return { rate, filled: amount, ads: taken.length }
}

const each = (check: (market: Known, side: CustomerSide, what: string) => void) => {
  for (const [n, market] of markets.entries()) for (const side of SIDES) check(market, side, `market ${n}, ${side}`)
}

describe("what an amount gets", () => {
  it("is what a plain walk over the ads gives, in 150 books", () => {
    assert.isAbove(markets.length, 140)
    let [filled, short] = [0, 0]
    each((market, side, what) => {
      for (const amount of AMOUNTS) {
        const [found, expected] = [get(market, side, amount), oracle(market, side, amount)]
        const told = `${what}, ${amount}`
        if (expected.rate === null || found.rate === null) {
          assert.strictEqual(found.rate, expected.rate, told)
          short++
        } else {
          assert.closeTo(found.rate / expected.rate, 1, 1e-12, told)
          filled++
        }
        assert.closeTo(found.filled / expected.filled, 1, 1e-12, told)
        if (amount > orderSize) assert.strictEqual(found.ads, expected.ads, told)
      }
    })
    assert.isAbove(filled, 300)
    assert.isAbove(short, 300)
  })

  it("is up to the order size the rate of the side, and never better beyond it", () => {
    each((market, side, what) => {
      const atSide = market.prices[side]
      assert.deepStrictEqual(get(market, side, orderSize), {
        rate: atSide,
        filled: orderSize,
        ads: market.depth.ads[side]
      })
      for (const amount of AMOUNTS) {
        const { rate } = get(market, side, amount)
        const isWorse = rate === null || (side === "buy" ? rate >= atSide : rate <= atSide)
        assert.isTrue(isWorse, `${what}, ${amount}`)
      }
    })
  })

  it("is never worse in the rate for less, where all leasts are the same, and fills no more than there is", () => {
    for (const seed of SEEDS.slice(0, 100)) {
      const ads = syntheticBook(seed).ads.map((ad) => ({ ...ad, minAmount: 1000 }))
      const market = known([ads])
      if (market === undefined) continue
      for (const side of SIDES) {
        const perMerchant = Map.groupBy(market.depth.offers()[side], ({ merchant }) => merchant)
        const there = [...perMerchant.values()].reduce((sum, of) => sum + Math.max(...of.map(({ most }) => most)), 0)
        let former = market.prices[side]
        for (let amount = orderSize; amount < 1e9; amount *= 1.7) {
          const { filled, rate } = get(market, side, amount)
          assert.isAtMost(filled, Math.min(amount, there) * (1 + 1e-12))
          if (rate === null) continue
          assert.isTrue(side === "buy" ? rate >= former - 1e-9 : rate <= former + 1e-9, `seed ${seed}, ${amount}`)
          former = rate
        }
      }
    }
  })

  it("does not depend on the order of the ads", () => {
    for (const seed of SEEDS.slice(0, 100)) {
      const { ads } = syntheticBook(seed)
      const [one, other] = [known([ads]), known([shuffled(ads, mulberry32(seed + 1))])]
      if (one === undefined || other === undefined) continue
      for (const side of SIDES)
        for (const amount of AMOUNTS) assert.deepStrictEqual(get(one, side, amount), get(other, side, amount))
    }
  })

  it("is the same whether it is named in the fiat or in the USDT that it buys or brings", () => {
    each((market, side, what) => {
      for (const amount of AMOUNTS) {
        const { rate } = get(market, side, amount)
        if (rate === null) continue
        const back = quoteFor(market.prices, market.depth, side, { amount: amount / rate, unit: "usdt" })
        // A clamped walk in USDT goes as far as the better rate of the ads would.
        if (back.rate !== null) assert.closeTo(back.rate / rate, 1, 2e-3, `${what}, ${amount}`)
      }
    })
  })

  describe("from three asks and three bids", () => {
    const honest = (["ask", "bid"] as const).flatMap((side) =>
      [0, 1, 2].map((n) =>
        goodAd({
          side,
          price: side === "ask" ? 1400 + n : 1390 - n,
          merchant: `${side}${n}`,
          minAmount: 10_000,
          maxAmount: 200_000
        })
      )
    )
    const buying = (amount: number, more: ReadonlyArray<Partial<P2pAd>> = [], changed: Partial<P2pAd> = {}) => {
      const first = honest.map((ad, n) => (n === 0 ? { ...ad, ...changed } : ad))
      const market = known([
        [
          ...first,
          ...more.map((fields) => goodAd({ side: "ask", price: 1400.5, merchant: "new", maxAmount: 50_000, ...fields }))
        ]
      ])
      return market === undefined ? undefined : get(market, "buy", amount)
    }

    it.each<readonly [string, number, ReadonlyArray<Partial<P2pAd>>, Partial<P2pAd>, number, number]>([
      ["takes each ad up to its most", 500_000, [], {}, 500_000, 3],
      ["fills no more than is there", 700_000, [], {}, 600_000, 3],
      ["leaves a rest below every least", 605_000, [{ price: 1403 }], {}, 600_000, 3],
      ["goes on at a smaller least", 605_000, [{ price: 1403, minAmount: 5000 }], {}, 605_000, 4],
      ["takes an ad for less than the order size", 650_000, [{}], {}, 650_000, 4],
      ["takes no more of an ad than remains of it", 640_000, [{ available: 20 }], {}, 628_010, 4],
      ["skips an ad whose least is more than the rest", 620_000, [{ price: 1403, minAmount: 30_000 }], {}, 600_000, 3],
      ["takes one merchant once", 650_000, [{ merchant: "ask0" }], {}, 600_000, 3],
      ["takes ads without a merchant as those of one", 650_000, [{ merchant: "" }], { merchant: "" }, 600_000, 3],
      ["takes no ad that fails another rule", 650_000, [{ orders: 3 }], {}, 600_000, 3],
      ["takes no ad across the market", 650_000, [{ price: 1380, maxAmount: 50_000 }], {}, 600_000, 3],
      ["takes no outlier", 650_000, [{ price: 1500, maxAmount: 50_000 }], {}, 600_000, 3]
    ])("%s", (_, amount, more, changed, filled, ads) => {
      const found = buying(amount, more, changed)
      assert.deepStrictEqual([found?.filled, found?.ads, found?.rate === null], [filled, ads, filled < amount])
    })
  })
})
