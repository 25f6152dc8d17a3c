import { assert, describe, it } from "@effect/vitest"
import * as NameIndex from "../../src/why/NameIndex.ts"
import { independent, shinglesOf, similarity } from "../../src/why/Cluster.ts"
import { readPool } from "../../src/why/Pool.ts"
import { cut, isTitleCase, plainName } from "../../src/why/Text.ts"
import { item } from "./support.ts"

describe("Text", () => {
  it("makes any name one line without markup", () => {
    assert.strictEqual(plainName(" Kadena\u0000 <b>{Coin}</b>\u202E\n*x* "), "Kadena b Coin /b x")
    assert.strictEqual(plainName("S&P 500 (Ondo)"), "S&P 500 (Ondo)")
  })

  it("cuts at a word, and shows that it did", () => {
    assert.strictEqual(cut("one two three", 9), "one two…")
    assert.strictEqual(cut("one two three", 99), "one two three")
  })

  it("tells Title Case from a sentence", () => {
    assert.isTrue(isTitleCase("Monero Tumbles as Exchange Says It Will Delist the Privacy Coin"))
    assert.isFalse(isTitleCase("Monero tumbles as the exchange says that it is out"))
  })
})

describe("NameIndex", () => {
  const index = NameIndex.build([
    ["bitcoin", 1],
    ["bitcoin cash", 2],
    ["cash", 3],
    ["he", 4],
    ["she", 5]
  ])
  const found = (text: string): ReadonlyArray<number> =>
    NameIndex.find([index], text, () => true).map(({ value }) => value)

  it("prefers the longest name and reports nothing inside it", () => {
    assert.deepStrictEqual(found("bitcoin cash and bitcoin"), [2, 1])
    assert.deepStrictEqual(found("cash for bitcoin"), [3, 1])
  })

  it("matches whole words", () => {
    assert.deepStrictEqual(found("bitcoins, cashier, the shell"), [])
    assert.deepStrictEqual(found("(bitcoin) she's"), [1, 5])
  })

  it("falls back to the shorter name where the longer is refused", () => {
    const values = NameIndex.find([index], "bitcoin cash", ({ value }) => value !== 2).map(({ value }) => value)
    assert.deepStrictEqual(values, [1, 3])
  })
})

describe("Cluster", () => {
  const story = "Several pools exploited, forty million dollars at risk, the team said on Sunday afternoon"

  it("sees copies and tells stories apart", () => {
    assert.strictEqual(similarity(shinglesOf(story), shinglesOf(story)), 1)
    assert.isAbove(similarity(shinglesOf(story), shinglesOf(`${story} in a post`)), 0.6)
    assert.isBelow(
      similarity(shinglesOf(story), shinglesOf("The exchange will list the token tomorrow at noon for spot trading")),
      0.1
    )
  })

  it("counts a copy and a second report of one owner once", () => {
    const at = (host: string, title: string) => item({ id: host + title, title, url: `https://${host}/a` })
    const other = "Quite another text about the very same thing here"
    const reports = [
      at("a.com", story),
      at("b.com", story),
      at("a.com", other),
      at("c.com", "Hackers empty pools of a large exchange in one night")
    ]
    assert.strictEqual(independent(readPool(reports, []).items), 2)
  })
})
