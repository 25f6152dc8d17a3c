import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  combineVenues,
  orderBookQuote,
  premium,
  quoteFromBook,
  type VenueQuote,
  withoutSwapped
} from "../../src/domain/P2pRate.ts"
import { median } from "../../src/domain/P2pBook.ts"
import { p2pMarkets } from "../../src/domain/P2pMarket.ts"
import { estimateBook, goodAd, mulberry32, syntheticBook } from "./syntheticBooks.ts"

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

/** P2P venues are `A` to `C`, order books `X` and `Y`; `?` is unverified, `n ads` its number of ads, or a reason. */
const venuesOf = (text: string): ReadonlyArray<VenueQuote> =>
  text.split(", ").map((venue) => {
    const [name = "", mid = "", ...words] = venue.split(" ")
    const fields = words[1] === "ads" ? { adsUsed: Number(words[0]) } : { reason: words[0] ?? null }
    if (name === "X" || name === "Y") return book(name, Number(mid))
    if (mid === "-") return refused(name, words[0] ?? "")
    return p2p(name, Number(mid), fields)
  })

/** Its mid, how far it is trusted, who made it. */
const rateOf = (text: string) => {
  const { confidence, mid, used } = combineVenues(venuesOf(text))
  return `${mid === null ? "none" : Number(mid.toFixed(6))} ${[confidence, ...used].join(" ")}`
}

const rates: Readonly<Record<string, ReadonlyArray<readonly [venues: string, rate: string]>>> = {
  "two P2P venues share the rate, and one alone is of medium confidence": [
    ["A 1400, B 1410", "1405 high A B"],
    ["A 1400", "1400 medium A"],
    ["A 1400, B - too_few_ads", "1400 medium A"]
  ],
  "a thin or doubtful P2P book is of medium confidence however well it agrees": [
    ["A 1400 9 ads, X 1400", "1400 medium A"],
    ["A 1400 10 ads, X 1400", "1400 high A"],
    ["A 1400 crossed, X 1400", "1400 medium A"]
  ],
  "an order book between 1.5 % and 4 % away leaves medium confidence, further away low, and never moves the number": [
    ["A 1400, X 1420", "1400 high A"],
    ["A 1400, X 1422", "1400 medium A"],
    ["A 1400, X 1455", "1400 medium A"],
    ["A 1400, X 1457", "1400 low A"]
  ],
  "a venue in contradiction rules out high confidence": [
    ["A 1400, B 1402, X 1340", "1400 low A B"],
    ["A 1400, X 1400, Y 1480", "1400 medium A"]
  ],
  "P2P venues more than 1.5 % from the middle of all venues are passed over, which rules out high confidence": [
    ["A 1400, B 1428, X 1395, Y 1390", "1400 medium A"],
    ["A 1400, B 1422, X 1390, Y 1430", "1411 high A B"],
    ["A 1400, B 1421, X 1300", "1400 low A B"],
    ["A 1500, X 1400, Y 1402", "1402 medium X Y"]
  ],
  "two venues almost 5 % apart have low confidence": [["A 1400, B 1469", "1434.5 low A B"]],
  "the mid of three venues is the middle one of their mids; an order book's is named, and not certain beyond the sides of the others":
    [
      ["A 1400, X 1396, Y 1397", "1397 high A Y"],
      ["A 1400, X 1390, Y 1392", "1392 medium A Y"],
      ["A 1400, B 1500, X 1405", "1405 medium A X"],
      ["A 1400, B 1404, C 1600", "1404 medium A B"],
      ["A 1400, B 1500, X 1490, Y 1495", "1495 medium B Y"]
    ],
  "a verified P2P quote that two unverified ones contradict has low confidence": [
    ["C 1400, A 1600 unverified, B 1605 unverified", "1400 low C"],
    ["C 1400, A 1600 unverified", "1400 medium C"],
    ["C 1590, A 1600 unverified, B 1605 unverified", "1590 high C"]
  ],
  "an unverified P2P quote counts only where it is the best there is, and then with low confidence": [
    ["A 1400 unverified, B 1410", "1410 high B"],
    ["A 1400 unverified, X 1400", "1400 low A"]
  ],
  "order books stand in where no P2P venue has a number": [
    ["A - inverted, X 1400, Y 1410", "1405 medium X Y"],
    ["A - inverted, X 1400, Y 1440", "1420 low X Y"],
    ["A - inverted, X 1400", "1400 low X"]
  ]
}

