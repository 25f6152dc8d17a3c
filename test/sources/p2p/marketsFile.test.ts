import { assert, describe, it } from "@effect/vitest"
import { faultsIn } from "../../../src/sources/p2p/marketsFile.ts"

const record = {
  fiat: "UYU",
  order_size: 2800,
  payments: ["Prex"],
  venues: ["BINANCE_P2P"],
  order_books: [],
  official: "fx"
}

/** A file of two markets, the second of which begins in line 14. */
const file = (changed: object = {}) =>
  JSON.stringify(
    [
      { ...record, fiat: "PEN" },
      { ...record, ...changed }
    ],
    null,
    2
  )

describe("a file of markets", () => {
  it("is right with the members of a record", () => {
    assert.deepStrictEqual(faultsIn(file()), [])
    assert.deepStrictEqual(faultsIn("[]"), [])
    assert.deepStrictEqual(
      faultsIn(file({ payments: [], order_books: ["LUNO"], venues: ["BYBIT_P2P", "BITGET_P2P"] })),
      []
    )
  })

  it.each<readonly [string, string, number, RegExp]>([
    ["breaks off", file().slice(0, -40), 23, /not JSON/],
    ["has a comma too many", file().replace('"fx"\n  }\n]', '"fx",\n  }\n]'), 25, /not JSON/],
    ["is no list", JSON.stringify(record), 1, /must be a list of markets/],
    ["has a market that is a text", '[\n\n"UYU"]', 3, /must be an object/],
    ["has the naira", file({ fiat: "NGN" }), 15, /^fiat of NGN must be the ISO 4217 code of a fiat other than NGN/],
    ["has a fiat that is none", file({ fiat: "uyu" }), 15, /^fiat of uyu must be/],
    ["has an order of nothing", file({ order_size: 0 }), 16, /^order_size of UYU must be a number above 0/],
    ["has an order in quotes", file({ order_size: "2800" }), 16, /^order_size of UYU must be a number/],
    ["has a payment that is a number", file({ payments: [7] }), 17, /^payments of UYU must be a list of names/],
    ["has an unknown venue", file({ venues: ["OKX"] }), 20, /^venues of UYU must be .*BYBIT_P2P/],
    ["has no venue", file({ venues: [] }), 20, /^venues of UYU must be a list of at least one/],
    ["has an unknown order book", file({ order_books: ["KRAKEN"] }), 23, /^order_books of UYU must be/],
    ["has an official rate of its own", file({ official: "cbn" }), 24, /^official of UYU must be "fx"/],
    ["lacks a member", file({ official: undefined }), 14, /^UYU has no official; it must be "fx"/],
    ["has a member that is none", file({ ordersize: 1 }), 25, /^"ordersize" is no member/],
    ["has a fiat twice", file({ fiat: "PEN" }), 15, /^PEN is there twice/]
  ])("that %s is refused with the line and what must be there", (_, text, line, told) => {
    const [fault, ...others] = faultsIn(text)
    assert.deepStrictEqual([fault?.line, others.length], [line, 0], fault?.text)
    assert.match(fault?.text ?? "", told)
  })

  it("names every fault, and takes hostile files quickly", () => {
    assert.lengthOf(faultsIn(file({ fiat: 1, order_size: null, official: 2 })), 3)
    assert.isAbove(faultsIn(JSON.stringify(Array.from({ length: 30 }, () => record))).length, 19)
    assert.lengthOf(faultsIn("[".repeat(100_000)), 1)
    assert.lengthOf(faultsIn("[".repeat(500_000) + "]".repeat(500_000)), 1)
    assert.lengthOf(faultsIn(`[{"__proto__": 1, "constructor": 2}]`), 8)
  })
})
