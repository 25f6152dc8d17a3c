import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import {
  combineVenues,
  orderBookQuote,
  premium,
  quoteFromBook,
  type VenueQuote,
  withoutSwapped
} from "../../src/domain/P2pRate.ts"
import { estimateBook, median } from "../../src/domain/P2pBook.ts"
import { p2pMarkets } from "../../src/domain/P2pMarket.ts"
import { goodAd, syntheticBook } from "./syntheticBooks.ts"

const market = p2pMarkets.NGN

/** A P2P quote with 5 NGN on either side of the mid. */
const p2p = (venue: string, mid: number, fields: Partial<VenueQuote> = {}): VenueQuote => ({
  venue,
  kind: "p2p",
  buy: mid + 5,
  sell: mid - 5,
  mid,
  adsUsed: 30,
  adsRejected: {},
  reason: null,
  ...fields
})

const book = (venue: string, mid: number) => orderBookQuote(venue, { bid: mid - 2, ask: mid + 2 }, market)

const refused = (venue: string, reason: string): VenueQuote =>
  p2p(venue, 0, { buy: null, sell: null, mid: null, adsUsed: 2, reason })

/** What is checked most: the number, how far it is trusted, who made it. */
const summary = (...venues: ReadonlyArray<VenueQuote>) => {
  const { mid, confidence, used } = combineVenues(venues)
  return [mid, confidence, used.join(" ")]
}

it("the rate is the P2P venues'; an order book that agrees gives high confidence", () => {
  assert.deepStrictEqual(combineVenues([p2p("A", 1400), book("X", 1390)]), {
    buy: 1405,
    sell: 1395,
    mid: 1400,
    spread: (10 / 1400) * 100,
    confidence: "high",
    reason: null,
    used: ["A"]
  })
})

it("each side is the mean of two P2P venues and the median of three", () => {
  assert.deepStrictEqual(summary(p2p("A", 1400), p2p("B", 1410)), [1405, "high", "A B"])
  const { buy, sell, mid } = combineVenues([p2p("A", 1400), p2p("B", 1404, { buy: 1420 }), p2p("C", 1430)])
  assert.deepStrictEqual([buy, sell, mid], [1420, 1399, 1409.5])
})

it("one P2P venue alone is of medium confidence", () => {
  assert.deepStrictEqual(summary(p2p("A", 1400)), [1400, "medium", "A"])
  assert.deepStrictEqual(summary(p2p("A", 1400), refused("B", "too_few_ads")), [1400, "medium", "A"])
})

it("a thin or doubtful P2P book is of medium confidence however well it agrees", () => {
  assert.deepStrictEqual(summary(p2p("A", 1400, { adsUsed: 9 }), book("X", 1400)), [1400, "medium", "A"])
  assert.deepStrictEqual(summary(p2p("A", 1400, { adsUsed: 10 }), book("X", 1400)), [1400, "high", "A"])
  assert.deepStrictEqual(summary(p2p("A", 1400, { reason: "crossed" }), book("X", 1400)), [1400, "medium", "A"])
})

it("an order book between 1.5 % and 4 % away leaves medium confidence, further away low, and never moves the number", () => {
  assert.deepStrictEqual(summary(p2p("A", 1400), book("X", 1420)), [1400, "high", "A"])
  assert.deepStrictEqual(summary(p2p("A", 1400), book("X", 1422)), [1400, "medium", "A"])
  assert.deepStrictEqual(summary(p2p("A", 1400), book("X", 1455)), [1400, "medium", "A"])
  assert.deepStrictEqual(summary(p2p("A", 1400), book("X", 1457)), [1400, "low", "A"])
})

it("a venue in contradiction rules out high confidence", () => {
  assert.deepStrictEqual(summary(p2p("A", 1400), p2p("B", 1402), book("X", 1340)), [1401, "low", "A B"])
  assert.deepStrictEqual(summary(p2p("A", 1400), book("X", 1400), book("Y", 1480)), [1400, "medium", "A"])
})

