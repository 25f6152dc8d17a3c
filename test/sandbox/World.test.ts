import { assert, describe, it } from "@effect/vitest"
import { knownCoins } from "../../src/domain/CoinRegistry.ts"
import { dayMs, hourMs, isoDate, isWeekday, minuteMs, monthDate } from "../../src/sandbox/Calendar.ts"
import { totals } from "../../src/sandbox/CoinMarket.ts"
import { ads, quote } from "../../src/sandbox/P2pBooks.ts"
import * as World from "../../src/sandbox/World.ts"
import { friday } from "./support.ts"

const middleOf = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

describe("World", () => {
  const world = World.make(1)

  it("is a function of seed and time, whatever was asked before", () => {
    const other = World.make(1)
    other.market.coins(friday + 5 * dayMs)
    assert.deepStrictEqual(other.market.coins(friday), world.market.coins(friday))
    assert.notDeepEqual(World.make(2).market.coins(friday), world.market.coins(friday))
  })

  it("stands still within a minute and moves from one to the next", () => {
    assert.strictEqual(world.truth(friday).price("bitcoin"), world.truth(friday + 59_999).price("bitcoin"))
    assert.notStrictEqual(world.truth(friday).price("bitcoin"), world.truth(friday + minuteMs).price("bitcoin"))
  })

  it("moves smoothly: no coin jumps by a tenth within a minute", () => {
    for (let minute = 0; minute < 200; minute++) {
      for (const { id } of knownCoins.slice(0, 120)) {
        const before = world.market.price(id, friday + minute * minuteMs) ?? 0
        const after = world.market.price(id, friday + (minute + 1) * minuteMs) ?? 0
        assert.isBelow(Math.abs(after / before - 1), 0.1, id)
      }
    }
  })

  it("has changes, high and low that follow from the walk", () => {
    for (const state of world.market.coins(friday)) {
      const then = (hours: number) => world.market.price(state.coin.id, friday - hours * hourMs) ?? 0
      assert.closeTo(state.change1h, (state.price / then(1) - 1) * 100, 1e-9)
      assert.closeTo(state.change24h, (state.price / then(24) - 1) * 100, 1e-9)
      assert.closeTo(state.change7d, (state.price / then(168) - 1) * 100, 1e-9)
      assert.isAtMost(state.low24h, Math.min(state.price, then(24)))
      assert.isAtLeast(state.high24h, Math.max(state.price, then(24)))
      assert.isAtLeast(state.ath, state.price)
      assert.isAtMost(state.observedAt, friday)
    }
  })

  it("keeps pegs: stablecoins near 1, wrapped coins near what they wrap", () => {
    for (let day = 0; day < 60; day++) {
      const { price } = world.truth(friday + day * dayMs)
      assert.closeTo(price("tether") ?? 0, 0.9997, 0.0005)
      assert.closeTo((price("wrapped-bitcoin") ?? 0) / (price("bitcoin") ?? 1), 1, 0.005)
    }
  })

  it("is no freak: bitcoin leads, and on most days a few coins move by a tenth", () => {
    const movers = Array.from({ length: 30 }, (_, day) =>
      world.market.coins(friday + day * dayMs).filter((state) => Math.abs(state.change24h) > 10)
    )
    assert.isAbove(movers.filter((coins) => coins.length >= 2).length, 20)
    assert.isBelow(Math.max(...movers.map((coins) => coins.length)), 60)
    const sums = totals(world.market, friday)
    assert.closeTo(sums.dominance("bitcoin"), 57, 8)
    assert.strictEqual(world.market.coins(friday)[0]?.coin.id, "bitcoin")
  })

  it("works at the beginning of time, where a TestClock starts", () => {
    assert.isAbove(world.truth(0).price("bitcoin") ?? 0, 10_000)
    assert.match(world.truth(0).official.date, /^19(69|70)-\d\d-\d\d$/)
  })

  it("publishes the official rate on business days, after 15:30 UTC", () => {
    assert.strictEqual(isoDate(Math.floor(friday / dayMs)), "2026-11-20")
    assert.strictEqual(monthDate(Math.floor(friday / dayMs)), "November-20-2026")
    assert.strictEqual(world.truth(friday).official.date, "2026-11-19")
    assert.strictEqual(world.truth(friday + 4 * hourMs).official.date, "2026-11-20")
    assert.strictEqual(world.truth(friday + 2 * dayMs).official.date, "2026-11-20")
    assert.isFalse(isWeekday(Math.floor(friday / dayMs) + 1))
  })

  it("has at least thirty currencies, the dirham pegged", () => {
    const { fiat } = world.truth(friday)
    const codes =
      "EUR GBP INR ZAR AED CAD JPY NGN CNY AUD CHF KES GHS TRY BRL MXN SEK NOK PLN KRW IDR SGD THB HKD TWD VND PKR EGP XOF SAR"
    for (const code of codes.split(" ")) assert.isAbove(fiat(code) ?? 0, 0, code)
    assert.strictEqual(fiat("AED"), 3.6725)
    assert.isUndefined(fiat("XXX"))
  })
})

describe("P2pBooks", () => {
  const world = World.make(1)
  const times = Array.from({ length: 20 }, (_, step) => friday + step * 7 * hourMs)

  it("surrounds the true mid: the honest best five of both sides meet within half a percent of it", () => {
    for (const at of times) {
      for (const venue of ["bybit", "bitget"]) {
        const best = (side: "ask" | "bid") =>
          middleOf(
            ads(1, venue, "NGN", side, at)
              .filter((ad) => ad.kind === "honest" && ad.min <= 100_000)
              .slice(0, 5)
              .map((ad) => ad.price)
          )
        const mid = world.truth(at).p2pMid
        assert.isAbove(best("ask"), best("bid"))
        assert.closeTo((best("ask") + best("bid")) / 2 / mid, 1, 0.005)
        assert.closeTo(mid / world.truth(at).official.rate, 1.02, 0.02)
      }
    }
  })

  it("holds twenty to forty ads a side, with every kind of bad one at the head", () => {
    for (const side of ["ask", "bid"] as const) {
      const book = ads(1, "bybit", "NGN", side, friday)
      assert.isAtLeast(book.length, 20)
      assert.isAtMost(book.length, 40)
      assert.deepStrictEqual(
        new Set(book.map((ad) => ad.kind)),
        new Set(["honest", "bait", "thin", "offline", "cash", "newcomer"])
      )
      assert.strictEqual(book[0]?.kind, "bait")
      assert.isAtLeast(book.filter((ad) => ad.kind === "honest").length, 10)
      assert.strictEqual(new Set(book.map((ad) => ad.id)).size, book.length)
    }
  })

  it("crosses the raw book, as the real one is crossed by bait", () => {
    const [ask] = ads(1, "bybit", "NGN", "ask", friday)
    const [bid] = ads(1, "bybit", "NGN", "bid", friday)
    assert.isBelow(ask?.price ?? 0, bid?.price ?? 0)
  })

  it("has order books around the same mid", () => {
    for (const at of times) {
      for (const venue of ["quidax", "luno"] as const) {
        const { bid, ask } = quote(1, venue, "NGN", at)
        assert.isAbove(ask, bid)
        assert.closeTo((ask + bid) / 2 / world.truth(at).p2pMid, 1, 0.002)
      }
    }
  })
})
