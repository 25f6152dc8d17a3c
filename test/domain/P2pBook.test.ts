import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import type { P2pAd } from "../../src/domain/P2pAd.ts"
import { median, type RejectReason } from "../../src/domain/P2pBook.ts"
import { type P2pMarket, p2pMarkets } from "../../src/domain/P2pMarket.ts"
import { estimateBook, goodAd, syntheticBook } from "./syntheticBooks.ts"

const market = p2pMarkets.NGN

const side = (side: P2pAd["side"], prices: ReadonlyArray<number>, fields: Partial<P2pAd> = {}) =>
  prices.map((price, index) => goodAd({ side, price, merchant: `${side}${index}`, ...fields }))

const asks = side("ask", [1400, 1401, 1402, 1403, 1404, 1405])
const bids = side("bid", [1390, 1389, 1388, 1387, 1386, 1385])
const book = [...asks, ...bids]

const changed = (change: (ad: P2pAd) => Partial<P2pAd>) => book.map((ad) => ({ ...ad, ...change(ad) }))

const Seed = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 31 - 1 }))

const error = (estimated: number | null, mid: number): number =>
  estimated === null ? Number.POSITIVE_INFINITY : (Math.abs(estimated - mid) / mid) * 100

const total = (counts: Readonly<Partial<Record<RejectReason, number>>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0)

/** What a book says of one more ad that would be the best ask. */
const rejected = (fields: Partial<P2pAd>) =>
  estimateBook([...book, goodAd({ side: "ask", price: 1399, merchant: "new", ...fields })], market).adsRejected

it("a customer buys from asks and sells to bids, and the mid is half way", () => {
  const { buy, sell, mid, ...rest } = estimateBook(book, market)
  assert.deepStrictEqual(rest, { adsUsed: 12, asksUsed: 6, bidsUsed: 6, adsRejected: {}, reason: null })
  assert.deepStrictEqual([buy, sell, mid], [1401.6, 1388.4, 1395])
})

it("the median of an even number is the mean of the middle two, and of nothing is NaN", () => {
  assert.deepStrictEqual([median([3, 1, 2]), median([4, 1, 3, 2]), median([])], [2, 2.5, Number.NaN])
})

it("an ad is rejected for what is wrong with it", () => {
  const cases: ReadonlyArray<readonly [RejectReason, Partial<P2pAd>]> = [
    ["wrong_currency", { asset: "USDC" }],
    ["wrong_currency", { fiat: "KES" }],
    ["not_positive", { price: Number.NaN }],
    ["not_positive", { price: -1399 }],
    ["not_positive", { price: Number.POSITIVE_INFINITY }],
    ["not_positive", { available: 0 }],
    ["out_of_range", { price: 299 }],
    ["out_of_range", { price: 10_001 }],
    ["not_executable_size", { minAmount: 2090, maxAmount: 2090 }],
    ["not_executable_size", { minAmount: 100_001 }],
    ["not_executable_size", { maxAmount: 99_999 }],
    ["not_executable_size", { available: 71 }],
    ["not_executable_size", { minAmount: Number.NaN }],
    ["thin_merchant", { orders: 2 }],
    ["thin_merchant", { orders: 49 }],
    ["thin_merchant", { orders: Number.NaN }],
    ["low_completion", { completionRate: 89.9 }],
    ["unverified_merchant", { orders: null }],
    ["unverified_merchant", { completionRate: null }],
    ["unverified", { payments: [] }],
    ["cash_only", { payments: ["cash"] }],
    ["no_bank_transfer", { payments: ["cash", "other"] }],
    ["offline", { online: false }],
    ["duplicate_merchant", { merchant: "ask0" }],
    ["crosses_market", { price: 1380 }],
    ["outlier", { price: 1500 }]
  ]
  for (const [reason, fields] of cases)
    assert.deepStrictEqual(rejected(fields), { [reason]: 1 }, JSON.stringify(fields))
})

it("an ad at the edge of every rule counts", () => {
  const edge = {
    minAmount: 100_000,
    maxAmount: 100_000,
    orders: 50,
    completionRate: 90,
    payments: ["bank_transfer", "other"],
    online: null
  } as const
  assert.deepStrictEqual(rejected(edge), {})
})

it("an ad is an outlier from 3 × 1.4826 × MAD behind its side's median, the MAD being at least 0.2 % of that", () => {
  assert.deepStrictEqual(rejected({ price: 1415 }), {})
  assert.deepStrictEqual(rejected({ price: 1416 }), { outlier: 1 })
  assert.deepStrictEqual(rejected({ side: "bid", price: 1375 }), {})
  assert.deepStrictEqual(rejected({ side: "bid", price: 1374 }), { outlier: 1 })
})

