import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { byMarketCap, type Coin } from "../../src/domain/Coin.ts"
import * as CoinList from "../../src/domain/CoinList.ts"
import { coin as scripted } from "../services/scripted.ts"

const coin = (id: string, market_cap: number | null, name = id): Coin => scripted(id, { market_cap, name })

const Cap = Schema.NullOr(Schema.Literals([0, 1, 2, 1e12, 5e-324]))
const Id = Schema.Literals(["a", "b", "c", "d", "bitcoin", "0x", "z-1"])
const Row = Schema.Struct({ id: Id, cap: Cap })
const Rows = Schema.Array(Row).check(Schema.isMaxLength(12))
const coinOf = ({ cap, id }: typeof Row.Type) => coin(id, cap)

describe("byMarketCap", () => {
  it("puts the larger cap first, an unknown one last, and equal ones by id", () => {
    const sorted = [coin("b", null), coin("c", 0), coin("z", 2), coin("a", null), coin("y", 2), coin("x", 3)].sort(
      byMarketCap
    )
    assert.deepStrictEqual(
      sorted.map(({ id }) => id),
      ["x", "y", "z", "c", "a", "b"]
    )
  })

  it.prop(
    "is total: equal only for the same cap and id, opposite the other way round, transitive",
    { a: Row, b: Row, c: Row },
    (rows) => {
      const [a, b, c] = [coinOf(rows.a), coinOf(rows.b), coinOf(rows.c)]
      assert.strictEqual(byMarketCap(a, b) === 0, a.id === b.id && a.market_cap === b.market_cap)
      assert.strictEqual(byMarketCap(a, b) + byMarketCap(b, a), 0)
      if (byMarketCap(a, b) <= 0 && byMarketCap(b, c) <= 0) assert.isAtMost(byMarketCap(a, c), 0)
    }
  )
})

describe("CoinList", () => {
  it.prop("has each coin once, in order, found by its id", { rows: Rows }, ({ rows }) => {
    const { byId, coins } = CoinList.make(rows.map(coinOf))
    assert.strictEqual(new Set(coins.map(({ id }) => id)).size, coins.length)
    assert.sameMembers([...byId.keys()], [...new Set(rows.map(({ id }) => id))])
    for (const [index, row] of coins.entries()) {
      assert.strictEqual(byId.get(row.id), row)
      const next = coins[index + 1]
      if (next !== undefined) assert.isBelow(byMarketCap(row, next), 0)
    }
  })

  it.prop("does not depend on the order of arrival", { rows: Rows }, ({ rows }) => {
    assert.deepStrictEqual(CoinList.make(rows.map(coinOf)), CoinList.make(rows.map(coinOf).toReversed()))
  })

  it("keeps the larger of two rows with one id", () => {
    assert.strictEqual(CoinList.make([coin("a", 1), coin("a", 7), coin("a", null)]).byId.get("a")?.market_cap, 7)
  })

  it("is empty without rows", () => {
    assert.deepStrictEqual(CoinList.make([]).coins, [])
  })
})