it("venues weigh by the depth they show, without a step", () => {
  const mid = (...venues: ReadonlyArray<VenueQuote>) => combineVenues(venues).mid ?? 0
  const deep = p2p("A", 1400, { adsUsed: 60 })
  const thin = (adsUsed: number) => p2p("B", 1400 * 1.014, { adsUsed })
  assert.closeTo(mid(deep, thin(6)), 1400, 1400 * 0.0005)
  assert.closeTo(mid(deep, thin(40)), 1400 * 1.007, 1e-9)
  for (let ads = 7; ads <= 60; ads++) {
    const step = mid(deep, thin(ads)) - mid(deep, thin(ads - 1))
    assert.isTrue(step >= -1e-9 && step < 0.6, `${ads} ads: ${step}`)
  }
})

it("a book of three ads a side moves the rate of a deep one by less than 0.1 %, whatever it says", () => {
  for (const lie of [0.6, 0.97, 1.01, 1.039, 1.08, 1.5]) {
    const [deep, thin] = [p2p("A", 1400, { adsUsed: 60 }), p2p("B", 1400 * lie, { adsUsed: 6 })]
    for (const venues of [
      [deep, thin],
      [deep, thin, book("X", 1402), book("Y", 1398)]
    ]) {
      assert.closeTo(combineVenues(venues).mid ?? 0, 1400, 1.4, `${lie}`)
    }
  }
})

it("over 200 seeded books beside a thin one that lies by 1.6 to 8 %, and at any premium, the rate is as near as without it", () => {
  const errors = Array.from({ length: 200 }, (_, seed) => {
    const { ads, mid } = syntheticBook(seed)
    const lie = mid * (1 + (seed % 2 === 0 ? 1 : -1) * (0.016 + (0.064 * seed) / 200))
    const thin = (["ask", "bid"] as const).flatMap((side) =>
      [1, 2, 3].map((n) =>
        goodAd({ side, price: lie * (1 + (side === "ask" ? 0.001 : -0.001) * n), merchant: `${side}${n}` })
      )
    )
    const quotes = [ads, thin].map((book, n) => quoteFromBook(`P${n}`, estimateBook(book, market)))
    const official = mid / (0.9 + (0.8 * (seed % 10)) / 10)
    const said = combineVenues([...quotes, book("X", mid * 1.003), book("Y", mid * 0.997)], official)
    return Math.abs((said.mid ?? Number.POSITIVE_INFINITY) / mid - 1) * 100
  })
  assert.isAtMost(median(errors), 0.02)
  assert.isAtMost(Math.max(...errors), 0.15)
})

it("over 200 pairs of seeded books of unequal depth the rate is nearer than the thin one's, and at most 0.15 % off", () => {
  const errors = Array.from({ length: 200 }, (_, seed) => {
    const deep = syntheticBook(seed, { honest: 40 })
    const thin = syntheticBook(seed + 1000, { honest: 3 + (seed % 5) })
    const scaled = thin.ads.map((ad) => ({
      ...ad,
      price: (ad.price * deep.mid) / thin.mid,
      available: ad.available * 5
    }))
    const [a, b] = [estimateBook(deep.ads, market), estimateBook(scaled, market)]
    const { mid } = combineVenues([quoteFromBook("A", a), quoteFromBook("B", b)])
    const off = (value: number | null) =>
      value === null ? Number.POSITIVE_INFINITY : Math.abs(value / deep.mid - 1) * 100
    return { rate: off(mid), thin: b.mid === null ? null : off(b.mid) }
  })
  assert.isAtMost(median(errors.map(({ rate }) => rate)), 0.02)
  assert.isAtMost(Math.max(...errors.map(({ rate }) => rate)), 0.15)
  const thin = errors.flatMap((pair) => pair.thin ?? [])
  assert.isAbove(thin.length, 50)
  assert.isBelow(median(errors.map(({ rate }) => rate)), median(thin))
})

