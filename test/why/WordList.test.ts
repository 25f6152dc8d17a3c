import { assert, describe, it } from "@effect/vitest"
import { hasWord } from "../../src/why/WordList.ts"
import ordinary from "../../src/why/data/ordinaryWords.json" with { type: "json" }

describe("a list of words", () => {
  it("has each of its words, and nothing else", () => {
    for (const list of ["", "b", "a b", "b d f", "b bb bbb d", "bb d ff h jj"]) {
      const words = new Set(list.split(" "))
      for (const word of [
        "a",
        "b",
        "bb",
        "bbb",
        "bbbb",
        "c",
        "d",
        "e",
        "f",
        "ff",
        "h",
        "j",
        "jj",
        "z",
        " ",
        "b d",
        "d "
      ]) {
        assert.strictEqual(hasWord(list, word), words.has(word), `${word} in ${list}`)
      }
      assert.isFalse(hasWord(list, ""))
    }
  })

  it("is sorted, as the search demands", () => {
    const words = ordinary.words.split(" ")
    assert.deepStrictEqual(words.toSorted(), words)
    for (const word of words) assert.isTrue(hasWord(ordinary.words, word), word)
  })
})
