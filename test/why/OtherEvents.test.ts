// Events in words of no known kind: every condition once met and once not. The wording is invented so that no list of
// kinds has it; how much its words weigh is the model's (`HeadlineModel`).
import { assert, describe, it } from "@effect/vitest"
import type { EvidenceItem } from "../../src/domain/Evidence.ts"
import { explain } from "../../src/why/Explain.ts"
import { junkOf } from "../../src/why/Junk.ts"
import { passedOver } from "../../src/why/OtherEvents.ts"
import { citedItems } from "./BenchCase.ts"
import { at, flat, inputFor, item } from "./support.ts"

// The move begins six hours before the time of the explanation.
const ONSET = 6

const lead = item({
  id: "lead",
  title: "Rotterdam depot of Kadena under water",
  publishedAt: at(ONSET - 0.5),
  firstSeenAt: at(ONSET - 0.5)
})

const second = item({
  id: "second",
  title: "Rotterdam depot of Kadena is gone",
  url: "https://decrypt.co/second",
  publisher: "Decrypt",
  publishedAt: at(ONSET - 1.5),
  firstSeenAt: at(ONSET - 1.5)
})

const explained = (evidence: ReadonlyArray<EvidenceItem>, change = -18) => explain(inputFor({ change, evidence }))

const citedOf = (evidence: ReadonlyArray<EvidenceItem>, change?: number) => {
  const one = explained(evidence, change)
  const items = citedItems(one)
  return one.explanation.drivers.flatMap(({ citations }) => citations.map((id) => items.get(id)))
}

const later = (one: EvidenceItem, hours: number): EvidenceItem => ({
  ...one,
  publishedAt: at(ONSET - hours),
  firstSeenAt: at(ONSET - hours)
})

describe("a reason of which one word only is of a known kind", () => {
  it("counts from a publisher of the first rank", () => {
    const title = "Kadena slides as gardener's departure nears"
    const told = (tier: "tier1" | "tier2") => explained([{ ...lead, title, summary: "", tier }]).explanation.drivers
    assert.deepStrictEqual(
      told("tier1").map(({ kind }) => kind),
      ["leadership"]
    )
    assert.deepStrictEqual(told("tier2"), [])
  })
})

