// A sector that moved as a whole explains its member, also where a report names only the sector's leader.
import { assert, describe, it } from "@effect/vitest"
import { explain } from "../../src/why/Explain.ts"
import { inputFor, item } from "./support.ts"

const withSector = (title: string) => {
  const base = inputFor({ change: -18, evidence: [item({ title })] })
  return explain({
    ...base,
    coin: { ...base.coin, categories: ["privacy-coins"] },
    market: { ...base.market, sectors: [{ id: "privacy-coins", change24h: -16, members: 8 }] }
  }).explanation
}

const kindsOf = (title: string) => withSector(title).drivers.map(({ kind }) => kind)

describe("a move of a sector", () => {
  it("is told with a report on the sector", () => {
    for (const title of ["Privacy coins tumble as brokers pull out", "Brokers turn their backs on privacy-coins"]) {
      assert.strictEqual(withSector(title).verdict, "sector", title)
      assert.deepStrictEqual(kindsOf(title), ["sector"], title)
    }
  })

  it("is told with a report that gives a reason for the market", () => {
    assert.deepStrictEqual(kindsOf("Bitcoin slides as Fed raises rates"), ["macro"])
  })

  it("has the clause before its own, and other markets beside crypto", () => {
    for (const title of [
      "Inflation surprise revives rate hike fears, stocks and crypto fall",
      "Inflation surprise revives rate hike fears, crypto falls",
      "Asian stocks and bitcoin tumble as Fed raises rates"
    ])
      assert.deepStrictEqual(kindsOf(title), ["macro"], title)
    for (const title of [
      "Miner cuts its staff, crypto falls",
      "Bitcoin slides, stocks and crypto fall",
      "Analysts see more pain ahead, bitcoin falls"
    ])
      assert.isEmpty(kindsOf(title), title)
  })

  it("is told with a reason before or after any verb that says the market fell", () => {
    for (const title of [
      "Payrolls shock markets, sending crypto lower",
      "Payrolls shock Wall Street, hammering altcoins",
      "Recession fears return, crypto pulled lower",
      "Ether joins wider rout as recession fears return",
      "Virtual currencies slide as recession fears return",
      "Bitcoin takes a beating after payrolls",
      "Selling hits crypto market again as recession spooks traders",
      "Bitcoin price reacts to US jobs report",
      "Bitcoin slides as Fed raises rates - what next for BTC?",
      "Fed makes a 75 bps hike amid hopes of a pause"
    ])
      assert.deepStrictEqual(kindsOf(title), ["macro"], title)
    assert.deepStrictEqual(kindsOf("Washington outlaws crypto mining"), ["regulatory"])
  })

  it("is told with a government's sale of bitcoin", () => {
    assert.deepStrictEqual(kindsOf("US government cleared to sell 69,000 bitcoin, sparking a crypto crash"), ["whale"])
  })

  it("is not told with what a government denies or a party asks for, nor with the fund of one coin", () => {
    for (const title of [
      "Washington denies it outlawed crypto mining",
      "German government calls for ban on crypto mining",
      "Solana ETF outflows hit record"
    ])
      assert.isEmpty(kindsOf(title), title)
    assert.lengthOf(kindsOf("Bitcoin ETF outflows hit record"), 1)
    assert.lengthOf(kindsOf("German government orders ban on crypto mining"), 1)
  })

  it("is not told with a list of what happened before", () => {
    for (const title of [
      "What you may have missed: bitcoin falls as Fed raises rates",
      "Stories you missed: bitcoin falls as Fed raises rates"
    ])
      assert.isEmpty(kindsOf(title), title)
  })

  it("stands on its figures alone where no report fits", () => {
    for (const title of ["Privacy coins climb as brokers return", "Uniswap tumbles as brokers pull out"]) {
      const { drivers, verdict } = withSector(title)
      assert.strictEqual(verdict, "sector", title)
      assert.deepStrictEqual(drivers, [], title)
    }
  })
})
