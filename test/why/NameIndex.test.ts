// Names are found as whole words, the longest at each place.
import { assert, describe, it } from "@effect/vitest"
import * as NameIndex from "../../src/why/NameIndex.ts"

const index = NameIndex.build(
  ["bitcoin", "bitcoin cash", ".eth", "0x", "x.com", "łuk", "a"].map((name) => [name, name] as const)
)

const found = (text: string, accepted: (name: string) => boolean = () => true): ReadonlyArray<string> =>
  NameIndex.find([index], text, ({ value }) => accepted(value)).map(({ end, start, value }) => {
    assert.strictEqual(text.slice(start, end), value)
    return value
  })

describe("names in a text", () => {
  it("are whole words", () => {
    assert.deepStrictEqual(found("bitcoin, bitcoins (bitcoin) xbitcoin bitcoin"), ["bitcoin", "bitcoin", "bitcoin"])
    assert.deepStrictEqual(found("łuk łuków 0x 0xa"), ["łuk", "0x"])
  })

  it("are the longest at a place, and block what lies inside", () => {
    assert.deepStrictEqual(found("bitcoin cash and bitcoin cashes"), ["bitcoin cash", "bitcoin"])
    assert.deepStrictEqual(
      found("bitcoin cash", (name) => name !== "bitcoin cash"),
      ["bitcoin"]
    )
    assert.deepStrictEqual(found("on x.com today"), ["x.com"])
  })

  it("are found wherever and however often they stand, in their order", () => {
    const names = NameIndex.build(["the graph", "the", "graph ql", "a to a"].map((name) => [name, name] as const))
    const inText = (text: string) =>
      NameIndex.find([names], text, () => true).map(({ start, value }) => `${start} ${value}`)
    assert.deepStrictEqual(inText("the the graph, graph, the graph ql"), ["0 the", "4 the graph", "22 the graph"])
    assert.deepStrictEqual(inText("graph ql on graph qlx then the graphs"), ["0 graph ql", "27 the"])
    assert.deepStrictEqual(inText("a to a to a, a to"), ["0 a to a"])
  })

  it("of two indexes stand side by side", () => {
    const more = NameIndex.build(["cash", "bitcoin"].map((name) => [name, `more ${name}`] as const))
    const both = NameIndex.find([index, more], "cash for bitcoin", () => true)
    assert.deepStrictEqual(
      both.map(({ value }) => value),
      ["more cash", "bitcoin", "more bitcoin"]
    )
  })

  it("may begin with a sign, but not within a word", () => {
    assert.deepStrictEqual(found("a .eth name"), ["a", ".eth"])
    assert.deepStrictEqual(found("vitalik.eth"), [])
  })
})
