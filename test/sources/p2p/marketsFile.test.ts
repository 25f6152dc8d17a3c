import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { marketsIn } from "../../../src/sources/p2p/marketsFile.ts"

const record = {
  fiat: "UYU",
  order_size: 2800,
  payments: ["Prex"],
  venues: ["BINANCE_P2P"],
  order_books: [],
  official: "fx"
}

/** A file of two markets. */
const file = (changed: object = {}) =>
  JSON.stringify([
    { ...record, fiat: "PEN" },
    { ...record, ...changed }
  ])

const faultsIn = (text: string): ReadonlyArray<string> =>
  Effect.runSync(
    Effect.match(marketsIn(text), { onFailure: ({ message }) => message.split("; "), onSuccess: () => [] })
  )

describe("a file of markets", () => {
  it("is right with the members of a record", () => {
    assert.deepStrictEqual(faultsIn(file()), [])
    assert.deepStrictEqual(faultsIn("[]"), [])
    assert.deepStrictEqual(
      faultsIn(file({ payments: [], order_books: ["LUNO"], venues: ["BYBIT_P2P", "BITGET_P2P"] })),
      []
    )
    const [, market] = Effect.runSync(marketsIn(file()))
    assert.deepStrictEqual(market, {
      fiat: "UYU",
      payments: ["Prex"],
      venues: ["BINANCE_P2P"],
      official: "fx",
      orderSize: 2800,
      orderBooks: [],
      bounds: { least: 40 / 30, most: 1200 },
      every: "5 minutes"
    })
  })

  it.each<readonly [string, string, RegExp]>([
    ["breaks off", file().slice(0, -40), /^the file must be a JSON list/],
    ["is no list", JSON.stringify(record), /^the file must be a JSON list of at most 20 markets/],
    [
      "has too many markets",
      JSON.stringify(Array.from({ length: 21 }, () => record)),
      /^the file must be a JSON list of at most 20/
    ],
    ["has a market that is a text", '["UYU"]', /^market 1 must be an object with fiat, order_size/],
    ["has the naira", file({ fiat: "NGN" }), /^market 2: fiat must be the ISO 4217 code of a fiat other than NGN/],
    ["has a fiat that is none", file({ fiat: "uyu" }), /^market 2: fiat must be/],
    ["has an order of nothing", file({ order_size: 0 }), /^market 2: order_size must be a number above 0/],
    ["has an order in quotes", file({ order_size: "2800" }), /^market 2: order_size must be a number/],
    ["has a payment that is a number", file({ payments: [7] }), /^market 2: payments must be a list of names/],
    ["has a payment twice", file({ payments: ["Prex", "Prex"] }), /^market 2: payments must be a list of names/],
    ["has an unknown venue", file({ venues: ["OKX"] }), /^market 2: venues must be .*BYBIT_P2P/],
    ["has no venue", file({ venues: [] }), /^market 2: venues must be a list of at least one/],
    ["has an unknown order book", file({ order_books: ["KRAKEN"] }), /^market 2: order_books must be/],
    ["has an official rate of its own", file({ official: "cbn" }), /^market 2: official must be "fx"/],
    ["lacks a member", file({ official: undefined }), /^market 2: official must be "fx"/],
    ["has a member that is none", file({ ordersize: 1 }), /^market 2: "ordersize" is no member/],
    ["has a fiat twice", file({ fiat: "PEN" }), /^the file must be .* each fiat once$/]
  ])("that %s is refused with the place and what must be there", (_, text, told) => {
    const [fault, ...others] = faultsIn(text)
    assert.lengthOf(others, 0)
    assert.match(fault ?? "", told)
  })

  it("has every fault named, up to ten; hostile files are refused quickly", () => {
    assert.lengthOf(faultsIn(file({ fiat: 1, order_size: null, official: 2 })), 3)
    assert.lengthOf(faultsIn(JSON.stringify(Array.from({ length: 20 }, () => ({ ...record, fiat: "x" })))), 10)
    assert.lengthOf(faultsIn("[".repeat(100_000)), 1)
    assert.lengthOf(faultsIn("[".repeat(500_000) + "]".repeat(500_000)), 1)
    assert.lengthOf(faultsIn(`[{"__proto__": 1, "constructor": 2}]`), 8)
  })
})