it.each([Number.NaN, Number.POSITIVE_INFINITY, 0, -1])("a quote of %d makes no number", (mid) => {
  assert.isNull(combineVenues([p2p("A", 1400, { mid })]).mid)
})

describe.each(Object.entries(rates))("%s", (_, rows) => {
  it.each(rows)("%s: %s", (venues, rate) => assert.strictEqual(rateOf(venues), rate))
})

it("the rate is the P2P venues'; an order book that agrees gives high confidence", () => {
  assert.deepStrictEqual(combineVenues(venuesOf("A 1400, X 1390")), {
    buy: 1405,
    sell: 1395,
    mid: 1400,
    spread: (10 / 1400) * 100,
    confidence: "high",
    reason: null,
    used: ["A"]
  })
})

it("each side is the median of three P2P venues around the median of the mids", () => {
  const { buy, sell, mid } = combineVenues([p2p("A", 1400), p2p("B", 1404, { buy: 1420 }), p2p("C", 1430)])
  assert.deepStrictEqual([buy, sell, mid], [1411.75, 1396.25, 1404])
})

it("venues weigh by the depth they show, without a step", () => {
  const mid = (thin: number) => combineVenues(venuesOf(`A 1400 60 ads, B 1419.6 ${thin} ads`)).mid ?? 0
  assert.closeTo(mid(6), 1400, 1400 * 0.0005)
  assert.closeTo(mid(40), 1400 * 1.007, 1e-9)
  for (let ads = 7; ads <= 60; ads++) {
    const step = mid(ads) - mid(ads - 1)
    assert.isTrue(step >= -1e-9 && step < 0.6, `${ads} ads: ${step}`)
  }
})

