import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import * as BackfillStore from "../../../src/history/store/BackfillStore.ts"
import * as HistoryWriter from "../../../src/history/store/HistoryWriter.ts"
import * as HistoryReader from "../../../src/history/store/HistoryReader.ts"
import * as Migrations from "../../../src/history/store/Migrations.ts"
import { inEachDatabase } from "./Databases.ts"
import { observed, told } from "../records.ts"

const DAY = 86_400_000
const DAYS = 1200

const day = (n: number, id = "bitcoin") =>
  told(`coin/${id}`, "CoinGecko", n * DAY, n + 1, { observedAt: (n + 1) * DAY, recordedAt: DAYS * DAY })

inEachDatabase("pieces of a backfill", (layer) => {
  it.effect("are there once, however often they are recorded; a mark has the time of the last", () =>
    Effect.gen(function* () {
      yield* Migrations.run()
      const store = yield* BackfillStore.make
      const { points } = yield* HistoryReader.make
      assert.strictEqual((yield* store.pieces()).size, 0)
      const days = Array.from({ length: DAYS }, (_, n) => day(n))
      yield* store.recordPiece("coin/bitcoin", 1000, days)
      yield* store.recordPiece("coin/bitcoin", 2000, days)
      yield* store.recordPiece("older/bitcoin", 3000, [])
      yield* store.recordPiece("older/bitcoin", 4000, [])
      const again = yield* BackfillStore.make
      assert.deepStrictEqual([...(yield* again.pieces())].toSorted(), [
        ["coin/bitcoin", { fetchedAt: 2000, emptySince: null }],
        ["older/bitcoin", { fetchedAt: 4000, emptySince: 3000 }]
      ])
      const found =
        (yield* points({ interval: "day", first: 0, last: DAYS * DAY }, ["coin/bitcoin"])).get("coin/bitcoin") ?? []
      assert.strictEqual(found.length, DAYS)
      assert.isTrue(found.every(({ revision }) => revision === 0))
    }).pipe(Effect.provide(layer))
  )

  it.effect("are days, or hours where they are said to be", () =>
    Effect.gen(function* () {
      yield* Migrations.run()
      const store = yield* BackfillStore.make
      const { points } = yield* HistoryReader.make
      yield* store.recordPiece("hours/bitcoin", 1000, [day(3)], "hour")
      assert.strictEqual(
        (yield* points({ interval: "hour", first: 0, last: 9 * DAY }, ["coin/bitcoin"])).get("coin/bitcoin")?.length,
        1
      )
      assert.isUndefined(
        (yield* points({ interval: "day", first: 0, last: 9 * DAY }, ["coin/bitcoin"])).get("coin/bitcoin")
      )
    }).pipe(Effect.provide(layer))
  )

  it.effect("keep the days of a bounded number of coins for callers; the least recently asked for goes first", () =>
    Effect.gen(function* () {
      yield* Migrations.run()
      const store = yield* BackfillStore.make
      const { addObservations } = yield* HistoryWriter.make
      const { points } = yield* HistoryReader.make
      const of = (id: string) => day(3, id)
      const held = (id: string) =>
        Effect.map(points({ interval: "day", first: 0, last: 9 * DAY }, [`coin/${id}`]), (found) =>
          (found.get(`coin/${id}`) ?? []).map(({ origin }) => origin).toSorted()
        )
      yield* store.recordPiece("coin/listed", 1, [of("listed")])
      yield* store.recordPiece("coin/recorded", 1, [of("recorded")], "day", "recorded")
      yield* addObservations([observed("coin/recorded", 5 * DAY, 1)])
      const names = Array.from({ length: BackfillStore.CALLERS_COINS - 1 }, (_, n) => `asked-${n}`)
      for (const [n, id] of names.entries()) {
        assert.deepStrictEqual(yield* store.recordPiece(`coin/${id}`, 10 + n, [of(id)], "day", id), [])
      }
      yield* store.asked("asked-0", 5_000)
      yield* store.asked("never-fetched", 5_000)
      const dropped = []
      for (const id of ["new-1", "new-2"])
        dropped.push(...(yield* store.recordPiece(`coin/${id}`, 6_000, [of(id)], "day", id)))
      const pieces = ["coin", "hours", "older"]
      assert.deepStrictEqual(dropped, [
        ...pieces.map((one) => `${one}/recorded`),
        ...pieces.map((one) => `${one}/asked-1`)
      ])
      assert.deepStrictEqual(yield* held("asked-1"), [])
      assert.deepStrictEqual(yield* held("asked-0"), ["CoinGecko"], "asked for again since")
      assert.deepStrictEqual(yield* held("asked-2"), ["CoinGecko"])
      assert.deepStrictEqual(yield* held("listed"), ["CoinGecko"], "not fetched for a caller")
      assert.deepStrictEqual(yield* held("recorded"), ["CoinGecko", "record"], "our own record")
      assert.isFalse((yield* store.pieces()).has("coin/asked-1"))
      assert.isTrue((yield* store.pieces()).has("coin/listed"))
      assert.deepStrictEqual(yield* store.recordPiece("coin/asked-1", 7_000, [of("asked-1")], "day", "asked-1"), [
        "coin/asked-2",
        "hours/asked-2",
        "older/asked-2"
      ])
      assert.deepStrictEqual(yield* held("asked-1"), ["CoinGecko"], "it is fetched again")
    }).pipe(Effect.provide(layer))
  )

  it.effect("are done by whoever has the lease, which ends when it is given back or not prolonged", () =>
    Effect.gen(function* () {
      yield* Migrations.run()
      const one = yield* BackfillStore.make
      const other = yield* BackfillStore.make
      assert.isTrue(yield* one.lease(1000, 0))
      assert.isFalse(yield* other.lease(1100, 0))
      assert.isTrue(yield* one.lease(2000, 1000), "prolonged")
      yield* TestClock.setTime(1500)
      assert.isFalse(yield* other.lease(2100, 0))
      assert.isTrue(yield* one.lease(0, 2000), "given back")
      assert.isTrue(yield* other.lease(2500, 0))
      assert.isFalse(yield* one.lease(3000, 2000))
      yield* TestClock.setTime(2500)
      assert.isTrue(yield* one.lease(3000, 0), "not prolonged in time")
      assert.isFalse(yield* other.lease(0, 2500), "what was lost is not given back")
      assert.isFalse(yield* other.lease(3100, 2500))
      assert.strictEqual((yield* one.pieces()).size, 0)
    }).pipe(Effect.provide(layer))
  )

  it.live("are done by one of many that ask for the lease at once", () =>
    Effect.gen(function* () {
      yield* Migrations.run()
      const { lease } = yield* BackfillStore.make
      const until = 4_102_444_800_000
      const taken = yield* Effect.forEach([1, 2, 3, 4, 5], (n) => lease(until + n, 0), { concurrency: "unbounded" })
      assert.strictEqual(taken.filter(Boolean).length, 1)
    }).pipe(Effect.provide(layer))
  )
})
