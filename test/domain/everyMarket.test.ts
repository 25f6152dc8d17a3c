// The accuracy of the estimate in every market that is known: 40 books each, in the market's money and order sizes.
import { assert, describe, it } from "@effect/vitest"
import { median } from "../../src/domain/P2pBook.ts"
import type { P2pAd } from "../../src/domain/P2pAd.ts"
import { type P2pMarket, p2pMarkets } from "../../src/domain/P2pMarket.ts"
import { combineVenues, quoteFromBook, withoutSwapped } from "../../src/domain/P2pRate.ts"
import { estimateBook, syntheticBook } from "./syntheticBooks.ts"

const SEEDS = Array.from({ length: 40 }, (_, n) => n + 1)

/** About what a dollar is in a market's fiat: the middle of its bounds, by ratio. */
const dollar = ({ bounds }: P2pMarket): number => Math.sqrt(bounds.least * bounds.most)

/** A naira book in another market's money: prices and amounts in proportion. */
const inMarket = (ads: ReadonlyArray<P2pAd>, market: P2pMarket): ReadonlyArray<P2pAd> => {
  const price = dollar(market) / dollar(p2pMarkets.NGN)
  const money = market.orderSize / p2pMarkets.NGN.orderSize
  return ads.map((ad) => ({
    ...ad,
    fiat: ad.fiat === "NGN" ? market.fiat : "XXX",
    price: ad.price * price,
    minAmount: ad.minAmount * money,
    maxAmount: ad.maxAmount * money,
    available: (ad.available * money) / price
  }))
}

const swapped = (ads: ReadonlyArray<P2pAd>): ReadonlyArray<P2pAd> =>
  ads.map((ad) => ({ ...ad, side: ad.side === "ask" ? "bid" : "ask" }))

const quote = (venue: string, ads: ReadonlyArray<P2pAd>, market: P2pMarket) =>
  quoteFromBook(venue, estimateBook(inMarket(ads, market), market))

describe.each(Object.values(p2pMarkets))("the estimate in $fiat", (market) => {
  const scale = dollar(market) / dollar(p2pMarkets.NGN)

  it("over 40 books the median error of the mid is at most 0.03 %, the worst at most 0.3 %", () => {
    const errors = SEEDS.flatMap((seed) => {
      const { ads, mid } = syntheticBook(seed)
      const { mid: found } = estimateBook(inMarket(ads, market), market)
      return found === null ? [] : [Math.abs(found / (mid * scale) - 1) * 100]
    })
    assert.isAtLeast(errors.length, 38)
    assert.isAtMost(median(errors), 0.03)
    assert.isAtMost(Math.max(...errors), 0.3)
  })

  it("a book with too few honest ads has no rate, whatever else is in it", () => {
    for (const seed of SEEDS) {
      const { ads } = syntheticBook(seed, { honest: 2, adversaries: false })
      const { mid, reason } = estimateBook(inMarket(ads, market), market)
      assert.deepStrictEqual([mid, reason], [null, "too_few_ads"])
    }
  })

  it("a venue whose sides are swapped by more than 2 % against the others is passed over; by less, the rate stays right", () => {
    let wide = 0
    for (const seed of SEEDS.slice(0, 15)) {
      const one = syntheticBook(seed, { honest: 30 })
      const venue = quote("one", one.ads, market)
      const { buy, mid, sell } = venue
      const judged = withoutSwapped([venue, { ...venue, venue: "two" }, quote("three", swapped(one.ads), market)])
      if (buy !== null && sell !== null && mid !== null && (buy - sell) / mid > 0.012) {
        wide++
        assert.deepStrictEqual([judged[2]?.mid, judged[2]?.reason], [null, "inverted"], `seed ${seed}`)
      }
      const rate = combineVenues(judged).mid
      assert.isAtMost(Math.abs((rate ?? 0) / (one.mid * scale) - 1) * 100, 0.3, `seed ${seed}`)
    }
    assert.isAtLeast(wide, 3)
  })
})