it("an ad with several faults is counted once, under the first", () => {
  assert.deepStrictEqual(rejected({ fiat: "KES", orders: 1, online: false }), { wrong_currency: 1 })
  assert.deepStrictEqual(rejected({ orders: 1, online: false }), { thin_merchant: 1 })
})

it("a book is judged by itself: no official rate refuses it", () => {
  const dear = changed(({ price }) => ({ price: price * 1.6 }))
  assert.closeTo(estimateBook(dear, market).mid ?? 0, 1395 * 1.6, 1e-9)
})

it("of fewer than ten ads the best does not count whole", () => {
  const { buy, sell } = estimateBook([...side("ask", [1400, 1404, 1406]), ...side("bid", [1390, 1386, 1384])], market)
  // From 0.3 to 1.8 of three: seven tenths of the best, eight of the second.
  const third = (0.7 * 4) / 1.5
  assert.closeTo(buy ?? 0, 1404 - third, 1e-9)
  assert.closeTo(sell ?? 0, 1386 + third, 1e-9)
})

it("a side is priced at the same share of its ads, however few the other has", () => {
  const steps = (count: number) => Array.from({ length: count }, (_, n) => 1400 + (20 * (n + 0.5)) / count)
  const priced = (count: number) => estimateBook([...side("ask", steps(count)), ...bids], market).buy ?? 0
  assert.closeTo(priced(40), priced(10), 0.5)
  assert.closeTo(priced(40), 1407, 0.5)
})

it("the order size decides what can be executed", () => {
  const small = estimateBook(book, { ...market, orderSize: 5000 })
  assert.deepStrictEqual([small.mid, small.adsRejected], [null, { not_executable_size: 12 }])
})

it("a merchant counts once, with the ad that is best for the customer", () => {
  const crowd = [
    ...side("ask", [1395, 1399, 1420], { merchant: "ask0" }),
    ...side("bid", [1391, 1380], { merchant: "bid0" })
  ]
  const { asksUsed, bidsUsed, buy, adsRejected } = estimateBook([...crowd, ...book], market)
  const expected = estimateBook([...side("ask", [1395, 1401, 1402, 1403, 1404, 1405]), ...bids], market)
  assert.deepStrictEqual([asksUsed, bidsUsed, buy], [6, 6, expected.buy])
  assert.deepStrictEqual(adsRejected, { duplicate_merchant: 5 })
})

it("ads without a merchant's id count as one merchant's, so that a book without ids has no rate", () => {
  const { adsRejected, mid, reason } = estimateBook(
    changed(() => ({ merchant: "" })),
    market
  )
  assert.deepStrictEqual([mid, reason, adsRejected], [null, "too_few_ads", { duplicate_merchant: 10 }])
})

const bait = (price: number, count: number) =>
  Array.from({ length: count }, (_, n) => side("ask", [price + n / 2], { merchant: `bait${n}` })).flat()

it.each<readonly [what: string, ads: ReadonlyArray<P2pAd>, mid: number | null, reason: string | null]>([
  ["no ads are no number", [], null, "too_few_ads"],
  ["nor are asks alone", asks, null, "too_few_ads"],
  ["nor bids alone", bids, null, "too_few_ads"],
  ["nor two asks", [...asks.slice(0, 2), ...bids], null, "too_few_ads"],
  ["nor two bids", [...asks, ...bids.slice(0, 2)], null, "too_few_ads"],
  ["three on either side are one", [...asks.slice(0, 3), ...bids.slice(0, 3)], 1395, null],
  ["two asks are not filled up by bait", [...asks.slice(0, 2), ...bait(1340, 4), ...bids], null, "too_few_ads"],
  ["no records of orders are doubtful", changed(() => ({ orders: null })), 1395, "unverified"],
  ["no records of completion are doubtful", changed(() => ({ completionRate: null })), 1395, "unverified"],
  ["no records at all are doubtful", changed(() => ({ orders: null, completionRate: null })), 1395, "unverified"],
  [
    "swapped sides are refused",
    changed(({ price, side }) => (side === "ask" ? { side: "bid", price: price * 1.02 } : { side: "ask" })),
    null,
    "inverted"
  ],
  [
    "sides of which most ads are swapped are refused, however good the rest",
    [
      ...side("ask", [1375, 1375, 1376, 1377, 1379, 1419, 1421, 1428]),
      ...side("bid", [1428, 1425, 1423, 1421, 1420, 1378, 1375, 1368])
    ],
    null,
    "inverted"
  ],
  [
    "sides that cross by more than half a percent are refused",
    [...side("ask", [1390, 1390, 1390, 1390]), ...side("bid", [1400, 1400, 1400, 1400])],
    null,
    "inverted"
  ],
  [
    "sides that lie across each other by more than half a percent are refused",
    [...side("ask", [1390, 1391, 1393]), ...side("bid", [1392, 1398, 1398])],
    null,
    "inverted"
  ],
  [
    "a spread of more than 15 % is refused",
    changed(({ price, side }) => (side === "bid" ? { price: price * 0.85 } : {})),
    null,
    "spread_too_wide"
  ],
  [
    "as many baits as honest asks contradict every bid and do not move the mid",
    [...book, ...bait(1345, 6)],
    1395,
    null
  ],
  [
    "in a wide book, bait a little across the mid is rejected too",
    [
      ...side("ask", [1407, 1407, 1408, 1408, 1409, 1410]),
      ...side("bid", [1393, 1393, 1392, 1392, 1391, 1390]),
      ...bait(1396, 2)
    ],
    1400,
    null
  ],
  [
    "where only the best ads cross, the sides are priced by all of theirs",
    [
      ...side("ask", [1398, 1398.5, 1399, 1401, 1402, 1403, 1404]),
      ...side("bid", [1402, 1401.5, 1401, 1399, 1398, 1397, 1396])
    ],
    1400,
    null
  ],
  [
    "bait on both sides at once does not move the mid",
    [
      ...book,
      ...bait(1340, 4),
      ...[1440, 1445, 1450].flatMap((price) => side("bid", [price], { merchant: `bait${price}` }))
    ],
    1395,
    null
  ]
])("%s", (_, ads, mid, reason) => {
  const found = estimateBook(ads, market)
  assert.deepStrictEqual([found.mid, found.reason], [mid, reason])
})