it("a book of three ads a side moves the rate of others by less than 0.15 %, whatever it says", () => {
  for (const lie of [0.6, 0.97, 1.01, 1.039, 1.08, 1.5]) {
    const two = `A 1400 60 ads, B ${1400 * lie} 6 ads`
    assert.closeTo(combineVenues(venuesOf(`${two}, X 1402, Y 1398`)).mid ?? 0, 1400, 2.1, `${lie}`)
    if (Math.abs(lie - 1) < 0.05) assert.closeTo(combineVenues(venuesOf(two)).mid ?? 0, 1400, 1.4, `${lie}`)
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
  assert.isAtMost(median(errors), 0.03)
  // Where the honest book has no price, one of the order books decides, which are 0.3 % off.
  assert.isAtMost(Math.max(...errors), 0.31)
})

it("over 200 pairs of seeded books of unequal depth the rate is nearer than the thin one's, and at most 0.15 % off", () => {
  const errors = Array.from({ length: 200 }, (_, seed) => {
    const deep = syntheticBook(seed, { honest: 40 })
    const thin = syntheticBook(seed + 1000, { honest: 3 + (seed % 5) })
    const ratio = deep.mid / thin.mid
    const scaled = thin.ads.map((ad) => ({ ...ad, price: ad.price * ratio, available: ad.available * 5 }))
    const [a, b] = [estimateBook(deep.ads, market), estimateBook(scaled, market)]
    const { mid } = combineVenues([quoteFromBook("A", a), quoteFromBook("B", b)])
    const off = (value: number | null) =>
      value === null ? Number.POSITIVE_INFINITY : Math.abs(value / deep.mid - 1) * 100
    return { rate: off(mid), thin: b.mid === null ? null : off(b.mid) }
  })
  const [rates, thin] = [errors.map(({ rate }) => rate), errors.flatMap((pair) => pair.thin ?? [])]
  assert.isAtMost(median(rates), 0.02)
  assert.isAtMost(Math.max(...rates), 0.15)
  assert.isAbove(thin.length, 50)
  assert.isBelow(median(rates), median(thin))
})

it("a premium of more than 35 % is served with less confidence; a usual one lowers nothing", () => {
  const venues = venuesOf("A 1400, B 1402, X 1398")
  const confidence = (official: number | null) => combineVenues(venues, official).confidence
  assert.deepStrictEqual([null, 1370, 1040].map(confidence), ["high", "high", "high"])
  assert.deepStrictEqual([1401 / 1.6, 1401 / 0.6].map(confidence), ["medium", "medium"])
  assert.deepStrictEqual(combineVenues(venues, 1401 / 1.6).mid, 1400)
  assert.strictEqual(combineVenues([p2p("A", 1400)], 875).confidence, "low")
})

it("of two venues more than 5 % apart the one within 3 % of the last served mid counts alone, with low confidence", () => {
  const withServed = (served?: number) => {
    const { confidence, mid, reason, used } = combineVenues(venuesOf("A 1400, B 1471"), 1370, served)
    return [mid, used.join(" "), reason, confidence]
  }
  const none = [null, "", "venues_disagree", "low"]
  assert.deepStrictEqual([withServed(), withServed(1350)], [none, none])
  assert.deepStrictEqual(withServed(1395), [1400, "A", null, "low"])
  assert.deepStrictEqual(withServed(1441), [1471, "B", null, "low"])
})

it("of three venues of which no two are near each other the middle one counts, if the last served mid is near it", () => {
  const three = venuesOf("A 1400, B 1500, X 1600")
  assert.strictEqual(combineVenues(three, null, 1510).mid, 1500)
  assert.strictEqual(combineVenues(three, null, 1400).reason, "venues_disagree")
})

it("a venue that crosses where the others have a spread has swapped sides and is passed over with a reason", () => {
  const crossed = p2p("A", 1400, { buy: 1398, sell: 1402, reason: "crossed" })
  const wide = (venue: string) => p2p(venue, 1400, { buy: 1420, sell: 1380 })
  const narrow = p2p("N", 1400)
  const reasons = (...venues: ReadonlyArray<VenueQuote>) =>
    withoutSwapped(venues).map(({ mid, reason }) => `${mid} ${reason}`)
  assert.deepStrictEqual(reasons(crossed, wide("B"), wide("C")), ["null inverted", "1400 null", "1400 null"])
  for (const others of [[narrow], [], [wide("B"), narrow, book("X", 1400)], [wide("B"), narrow]]) {
    assert.strictEqual(reasons(crossed, ...others)[0], "1400 crossed", String(others.length))
  }
  assert.strictEqual(combineVenues(withoutSwapped([crossed, wide("B"), wide("C")])).confidence, "medium")
  const { buy, mid, sell, spread } = combineVenues([crossed])
  assert.deepStrictEqual([buy, sell, mid, spread], [1400, 1400, 1400, 0], "buy is never below sell")
})

it("with no number anywhere the venues' reasons are given", () => {
  const nothing = { buy: null, sell: null, mid: null, spread: null, confidence: "low", used: [] }
  assert.deepStrictEqual<unknown>(combineVenues([]), { ...nothing, reason: "no_venue" })
  const venues = [...venuesOf("A - too_few_ads, B - too_few_ads"), orderBookQuote("X", { bid: 0, ask: 0 }, market)]
  assert.deepStrictEqual<unknown>(combineVenues(venues), { ...nothing, reason: "too_few_ads, not_positive" })
})

it("a customer of an order book buys at the ask and sells at the bid", () => {
  const quote = { venue: "X", kind: "order_book", buy: 1391.75, sell: 1386, mid: 1388.875, reason: null } as const
  const found = orderBookQuote("X", { bid: 1386, ask: 1391.75 }, market)
  assert.deepStrictEqual(found, { ...quote, adsUsed: null, adsRejected: {} })
  assert.strictEqual(orderBookQuote("X", { bid: 1386, ask: 1386 }, market).mid, 1386)
})

it.each([
  [0, 1391, "not_positive"],
  [1386, Number.NaN, "not_positive"],
  [1386, Number.POSITIVE_INFINITY, "not_positive"],
  [1386, 1385.9, "crossed"],
  [1440, 1484, "spread_too_wide"],
  [299, 301, "out_of_range"],
  [9999, 10_001, "out_of_range"]
])("an order book that cannot be right is refused: %d, %d: %s", (bid, ask, why) => {
  const { buy, mid, reason, sell } = orderBookQuote("X", { bid, ask }, market)
  assert.deepStrictEqual([buy, sell, mid, reason], [null, null, null, why])
})

it("order books too wide to say what a dollar costs do not move the rate of a P2P venue", () => {
  const wide = [50, 60].map((half, n) => orderBookQuote(`X${n}`, { bid: 1502 - half, ask: 1502 + half }, market))
  assert.deepInclude(combineVenues([p2p("A", 1520), ...wide]), { mid: 1520, confidence: "medium", used: ["A"] })
})

it("the premium is in percent of the official rate, and negative below it", () =>
  assert.deepStrictEqual([premium(1400, 1250), premium(1250, 1250), premium(1000, 1250)], [12, 0, -20]))

const Mid = Schema.Finite.check(Schema.isBetween({ minimum: 300, maximum: 10_000 }))
const Seed = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1e9 }))

