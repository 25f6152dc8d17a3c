import { assert, describe, it } from "@effect/vitest"
import { LONGEST_KEY, memoized, rememberEach, rememberOf } from "../../src/domain/rememberEach.ts"

describe("the results of a function by its argument", () => {
  const asking = (most: number) => {
    const asked: Array<string> = []
    const upperOf = rememberEach(most, (key: string) => {
      asked.push(key)
      return key === "none" ? null : key.toUpperCase()
    })
    return { asked, upperOf }
  }

  it("are computed at the first call only, null results too", () => {
    const { asked, upperOf } = asking(10)
    const keys = ["a", "none", "a", "b", "none"]
    assert.deepStrictEqual(keys.map(upperOf), ["A", null, "A", "B", null])
    assert.deepStrictEqual(asked, ["a", "none", "b"])
  })

  it("are held up to the bound, and computed again after it", () => {
    const { asked, upperOf } = asking(2)
    assert.deepStrictEqual(["a", "b", "a", "c", "a", "c"].map(upperOf), ["A", "B", "A", "C", "A", "C"])
    assert.deepStrictEqual(asked, ["a", "b", "c", "a"])
  })

  it("are not held for a text that is too long", () => {
    const { asked, upperOf } = asking(10)
    const long = "x".repeat(LONGEST_KEY + 1)
    for (const key of [long, long, "a", "a"]) upperOf(key)
    assert.deepStrictEqual(asked, [long, long, "a"])
  })
})

describe("the last result of a function", () => {
  it("is computed again when an argument is another one, and once without arguments", () => {
    let computed = 0
    const sum = memoized((a: number, b: number) => {
      computed++
      return a + b
    })
    assert.deepStrictEqual([sum(1, 2), sum(1, 2), sum(NaN, 2), sum(NaN, 2), sum(1, 2)], [3, 3, NaN, NaN, 3])
    assert.strictEqual(computed, 3)
    const made = memoized(() => ({ n: computed++ }))
    assert.strictEqual(made(), made())
  })
})

describe("the results for objects", () => {
  it("are computed once for each object, whatever is in it", () => {
    const sizeOf = rememberOf((list: Array<number>) => list.length)
    const list = [1]
    sizeOf(list)
    list.push(2)
    assert.deepStrictEqual([sizeOf(list), sizeOf([1, 2])], [1, 2])
  })
})
