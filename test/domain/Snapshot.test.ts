import { assert, describe, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"
import * as Snapshot from "../../src/domain/Snapshot.ts"

const Time = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 4_000_000_000_000 }))
const Name = Schema.Literals(["CoinGecko", "Bybit P2P", "Bitget P2P", "CBN", "Frankfurter (sandbox)"])
const Names = Schema.Array(Name)
const at = (millis: number) => DateTime.makeUnsafe(millis)

const snapshot = (value: number, source: string, observed: number, retrieved: number) =>
  Snapshot.make({ value, source, observedAt: at(observed), retrievedAt: at(retrieved) })

describe("Snapshot", () => {
  it.prop(
    "is never observed after it was retrieved, whatever the source's clock says",
    { observed: Time, retrieved: Time },
    ({ observed, retrieved }) => {
      const made = snapshot(1, "CBN", observed, retrieved)
      assert.strictEqual(made.observedAt.epochMilliseconds, Math.min(observed, retrieved))
      assert.strictEqual(made.retrievedAt.epochMilliseconds, retrieved)
    }
  )

  it.prop(
    "made of two has the older time of each kind, both names and nothing else",
    { a: Time, b: Time, c: Time, d: Time, left: Name, right: Name },
    ({ a, b, c, d, left, right }) => {
      const [first, second] = [snapshot(2, left, a, b), snapshot(3, right, c, d)]
      const both = Snapshot.combine(first, second, (x, y) => x * y)
      assert.deepStrictEqual(both, {
        value: 6,
        source: left === right ? left : `${left} + ${right}`,
        observedAt: DateTime.min(first.observedAt, second.observedAt),
        retrievedAt: DateTime.min(first.retrievedAt, second.retrievedAt)
      })
    }
  )

  it.prop(
    "of two is the one that was observed later, retrieved when the later one was",
    { a: Time, b: Time, c: Time, d: Time },
    ({ a, b, c, d }) => {
      const [held, next] = [snapshot(2, "CBN", a, b), snapshot(3, "CBN", c, d)]
      const { value, observedAt, retrievedAt } = Snapshot.newerOf(held, next)
      const newest = Math.max(held.observedAt.epochMilliseconds, next.observedAt.epochMilliseconds)
      assert.strictEqual(observedAt.epochMilliseconds, newest)
      assert.strictEqual(value, next.observedAt.epochMilliseconds === newest ? 3 : 2)
      assert.strictEqual(retrievedAt.epochMilliseconds, Math.max(b, d))
    }
  )

  it.prop("keeps its stamp when its value is mapped", { a: Time, b: Time }, ({ a, b }) => {
    const made = snapshot(2, "CBN", a, b)
    assert.deepStrictEqual(Snapshot.map(made, String), { ...made, value: "2" })
  })
})

describe("joinSources", () => {
  it("names each once, in the order of first use, joined ones taken apart", () => {
    assert.strictEqual(
      Snapshot.joinSources(["CoinGecko", "Bybit P2P + CBN", "CoinGecko", "CBN"]),
      "CoinGecko + Bybit P2P + CBN"
    )
    assert.strictEqual(Snapshot.joinSources(["CBN"]), "CBN")
  })

  it.prop(
    "joined again it stays as it is, and it does not matter how it was joined",
    { some: Names, more: Names },
    ({ more, some }) => {
      const joined = Snapshot.joinSources([...some, ...more])
      assert.strictEqual(Snapshot.joinSources([joined]), joined)
      if (some.length > 0 && more.length > 0) {
        assert.strictEqual(Snapshot.joinSources([Snapshot.joinSources(some), Snapshot.joinSources(more)]), joined)
      }
    }
  )
})