it("sides that cross by no more than noise have a number that is marked", () => {
  const crossed = [...side("ask", [1394, 1395, 1396, 1397]), ...side("bid", [1399, 1398, 1397, 1396])]
  const { buy, sell, mid, reason } = estimateBook(crossed, market)
  assert.strictEqual(reason, "crossed")
  assert.isTrue(buy !== null && sell !== null && buy < sell)
  assert.isBelow(error(mid, 1396.5), 0.1)
})

it("over 200 seeded books the median error of the mid is at most 0.02 % and the worst at most 0.15 %", () => {
  const errors = Array.from({ length: 200 }, (_, seed) => {
    const { ads, mid } = syntheticBook(seed)
    return error(estimateBook(ads, market).mid, mid)
  })
  assert.isAtMost(median(errors), 0.02)
  assert.isAtMost(Math.max(...errors), 0.15)
})

it("over 200 seeded books with two honest ads a side every one is refused", () => {
  for (let seed = 0; seed < 200; seed++) {
    const { ads } = syntheticBook(seed, { honest: 2, adversaries: false })
    const junk = syntheticBook(seed).ads.map((ad) => goodAd({ ...ad, orders: 10 }))
    assert.strictEqual(estimateBook([...ads, ...junk], market).reason, "too_few_ads")
  }
})

it.prop("every ad is used or counted once, and the prices are null together", { seed: Seed }, ({ seed }) => {
  const { ads } = syntheticBook(seed)
  const { buy, sell, mid, reason, adsUsed, asksUsed, bidsUsed, adsRejected } = estimateBook(ads, market)
  assert.strictEqual(adsUsed + total(adsRejected), ads.length)
  assert.strictEqual(asksUsed + bidsUsed, adsUsed)
  if (buy === null || sell === null || mid === null) {
    assert.deepStrictEqual([buy, sell, mid, reason === null], [null, null, null, false])
  } else {
    assert.strictEqual(mid, (buy + sell) / 2)
    assert.isAtLeast(Math.min(asksUsed, bidsUsed), 3)
  }
})

it.prop("the order in which ads arrive does not matter", { seed: Seed }, ({ seed }) => {
  const { ads } = syntheticBook(seed)
  assert.deepStrictEqual(estimateBook(ads.toReversed(), market), estimateBook(ads, market))
})

/** About what a dollar is in a market's fiat: the middle of its bounds, by ratio. */
const dollar = ({ bounds }: P2pMarket): number => Math.sqrt(bounds.least * bounds.most)

it.each(Object.values(p2pMarkets))(
  "ten books in the money and the order sizes of $fiat are estimated to 0.3 %",
  (other) => {
    const [price, money] = [dollar(other) / dollar(market), other.orderSize / market.orderSize]
    for (let seed = 1; seed <= 10; seed++) {
      const { ads, mid } = syntheticBook(seed)
      const moved = ads.map((ad) => ({
        ...ad,
        fiat: ad.fiat === "NGN" ? other.fiat : "XXX",
        price: ad.price * price,
        minAmount: ad.minAmount * money,
        maxAmount: ad.maxAmount * money,
        available: (ad.available * money) / price
      }))
      assert.isAtMost(error(estimateBook(moved, other).mid, mid * price), 0.3, `seed ${seed}`)
    }
  }
)
