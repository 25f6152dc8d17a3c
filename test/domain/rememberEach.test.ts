import { assert, describe, it } from "@effect/vitest"
import { rememberEach } from "../../src/domain/rememberEach.ts"

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
})