describe("an event of no known kind", () => {
  it("is told where two independent publishers report it close to the onset, with medium confidence at most", () => {
    const { explanation } = explained([lead, second])
    const [driver] = explanation.drivers
    assert.strictEqual(explanation.verdict, "coin_specific")
    assert.deepStrictEqual([driver?.kind, driver?.role, driver?.direction], ["other", "cause", "down"])
    assert.include(["medium", "low"], driver?.confidence)
    assert.isTrue(
      explanation.sentences.some(({ text }) =>
        text.startsWith(`Reported close to the start of the move, according to The Block: “${lead.title}”`)
      )
    )
    assert.deepStrictEqual(citedOf([lead, second]), ["lead", "second"])
  })

  it("needs a second publisher that tells of an event, on a domain of its own", () => {
    assert.deepStrictEqual(citedOf([lead]), [])
    assert.deepStrictEqual(citedOf([lead, { ...second, url: "https://www.theblock.co/other" }]), [])
    assert.deepStrictEqual(citedOf([lead, { ...second, title: "Kadena choir sings in Oslo" }]), [])
    const small = { tier: "tier3" } as const
    assert.deepStrictEqual(
      citedOf([
        { ...lead, ...small },
        { ...second, ...small }
      ]),
      []
    )
  })

  it("needs weaker words where the second publisher tells the same", () => {
    const weak = { ...lead, title: "Kadena vans stranded in Rotterdam" }
    const same = { ...second, title: "Blaze at Rotterdam depot of Kadena" }
    assert.deepStrictEqual(citedOf([weak, same]).toSorted(), ["lead", "second"])
    assert.deepStrictEqual(citedOf([weak]), [])
    assert.deepStrictEqual(citedOf([same]), [])
    assert.deepStrictEqual(citedOf([weak, { ...same, title: "Boats of Kadena sink off Oslo" }]), [])
  })

  it("needs no second publisher where its words are strong and its publisher careful", () => {
    const strong = { ...lead, title: "Main customer of Kadena walks away" }
    assert.deepStrictEqual(citedOf([strong]), ["lead"])
    assert.deepStrictEqual(citedOf([{ ...strong, tier: "tier3" }]), [])
    assert.deepStrictEqual(citedOf([strong], 18), [])
  })

  it("may be told after a question", () => {
    const title = "Is it over? Rotterdam depot of Kadena under water"
    assert.deepStrictEqual(citedOf([{ ...lead, title }, second]), ["lead", "second"])
  })

  it("needs no second publisher where the project itself reports what is bad for a coin that fell", () => {
    const own = {
      ...lead,
      type: "project_blog",
      tier: "primary",
      publisher: "Kadena",
      url: "https://kadena.io/a"
    } as const
    assert.deepStrictEqual(citedOf([{ ...own, title: "A hard day: we are closing the company" }]), ["lead"])
    assert.deepStrictEqual(citedOf([{ ...own, title: "Our vans have a new coat of paint" }]), [])
  })

  it("is first reported between six hours before the onset and two hours after it", () => {
    assert.deepStrictEqual(citedOf([later(lead, -5), later(second, 1)]), ["lead", "second"])
    assert.deepStrictEqual(citedOf([later(lead, -7), later(second, -6.5)]), [])
    assert.deepStrictEqual(citedOf([later(lead, 3.5), later(second, 4)]), [])
    // What says best what happened may come later than the first report of it.
    assert.deepStrictEqual(
      citedOf([
        later({ ...lead, title: "Kadena depot in Rotterdam: a look at the harbour" }, 1),
        later({ ...lead, id: "late", url: "https://decrypt.co/late" }, 4),
        later(second, 5)
      ]),
      ["lead", "late", "second"]
    )
    assert.deepStrictEqual(citedOf([later({ ...lead, id: "late" }, 4), later(second, 5)]), [])
    // Told again: it was news the day before.
    const old = later({ ...lead, id: "old", url: "https://www.coindesk.com/old" }, -20)
    assert.deepStrictEqual(citedOf([old, lead, second]), [])
  })

  it("may name a millionaire, who is no promise of riches", () => {
    assert.strictEqual(junkOf("dormant xxcoin millionaire cashes out", ""), null)
    for (const title of ["how xxcoin could make you a millionaire", "the next xxcoin millionaires"])
      assert.strictEqual(junkOf(title, ""), "spam_prediction", title)
  })

  it("is about the coin: not one of a list, not another coin's", () => {
    const named = (title: string) =>
      citedOf([
        { ...lead, title },
        { ...second, title: `${title} again` }
      ])
    assert.deepStrictEqual(named("Fire guts Solana depot in Rotterdam as Kadena looks on"), [])
    assert.deepStrictEqual(named("Fire guts Solana, Kadena and Cardano depots in Rotterdam"), [])
  })

  it("is something done: no question, opinion, forecast, rumour, feature or price", () => {
    const told = ([title, other]: readonly [string, string]) =>
      citedOf([
        { ...lead, title, summary: "" },
        { ...second, title: other, summary: "" }
      ])
    assert.deepStrictEqual(told([lead.title, second.title]), ["lead", "second"])
    for (const pair of [
      [
        "Is Kadena about to lose its courier contract in Rotterdam?",
        "Will a court close the yard of Kadena in Rotterdam?"
      ],
      ["Opinion: Rotterdam depot of Kadena under water", "Opinion: Rotterdam depot of Kadena is gone"],
      ["Rumour: Rotterdam depot of Kadena under water", "Rotterdam depot of Kadena is gone, rumour has it"],
      ["How Rotterdam depot of Kadena under water", "Inside the yard of Kadena that a court closes in Rotterdam"],
      ["Looking back: Rotterdam depot of Kadena under water", "Rotterdam depot of Kadena is gone, years later"],
      ["Kadena tumbles as traders in Rotterdam lose patience", "Kadena slides as Rotterdam traders look away"],
      ["Kadena falls 18% in a day", "Kadena drops by a fifth"]
    ] as const)
      assert.deepStrictEqual(told(pair), [], pair.join(" / "))
  })

  it("does not lean against the move", () => {
    const good = { title: "Kadena wins approval for its Rotterdam contract" }
    assert.deepStrictEqual(citedOf([{ ...lead, ...good }, second]), [])
    // A kind of the other direction that is hardly recognised gives way to words that are clear.
    const cleared = [
      { ...lead, title: "Kadena Isn't a General Partnership, Appeals Court Rules" },
      { ...second, title: "DeFi lawyers breathe out as Kadena wins on appeal" }
    ]
    assert.deepStrictEqual(citedOf(cleared, 18).toSorted(), ["lead", "second"])
    assert.deepStrictEqual(citedOf(cleared, -18), [])
  })

  it("is cited beside a recognised event, and gives way to a market that explains the move", () => {
    const hack = item({ id: "hack", title: "Kadena bridge emptied of $40 million by unknown attacker" })
    const drivers = explained([lead, second, hack]).explanation.drivers.map(({ kind }) => kind)
    assert.deepStrictEqual(drivers, ["exploit"])
    assert.deepStrictEqual(citedOf([lead, second, hack]), ["hack", "lead"])
    assert.deepStrictEqual(citedOf([{ ...lead, title: "Kadena choir sings in Oslo" }, hack]), ["hack"])
    const base = inputFor({ change: -18, evidence: [lead, second] })
    const market = { ...base.market, btcChange24h: -14, top100MedianChange24h: -15, btcHourly: flat }
    assert.deepStrictEqual(explain({ ...base, market }).explanation.drivers, [])
  })

  it("that is passed over is counted by the condition that it failed", () => {
    const { analysis } = explained([lead, later({ ...second, id: "early" }, -9)])
    assert.deepStrictEqual([...passedOver(analysis.other)].toSorted(), [
      ["time", 1],
      ["witnesses", 1]
    ])
  })
})
