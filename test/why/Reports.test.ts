// What a single report by a known newsroom is taken for, as newsrooms print it.
import { assert, describe, it } from "@effect/vitest"
import type { EvidenceItem } from "../../src/domain/Evidence.ts"
import { explain } from "../../src/why/Explain.ts"
import { citedItems } from "../../build/why/BenchCase.ts"
import { at, flat, inputFor, item, kadena } from "./support.ts"

const driversOf = (evidence: ReadonlyArray<EvidenceItem>, change = 18, coin = kadena) =>
  explain({ ...inputFor({ change, evidence }), coin }).explanation.drivers

const kindsOf = (one: Partial<EvidenceItem> & { readonly title: string }, change?: number) =>
  driversOf([item(one)], change).map(({ kind }) => kind)

describe("a headline that states the move", () => {
  it("reports the reason that it gives", () => {
    assert.deepStrictEqual(kindsOf({ title: "Kadena soars 35% on Robinhood listing", tier: "tier2" }), ["listing"])
    assert.deepStrictEqual(kindsOf({ title: "Kadena climbs after Beijing gives it the green light" }), ["other"])
    assert.deepStrictEqual(kindsOf({ title: "Beijing gives Kadena the green light; Kadena soars" }), ["other"])
  })

  it("reports nothing where it gives none, or only what traders do", () => {
    for (const title of [
      "Kadena explodes 22% daily, other memecoins follow",
      "Bitcoin and Ethereum consolidate gains, KDA and CHZ rally",
      "Kadena adds 18% in surprise move",
      "Kadena soars 18% as traders pile in after the exit"
    ])
      assert.deepStrictEqual(kindsOf({ title }), [], title)
    assert.deepStrictEqual(kindsOf({ title: "Kadena token extends losses, now 98% off peak" }, -18), [])
  })
})

describe("an event of no known kind", () => {
  const title = "Kadena climbs as its fees pay for Rotterdam harbour"

  it("is told where a headline gives it as the reason for the move, with medium confidence at most", () => {
    const [driver, ...more] = driversOf([item({ title })])
    assert.isEmpty(more)
    assert.deepStrictEqual([driver?.kind, driver?.role, driver?.direction], ["other", "cause", "up"])
    assert.include(["medium", "low"], driver?.confidence)
    assert.deepStrictEqual(kindsOf({ title }, -18), [])
    assert.deepStrictEqual(kindsOf({ title: "Kadena fees and Rotterdam harbour" }), [])
  })

  it("is told where something is done that is no talk and does not push the other way", () => {
    const ferries = "ferries at Rotterdam harbour"
    assert.deepStrictEqual(kindsOf({ title: `Kadena swaps ${ferries}` }), ["other"])
    assert.deepStrictEqual(kindsOf({ title: `Kadena swaps ${ferries}` }, -18), ["other"])
    assert.deepStrictEqual(kindsOf({ title: `Kadena swaps ${ferries}`, tier: "tier2" }), ["other"])
    assert.deepStrictEqual(kindsOf({ title: `Kadena opens ${ferries}` }, -18), [])
    assert.deepStrictEqual(kindsOf({ title: `Kadena stops ${ferries}` }), [])
    assert.deepStrictEqual(kindsOf({ title: `Kadena stops ${ferries}` }, -18), ["other"])
    assert.deepStrictEqual(kindsOf({ title: `Kadena postpones swap of ${ferries}` }), [])
    assert.deepStrictEqual(kindsOf({ title: `Kadena lands ${ferries}` }), ["other"])
    assert.deepStrictEqual(kindsOf({ title: `Kadena technical outlook: indicators turn at ${ferries}` }), [])
    assert.deepStrictEqual(kindsOf({ title: `Kadena ${ferries}` }), [])
    assert.deepStrictEqual(kindsOf({ title: `Kadena fans swap ${ferries}` }), [])
  })

  it("is something done to the coin: no question, and nothing that is not about it", () => {
    for (const other of [
      "Will Kadena climb as its fees pay for Rotterdam harbour?",
      "Kadena chief to quit? Anonymous posts spread",
      "Solana climbs as fees pay for Rotterdam harbour, Kadena looks on",
      "Harvest fair opens in Oslo"
    ])
      assert.deepStrictEqual(kindsOf({ title: other }), [], other)
  })
})