it("from 1.5 % on the order books decide between P2P venues, if they agree themselves", () => {
  const [a, b] = [p2p("A", 1400), p2p("B", 1400 * 1.02)]
  assert.deepStrictEqual(summary(a, b, book("X", 1395), book("Y", 1390)), [1400, "high", "A"])
  const torn = [book("X", 1390), book("Y", 1430)]
  assert.deepStrictEqual(summary(p2p("A", 1400), p2p("B", 1422), ...torn), [1411, "high", "A B"])
  assert.deepStrictEqual(summary(p2p("A", 1400), p2p("B", 1421), book("X", 1300)), [1410.5, "low", "A B"])
})

it("a premium of more than 35 % is served with less confidence; a usual one lowers nothing", () => {
  const venues = [p2p("A", 1400), p2p("B", 1402), book("X", 1398)]
  const confidence = (official: number | null) => combineVenues(venues, official).confidence
  assert.deepStrictEqual([confidence(null), confidence(1370), confidence(1040)], ["high", "high", "high"])
  assert.deepStrictEqual([confidence(1401 / 1.6), confidence(1401 / 0.6)], ["medium", "medium"])
  assert.deepStrictEqual(combineVenues(venues, 1401 / 1.6).mid, 1401)
  assert.strictEqual(combineVenues([p2p("A", 1400)], 875).confidence, "low")
})

it("of venues in contradiction those count that need no unusual premium, where nothing else decides", () => {
  const venues = [p2p("A", 1400), p2p("B", 2800)]
  assert.deepStrictEqual([combineVenues(venues, 1370).mid, combineVenues(venues, 1370).used], [1400, ["A"]])
  assert.deepStrictEqual(combineVenues(venues, null).confidence, "low")
})

it("a venue that crosses where the others have a spread has swapped sides and is passed over with a reason", () => {
  const crossed = p2p("A", 1400, { buy: 1398, sell: 1402, reason: "crossed" })
  const wide = (venue: string) => p2p(venue, 1400, { buy: 1420, sell: 1380 })
  const reasons = (...venues: ReadonlyArray<VenueQuote>) =>
    withoutSwapped(venues).map(({ mid, reason }) => [mid, reason])
  assert.deepStrictEqual(reasons(crossed, wide("B"), wide("C")), [
    [null, "inverted"],
    [1400, null],
    [1400, null]
  ])
  assert.deepStrictEqual(reasons(crossed, p2p("B", 1400)), [
    [1400, "crossed"],
    [1400, null]
  ])
  assert.deepStrictEqual(reasons(crossed), [[1400, "crossed"]])
})

it("of two P2P venues that contradict each other the one that agrees with the order books counts", () => {
  assert.deepStrictEqual(summary(p2p("A", 1400), p2p("B", 1500), book("X", 1405)), [1400, "medium", "A"])
  assert.deepStrictEqual(summary(p2p("A", 1400), p2p("B", 1500), book("X", 1490), book("Y", 1495)), [
    1500,
    "medium",
    "B"
  ])
})

it("with nothing to decide between them two P2P venues in contradiction are of low confidence", () => {
  assert.deepStrictEqual(summary(p2p("A", 1400), p2p("B", 1500)), [1450, "low", "A B"])
  assert.deepStrictEqual(summary(p2p("A", 1400), p2p("B", 1600)), [1500, "low", "A B"])
})

it("of three P2P venues one alone against the others does not count", () => {
  assert.deepStrictEqual(summary(p2p("A", 1400), p2p("B", 1404), p2p("C", 1600)), [1402, "medium", "A B"])
})

it("an unverified P2P quote counts only where it is the best there is, and then with low confidence", () => {
  const unverified = p2p("A", 1400, { reason: "unverified" })
  assert.deepStrictEqual(summary(unverified, p2p("B", 1410)), [1410, "high", "B"])
  assert.deepStrictEqual(summary(unverified, book("X", 1400)), [1400, "low", "A"])
})

it("order books stand in where no P2P venue has a number", () => {
  const none = refused("A", "inverted")
  assert.deepStrictEqual(summary(none, book("X", 1400), book("Y", 1410)), [1405, "medium", "X Y"])
  assert.deepStrictEqual(summary(none, book("X", 1400), book("Y", 1440)), [1420, "low", "X Y"])
  assert.deepStrictEqual(summary(none, book("X", 1400)), [1400, "low", "X"])
})

