import { assert, layer } from "@effect/vitest"
import { Array as Arr, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import * as BackfillStore from "../../../src/history/store/BackfillStore.ts"
import type { Interval } from "../../../src/history/model/Interval.ts"
import { inEachDatabase } from "./Databases.ts"
import { observed, told } from "../records.ts"
import { rulesOf } from "../../rulesOf.ts"
import { emptied } from "./EmptiedStore.ts"

const DAY = 86_400_000
const DAYS = 1200

const day = (n: number, id = "bitcoin") =>
  told(`coin/${id}`, "CoinGecko", n * DAY, n + 1, { observedAt: (n + 1) * DAY, recordedAt: DAYS * DAY })

/** The store over an empty database, and what is recorded of a coin. */
const opened = Effect.gen(function* () {
  yield* TestClock.setTime(0)
  const history = yield* emptied
  const held = (id: string, interval: Interval = "day") =>
    Effect.map(
      history.points({ interval, first: 0, last: DAYS * DAY }, [`coin/${id}`]),
      (found) => found.get(`coin/${id}`) ?? []
    )
  return { ...history, store: yield* BackfillStore.make, held }
})

inEachDatabase("pieces of a backfill", (database) => {
  layer(database)((it) => {
    const rule = rulesOf(it, opened)

    rule(
      "are there once, however often they are recorded; a mark has the time of the last",
      function* ({ held, store }) {
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
        const found = yield* held("bitcoin")
        assert.strictEqual(found.length, DAYS)
        assert.isTrue(found.every(({ revision }) => revision === 0))
      }
    )

    rule("are days, or hours where they are said to be", function* ({ held, store }) {
      yield* store.recordPiece("hours/bitcoin", 1000, [day(3)], "hour")
      assert.lengthOf(yield* held("bitcoin", "hour"), 1)
      assert.isEmpty(yield* held("bitcoin"))
    })

    rule(
      "keep the days of a bounded number of coins for callers; the least recently fetched goes first",
      function* ({ addObservations, held, store }) {
        const of = (id: string) => day(3, id)
        const originsOf = (id: string) => Effect.map(held(id), (found) => found.map(({ origin }) => origin).toSorted())
        yield* store.recordPiece("coin/listed", 1, [of("listed")])
        yield* store.recordPiece("coin/recorded", 1, [of("recorded")], "day", "recorded")
        yield* addObservations([observed("coin/recorded", 5 * DAY, 1)])
        const names = Array.from({ length: BackfillStore.CALLERS_COINS - 1 }, (_, n) => `asked-${n}`)
        for (const [n, id] of names.slice(0, 3).entries()) {
          assert.deepStrictEqual(yield* store.recordPiece(`coin/${id}`, 10 + n, [of(id)], "day", id), [])
        }
        // The marks of all others.
        const sql = yield* SqlClient.SqlClient
        const marks = names.slice(3).map((id, n): Record<string, unknown> => ({ name: `asked/${id}`, until: 13 + n }))
        for (const some of Arr.chunksOf(marks, 500)) yield* sql`INSERT INTO history_progress ${sql.insert(some)}`
        yield* store.recordPiece("recent/asked-0", 5_000, [of("asked-0")], "day", "asked-0")
        const dropped = []
        for (const id of ["new-1", "new-2"])
          dropped.push(...(yield* store.recordPiece(`coin/${id}`, 6_000, [of(id)], "day", id)))
        const pieces = ["coin", "recent", "hours"]
        assert.deepStrictEqual(dropped, [
          ...pieces.map((one) => `${one}/recorded`),
          ...pieces.map((one) => `${one}/asked-1`)
        ])
        assert.deepStrictEqual(yield* originsOf("asked-1"), [])
        assert.deepStrictEqual(yield* originsOf("asked-0"), ["CoinGecko"], "fetched again since")
        assert.deepStrictEqual(yield* originsOf("asked-2"), ["CoinGecko"])
        assert.deepStrictEqual(yield* originsOf("listed"), ["CoinGecko"], "not fetched for a caller")
        assert.deepStrictEqual(yield* originsOf("recorded"), ["CoinGecko", "record"], "our own record")
        assert.isFalse((yield* store.pieces()).has("coin/asked-1"))
        assert.isTrue((yield* store.pieces()).has("coin/listed"))
        const again = yield* store.recordPiece("coin/asked-1", 7_000, [of("asked-1")], "day", "asked-1")
        assert.deepStrictEqual(again, ["coin/asked-2", "recent/asked-2", "hours/asked-2"])
        assert.deepStrictEqual(yield* originsOf("asked-1"), ["CoinGecko"], "it is fetched again")
      }
    )

    rule("are done by whoever has the lease, which ends when it is given back or not prolonged", function* () {
      const [one, other] = [yield* BackfillStore.make, yield* BackfillStore.make]
      const by = ({ claim, unclaim }: BackfillStore.BackfillStore) => ({
        claim: (until: number, held: number) => claim("lease/backfill", until, held),
        unclaim: (until: number) => unclaim("lease/backfill", until)
      })
      const [first, second] = [by(one), by(other)]
      assert.isTrue(yield* first.claim(1000, 0))
      assert.isFalse(yield* second.claim(1100, 0))
      assert.isTrue(yield* first.claim(2000, 1000), "prolonged")
      yield* TestClock.setTime(1500)
      assert.isFalse(yield* second.claim(2100, 0))
      yield* first.unclaim(2000)
      assert.isTrue(yield* second.claim(2500, 0))
      assert.isFalse(yield* first.claim(3000, 2000))
      yield* TestClock.setTime(2500)
      assert.isTrue(yield* first.claim(3000, 0), "not prolonged in time")
      yield* second.unclaim(2500)
      assert.isFalse(yield* second.claim(3100, 2500), "what was lost is not given back")
      assert.isTrue(yield* second.claim(3100, 3000), "by the time a process knows its own")
      assert.strictEqual((yield* one.pieces()).size, 0)
    })

    rule("are claimed by one process at a time; the next takes the claim of one that was killed", function* () {
      const one = yield* BackfillStore.make
      const other = yield* BackfillStore.make
      assert.isTrue(yield* one.claim("claim/coin/x", 1000))
      assert.isFalse(yield* other.claim("claim/coin/x", 1100))
      assert.isTrue(yield* other.claim("claim/coin/y", 1100), "another piece")
      yield* one.recordPiece("coin/x", 500, [])
      yield* one.unclaim("claim/coin/x", 1000)
      assert.isTrue(yield* other.claim("claim/coin/x", 1100))
      assert.deepStrictEqual([...(yield* other.pieces("coin/x"))], [["coin/x", { fetchedAt: 500, emptySince: 500 }]])
      assert.isEmpty(yield* other.pieces("coin/y"))
      yield* one.unclaim("claim/coin/x", 1000)
      assert.isFalse(yield* one.claim("claim/coin/x", 1200), "another's claim is not given back")
      yield* TestClock.setTime(1100)
      assert.isTrue(yield* one.claim("claim/coin/x", 1200), "of a process that was killed")
      assert.strictEqual((yield* one.pieces()).size, 1)
    })

    rule("are done by one of many that ask for the lease at once", function* () {
      const { claim } = yield* BackfillStore.make
      const until = 4_102_444_800_000
      const taken = yield* Effect.forEach([1, 2, 3, 4, 5], (n) => claim("lease/backfill", until + n), {
        concurrency: "unbounded"
      })
      assert.strictEqual(taken.filter(Boolean).length, 1)
    })
  })
})