it.prop(
  "of three to seven venues a minority moves the mid no further than between the others' mids, whatever it says",
  { seed: Seed },
  ({ seed }) => {
    const random = mulberry32(seed)
    const count = 3 + Math.floor(random() * 5)
    const liars = Math.floor(random() * (Math.floor((count - 1) / 2) + 1))
    const venues = Array.from({ length: count }, (_, n): VenueQuote => {
      const mid = n < liars ? 400 + 8000 * random() : 1400 * (0.98 + 0.04 * random())
      const half = (mid * (0.15 * random() - (n < liars ? 0.05 : 0))) / 2
      const sides = { buy: mid + half, sell: mid - half, mid, adsUsed: 6 + Math.floor(random() * 60) }
      return p2p(`V${n}`, mid, random() < 0.4 ? { ...sides, kind: "order_book", adsUsed: null } : sides)
    })
    const others = venues.slice(liars).map(({ mid }) => mid ?? 0)
    const { buy, confidence, mid, sell } = combineVenues(venues)
    assert.isAtLeast(mid ?? 0, Math.min(...others))
    assert.isAtMost(mid ?? Infinity, Math.max(...others))
    assert.isAtLeast(buy ?? 0, sell ?? Infinity)
    const isFar = venues.some((venue) => Math.abs((venue.mid ?? 0) / (mid ?? 1) - 1) > 0.041)
    if (isFar) assert.notStrictEqual(confidence, "high")
  }
)

it.prop(
  "two venues give a mid between theirs, or none where they are more than 5 % apart",
  { a: Mid, b: Mid },
  ({ a, b }) => {
    const { mid, reason } = combineVenues([p2p("A", a), p2p("B", b)])
    if (Math.max(a, b) / Math.min(a, b) > 1.0501) assert.deepStrictEqual([mid, reason], [null, "venues_disagree"])
    else assert.isTrue(mid === null || (mid >= Math.min(a, b) - 1e-9 && mid <= Math.max(a, b) + 1e-9))
  }
)

it.prop("the order of the venues does not matter", { a: Mid, b: Mid, x: Mid }, ({ a, b, x }) => {
  const venues = [p2p("A", a), p2p("B", b), book("X", x)]
  const { used, ...rest } = combineVenues(venues)
  const { used: reversedUsed, ...reversed } = combineVenues(venues.toReversed())
  assert.deepStrictEqual([reversed, reversedUsed.toReversed()], [rest, used])
})