describe("the repair of bad news", () => {
  it("is good news", () => {
    const title = "Kadena to compensate bridge exploit victims before launch"
    assert.deepStrictEqual(kindsOf({ title }), ["exploit"])
    assert.deepStrictEqual(kindsOf({ title }, -18), [])
  })
})

describe("a title and its teaser", () => {
  it("are one: a teaser about charts does not take away what the title says", () => {
    const summary = "But the price risks a death cross, with support at $0.80 and an RSI that is overbought."
    assert.deepStrictEqual(kindsOf({ title: "Robinhood lists Kadena (KDA)", summary }), ["listing"])
  })

  it("settle together what a word means: a sentence tells a name from a word, a title in capitals does not", () => {
    const coin = { ...kadena, id: "garden", symbol: "GRDN", name: "The Garden" }
    const told = (summary: string) =>
      driversOf([item({ title: "HSBC Enters The Metaverse by Partnering With The Garden", summary })], 18, coin)
    assert.lengthOf(told("The bank has partnered with The Garden to enter virtual worlds of crypto."), 1)
    assert.isEmpty(told("The bank has planted a garden."))
  })
})

describe("reports of one kind", () => {
  it("are cited without the rumours among them", () => {
    const rumour = item({
      id: "rumour",
      title: "Kadena hacked, unconfirmed posts claim",
      url: "https://decrypt.co/1",
      publisher: "Decrypt"
    })
    const told = item({ id: "told", title: "Kadena bridge hacked for $40 million" })
    const explained = explain(inputFor({ change: -18, evidence: [rumour, told] }))
    assert.deepStrictEqual([...citedItems(explained).values()], ["told"])
  })
})

describe("a reason for a move of the whole market", () => {
  const marketWide = (...titles: ReadonlyArray<string>) => {
    const evidence = titles.map((title, n) =>
      item({ id: `w${n}`, title, url: `https://news${n}.example/a`, publishedAt: at(5 - n / 10) })
    )
    const base = inputFor({ change: -18, evidence })
    const btcHourly = { ...flat, prices: base.move.hourly?.prices ?? [] }
    const market = { ...base.market, btcChange24h: -14, top100MedianChange24h: -16, btcHourly }
    return explain({ ...base, market }).explanation.drivers.map(({ kind }) => kind)
  }

  it("is no event of one company", () => {
    for (const title of [
      "US regulators sue crypto exchange Binance",
      "Man accused of $750k crypto rug pull refuses to pay"
    ])
      assert.deepStrictEqual(marketWide(title), [], title)
  })

  it("is told by a word of the economy, of the market, or both, that go the same way", () => {
    assert.deepStrictEqual(marketWide("Bitcoin slides as Fed raises rates"), ["macro"])
    assert.deepStrictEqual(marketWide("Bitcoin climbs as Fed raises rates"), [])
    assert.deepStrictEqual(marketWide("Will the Fed raise rates again?"), [])
    assert.deepStrictEqual(marketWide("One year ago today: Fed raises rates by half a point"), [])
  })

  it("comes before what states only that the market moved", () => {
    const moved = [
      "Bitcoin dumps to six-month low",
      "Bitcoin dives below $39K, altcoins in red",
      "Crypto market crashes"
    ]
    assert.deepStrictEqual(marketWide("Crypto market slides as stocks get hammered", ...moved)[0], "macro")
  })
})

describe("a day on which the whole market falls", () => {
  /** A coin that falls by so much while bitcoin and the market fall by 10 %. */
  const verdictAt = (change: number, title: string) => {
    const base = inputFor({ change, evidence: [item({ title, publishedAt: at(0.5), firstSeenAt: at(0.5) })] })
    const market = { ...base.market, btcChange24h: -10, top100MedianChange24h: -10, btcHourly: null }
    return explain({ ...base, market }).explanation.verdict
  }
  const exploit = "Kadena bridge hacked for $40 million"

  it("explains no fall of which the coin has a part of its own and a strong report", () => {
    assert.strictEqual(verdictAt(-19, exploit), "coin_specific")
    assert.strictEqual(verdictAt(-19, "Kadena wallet adds a dark theme"), "market_wide")
  })

  it("explains a fall that is nearly all the market's, whatever is reported", () => {
    assert.strictEqual(verdictAt(-12, exploit), "market_wide")
  })
})
