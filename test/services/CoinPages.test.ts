import { assert, describe } from "@effect/vitest"
import { DateTime, Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import type { Coin } from "../../src/domain/Coin.ts"
import * as CoinList from "../../src/domain/CoinList.ts"
import * as Snapshot from "../../src/domain/Snapshot.ts"
import * as CoinPages from "../../src/services/CoinPages.ts"
import * as LookedUpCoins from "../../src/services/LookedUpCoins.ts"
import { atNoon, coin, coinsFrom, gecko, listOf, NOW, unreachable } from "./scripted.ts"
import { rule } from "../rulesOf.ts"

const HOUR = Duration.hours(1)

type Pages = Readonly<Record<number, ReadonlyArray<Coin> | "fails">>

/** The walk over these pages beyond the first 250 coins; other pages are empty. */
const setup = Effect.fnUntraced(function* (pages: () => Pages) {
  yield* atNoon
  const source = yield* gecko({
    page: (n) => {
      const rows = pages()[n] ?? []
      return rows === "fails" ? Effect.fail(unreachable("CoinGecko")) : listOf(rows)
    }
  })
  const { pages: lookUp } = yield* LookedUpCoins.make(source.service, HOUR)
  const slice = CoinPages.make(lookUp, HOUR)
  const first = Snapshot.map(yield* listOf(coinsFrom(0, 250)), CoinList.make)
  const ids = (start: number, end: number) =>
    Effect.map(slice(first, start, end), ({ value }) => value.coins.map(({ id }) => id))
  return { ids, slice: (start: number, end: number) => slice(first, start, end), asked: source.pages }
})

const names = (from: number, to: number) => coinsFrom(from, to - from).map(({ id }) => id)

describe("coins beyond the first 250", () => {
  rule("a slice across two pages holds the rows of both, in order", function* () {
    const { asked, ids } = yield* setup(() => ({ 2: coinsFrom(250, 250), 3: coinsFrom(500, 250) }))
    assert.deepStrictEqual(yield* ids(200, 300), names(200, 300))
    assert.deepStrictEqual(yield* ids(450, 550), names(450, 550))
    assert.deepStrictEqual(asked, [2, 3])
  })

  rule("pages of any size put together are the whole list, each coin once", function* () {
    const { ids } = yield* setup(() => ({ 2: coinsFrom(250, 250), 3: coinsFrom(500, 40) }))
    for (const limit of [250, 100, 77]) {
      const all: Array<string> = []
      for (let page = 0; page * limit < 700; page++) all.push(...(yield* ids(page * limit, (page + 1) * limit)))
      assert.deepStrictEqual(all, names(0, 540), `by ${limit}`)
    }
  })

  rule("a coin that moved between two pages is listed once, on the earlier one", function* () {
    // The 249th fell onto page 2, and the 499th is on page 3 as well.
    const { ids } = yield* setup(() => ({ 2: coinsFrom(249, 250), 3: coinsFrom(498, 250) }))
    const deeper = [...(yield* ids(250, 500)), ...(yield* ids(500, 750))]
    assert.strictEqual(new Set(deeper).size, deeper.length)
    assert.isFalse(deeper.includes("coin-249"))
    assert.isTrue(deeper.includes("coin-498"))
  })

  rule("is stamped with the oldest of the pages it was made from", function* () {
    const { slice } = yield* setup(() => ({ 2: coinsFrom(250, 250), 3: coinsFrom(500, 250) }))
    yield* slice(250, 300)
    yield* TestClock.adjust("1 minute")
    const both = yield* slice(450, 550)
    assert.strictEqual(both.observedAt.epochMilliseconds, NOW)
    const third = yield* slice(500, 550)
    assert.isTrue(DateTime.isLessThanOrEqualTo(third.observedAt, yield* DateTime.now))
  })

  rule("past the end there is nothing; once the end is known no source is asked", function* () {
    const { asked, ids } = yield* setup(() => ({ 2: coinsFrom(250, 98) }))
    assert.deepStrictEqual(yield* ids(300, 400), names(300, 348))
    assert.deepStrictEqual(yield* ids(500, 600), [])
    assert.deepStrictEqual(asked, [2, 3])
    for (let page = 3; page < 90; page++) assert.deepStrictEqual(yield* ids(page * 250, page * 250 + 250), [])
    assert.deepStrictEqual(asked, [2, 3])
  })

  rule("no source is asked for a page beyond the hundredth", function* () {
    const { asked, ids } = yield* setup(() => ({}))
    assert.deepStrictEqual(yield* ids(1e6, 1e6 + 100), [])
    assert.deepStrictEqual(yield* ids(1e12, 1e12 + 250), [])
    assert.deepStrictEqual(asked, [])
  })

  rule("the end is asked for again after a while: the list may have grown, or was empty by mistake", function* () {
    let pages: Pages = {}
    const { ids } = yield* setup(() => pages)
    assert.deepStrictEqual(yield* ids(250, 350), [])
    pages = { 2: coinsFrom(250, 250), 3: coinsFrom(500, 250) }
    yield* TestClock.adjust("6 minutes")
    assert.deepStrictEqual(yield* ids(500, 550), names(500, 550))
    assert.deepStrictEqual(yield* ids(250, 350), names(250, 350))
  })

  rule("rows without a market cap come last, by id, also where two pages meet", function* () {
    const capless = (...ids: ReadonlyArray<string>) => ids.map((id) => coin(id))
    const { ids } = yield* setup(() => ({
      2: [...coinsFrom(250, 247), ...capless("m", "z", "a")],
      3: capless("y", "b", "k")
    }))
    assert.deepStrictEqual((yield* ids(250, 500)).slice(-4), ["coin-496", "a", "m", "z"])
    assert.deepStrictEqual((yield* ids(490, 510)).slice(-7), ["coin-496", "a", "b", "k", "m", "y", "z"])
  })

  rule("a page is served while it cannot be fetched again, until it is too old", function* () {
    let pages: Pages = { 2: coinsFrom(250, 250) }
    const { ids, slice } = yield* setup(() => pages)
    yield* ids(250, 300)
    pages = { 2: "fails" }
    yield* TestClock.adjust("6 minutes")
    assert.strictEqual((yield* slice(250, 300)).observedAt.epochMilliseconds, NOW)
    yield* TestClock.adjust("55 minutes")
    assert.strictEqual((yield* Effect.flip(ids(250, 300))).reason._tag, "Unreachable")
  })

  rule("rows that are too old are left out, and later ones move up: pages are full while coins exist", function* () {
    const aged = (from: number, count: number) =>
      coinsFrom(from, count).map((coin, n) =>
        n % 7 === 3 ? { ...coin, updated: DateTime.makeUnsafe(NOW - 7_200_000) } : coin
      )
    const { slice } = yield* setup(() => ({ 2: aged(250, 250), 3: aged(500, 250), 4: aged(750, 30) }))
    const young = new Set([...coinsFrom(0, 250), ...aged(250, 530)].flatMap(({ id }) => id))
    for (const page of [aged(250, 250), aged(500, 250), aged(750, 30)])
      for (const [n, { id }] of page.entries()) if (n % 7 === 3) young.delete(id)
    for (const limit of [250, 100, 77]) {
      const all: Array<string> = []
      for (let page = 0, more = true; more; page++) {
        const { value } = yield* slice(page * limit, (page + 1) * limit)
        more = value.more
        if (more) assert.lengthOf(value.coins, limit)
        all.push(...value.coins.map(({ id }) => id))
      }
      assert.sameOrderedMembers(all, [...young], `by ${limit}`)
    }
  })

  rule("a page that begins in what is held goes out without the rest where that cannot be fetched", function* () {
    const { slice } = yield* setup(() => ({ 2: "fails" }))
    const { coins, more } = (yield* slice(200, 300)).value
    assert.deepStrictEqual([coins.length, more], [50, true])
    yield* Effect.flip(slice(250, 300))
  })
})