it("with no number anywhere the venues' reasons are given", () => {
  const nothing = { buy: null, sell: null, mid: null, spread: null, confidence: "low", used: [] }
  assert.deepStrictEqual<unknown>(combineVenues([]), { ...nothing, reason: "no_venue" })
  const venues = [
    refused("A", "too_few_ads"),
    refused("B", "too_few_ads"),
    orderBookQuote("X", { bid: 0, ask: 0 }, market)
  ]
  assert.deepStrictEqual<unknown>(combineVenues(venues), { ...nothing, reason: "too_few_ads, not_positive" })
})

it("a quote that is not finite or not positive makes no number", () => {
  for (const mid of [Number.NaN, Number.POSITIVE_INFINITY, 0, -1]) {
    assert.deepStrictEqual(summary(p2p("A", 1400, { mid })), [null, "low", ""])
  }
})

it("a customer of an order book buys at the ask and sells at the bid", () => {
  const quote = { venue: "X", kind: "order_book", buy: 1391.75, sell: 1386, mid: 1388.875, reason: null } as const
  assert.deepStrictEqual(orderBookQuote("X", { bid: 1386, ask: 1391.75 }, market), {
    ...quote,
    adsUsed: null,
    adsRejected: {}
  })
  assert.strictEqual(orderBookQuote("X", { bid: 1386, ask: 1386 }, market).mid, 1386)
})

it("an order book that cannot be right is refused", () => {
  const cases = [
    [{ bid: 0, ask: 1391 }, "not_positive"],
    [{ bid: 1386, ask: Number.NaN }, "not_positive"],
    [{ bid: 1386, ask: Number.POSITIVE_INFINITY }, "not_positive"],
    [{ bid: 1386, ask: 1385.9 }, "crossed"],
    [{ bid: 1300, ask: 1511 }, "spread_too_wide"],
    [{ bid: 299, ask: 301 }, "out_of_range"],
    [{ bid: 9999, ask: 10_001 }, "out_of_range"]
  ] as const
  for (const [top, reason] of cases) {
    const quote = orderBookQuote("X", top, market)
    assert.deepStrictEqual([quote.buy, quote.sell, quote.mid, quote.reason], [null, null, null, reason])
  }
})

it("the premium is in percent of the official rate, and negative below it", () => {
  assert.deepStrictEqual([premium(1400, 1250), premium(1250, 1250), premium(1000, 1250)], [12, 0, -20])
})

const Mid = Schema.Finite.check(Schema.isBetween({ minimum: 300, maximum: 10_000 }))

it.effect.prop(
  "the number lies among the P2P mids, whatever the order books say",
  { a: Mid, b: Mid, x: Mid },
  ({ a, b, x }) =>
    Effect.sync(() => {
      const { mid, used } = combineVenues([p2p("A", a), p2p("B", b), book("X", x)])
      assert.isTrue(mid !== null && mid >= Math.min(a, b) - 1e-9 && mid <= Math.max(a, b) + 1e-9)
      assert.notInclude(used, "X")
    })
)

it.effect.prop("the order of the venues does not matter", { a: Mid, b: Mid, x: Mid }, ({ a, b, x }) =>
  Effect.sync(() => {
    const venues = [p2p("A", a), p2p("B", b), book("X", x)]
    const { used, ...rest } = combineVenues(venues)
    const { used: reversedUsed, ...reversed } = combineVenues(venues.toReversed())
    assert.deepStrictEqual([reversed, reversedUsed.toReversed()], [rest, used])
  })
)

it.effect.prop("a book's quote says what its estimate says", { seed: Schema.Int }, ({ seed }) =>
  Effect.sync(() => {
    const estimate = estimateBook(syntheticBook(seed).ads, market)
    const { asksUsed: _, bidsUsed: __, ...said } = estimate
    assert.deepStrictEqual(quoteFromBook("A", estimate), { venue: "A", kind: "p2p", ...said })
  })
)
