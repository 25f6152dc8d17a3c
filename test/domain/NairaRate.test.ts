import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { combineVenues, orderBookQuote, premium, quoteFromBook, type VenueQuote } from "../../src/domain/NairaRate.ts"
import { estimateBook } from "../../src/domain/P2pBook.ts"
import { syntheticBook } from "./syntheticBooks.ts"

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

const book = (venue: string, mid: number) => orderBookQuote(venue, { bid: mid - 2, ask: mid + 2 })

const refused = (venue: string, reason: string): VenueQuote =>
  p2p(venue, 0, { buy: null, sell: null, mid: null, adsUsed: 2, reason })

/** What is checked most: the number, how far it is trusted, who made it. */
const summary = (...venues: ReadonlyArray<VenueQuote>) => {
  const { mid, confidence, used } = combineVenues(venues)
  return [mid, confidence, used.join(" ")]
}

describe("NairaRate", () => {
  it("P2P makes the number and an order book that agrees makes it sure", () => {
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
    const venues = [refused("A", "too_few_ads"), refused("B", "too_few_ads"), orderBookQuote("X", { bid: 0, ask: 0 })]
    assert.deepStrictEqual<unknown>(combineVenues(venues), { ...nothing, reason: "too_few_ads, not_positive" })
  })

  it("a quote that is not finite or not positive makes no number", () => {
    for (const mid of [Number.NaN, Number.POSITIVE_INFINITY, 0, -1]) {
      assert.deepStrictEqual(summary(p2p("A", 1400, { mid })), [null, "low", ""])
    }
  })

  it("a customer of an order book buys at the ask and sells at the bid", () => {
    const quote = { venue: "X", kind: "order_book", buy: 1391.75, sell: 1386, mid: 1388.875, reason: null } as const
    assert.deepStrictEqual(orderBookQuote("X", { bid: 1386, ask: 1391.75 }), {
      ...quote,
      adsUsed: null,
      adsRejected: {}
    })
    assert.strictEqual(orderBookQuote("X", { bid: 1386, ask: 1386 }).mid, 1386)
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
      const quote = orderBookQuote("X", top)
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
      const estimate = estimateBook(syntheticBook(seed).ads, { reference: null })
      const { asksUsed: _, bidsUsed: __, ...said } = estimate
      assert.deepStrictEqual(quoteFromBook("A", estimate), { venue: "A", kind: "p2p", ...said })
    })
  )
})
