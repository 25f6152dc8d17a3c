// Which sentences make up an explanation: no more than six, and what may be quoted in them.
import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import type { EvidenceItem } from "../../src/domain/Evidence.ts"
import { explain } from "../../src/why/Explain.ts"
import { at, inputFor, item } from "./support.ts"

const explained = (...evidence: ReadonlyArray<EvidenceItem>) => explain(inputFor({ change: -20, evidence }))

const exploit = item({ id: "exploit", title: "Kadena bridge emptied of $40 million by unknown attacker" })
const marked = item({
  id: "marked",
  title: "Kadena mainnet grinds to a halt as validators lose consensus {video}",
  publishedAt: at(4.2)
})

describe("an explanation", () => {
  it("quotes no text with markup, nor of a publisher with markup in its name", () => {
    const linked = { ...exploit, publisher: "[News](https://evil.example)" }
    for (const one of [marked, linked]) {
      const { explanation } = explained(one)
      assert.deepStrictEqual([explanation.status, explanation.drivers], ["unexplained", []])
      assert.match(explanation.sentences[1]?.text ?? "", /^Nothing we checked explains it: 1 report from 1 source\.$/)
    }
    const { explanation } = explained(exploit, marked)
    assert.deepStrictEqual(
      explanation.drivers.map(({ kind }) => kind),
      ["exploit"]
    )
    assert.notInclude(JSON.stringify(explanation), "{video}")
  })

  it("has six sentences at most: every driver's, and what adds to them as far as there is room", () => {
    const halt = "Kadena mainnet grinds to a halt as validators lose consensus"
    const outage = item({ id: "outage", title: halt, publishedAt: at(4) })
    const evidence = [
      item(exploit),
      item({ ...exploit, id: "copy", publisher: "Decrypt", url: "https://decrypt.co/1", publishedAt: at(4.1) }),
      outage,
      item({ id: "ceo", title: "Kadena CEO steps down after board dispute", publishedAt: at(3.5) })
    ]
    const { explanation } = explained(...evidence)
    assert.lengthOf(explanation.drivers, 3)
    for (const { citations } of explanation.drivers)
      assert.isTrue(explanation.sentences.some((sentence) => sentence.citations.includes(citations[0] ?? "")))
    const texts = explanation.sentences.map(({ text }) => text).join(" ")
    assert.match(texts, /reported it too/)
    assert.isAtMost(explanation.sentences.length, 6)
  })
})

describe("corroboration", () => {
  const other = (title: string) =>
    item({ id: "other", title, publisher: "Decrypt", url: "https://decrypt.co/1", publishedAt: at(4) })
  const texts = (...evidence: ReadonlyArray<EvidenceItem>) =>
    explained(...evidence)
      .explanation.sentences.slice(1)
      .map(({ text }) => text)

  it("is of the same thing by the same actors, not of the same kind", () => {
    assert.deepStrictEqual(texts(exploit, other("Attacker drains $40M from a Kadena bridge")), [
      "The Block reported an exploit 2 hours after the fall began: “Kadena bridge emptied of $40 million by unknown attacker” (07:30 UTC); Decrypt reported it too."
    ])
    const separate = texts(exploit, other("Kadena wallet maker hacked, seeds stolen"))
    assert.lengthOf(separate, 2)
    for (const text of separate) assert.notInclude(text, "too")
  })

  it("is of what one side does: an appeal of the regulator is not one of the coin's firm", () => {
    const appeal = item({ id: "appeal", title: "SEC's appeal in Kadena fraud case moves ahead" })
    assert.notInclude(texts(appeal, other("Kadena may appeal SEC's victory in fraud case")).join(), "too")
    assert.include(texts(appeal, other("SEC's appeal in Kadena fraud case is accepted")).join(), "too")
  })
})

describe("a record that knows only the day", () => {
  it("has a day in its members and its words, and no words of ours in quotation marks", () => {
    const day = DateTime.startOf(at(5), "day")
    const record = { type: "incident_record", tier: "primary", publisher: "DefiLlama", precision: "day" } as const
    const { explanation } = explained(
      item({ ...record, title: "Kadena hacked, $40,000,000 lost", publishedAt: day, firstSeenAt: at(4) })
    )
    assert.strictEqual(
      explanation.sentences[1]?.text,
      "DefiLlama recorded an exploit on 10 March: Kadena hacked, $40,000,000 lost."
    )
    const [driver] = explanation.drivers
    assert.deepStrictEqual([driver?.first_reported_at, driver?.minutes_after_onset], ["2026-03-10", null])
    assert.strictEqual(explanation.citations.find(({ id }) => id === "e1")?.published_at, "2026-03-10")
  })
})

describe("an unexplained move", () => {
  const unexplained = (change: number, median: number) => {
    const base = inputFor({ change, evidence: [] })
    const market = { ...base.market, top100MedianChange24h: median, btcChange24h: 0 }
    return explain({ ...base, market }).explanation.sentences.map(({ text }) => text)
  }

  it("names the median where that is half of the move or more", () => {
    assert.include(unexplained(-4.9, -2.8), "The median of the top 100 coins fell 2.8%, most of this coin's 4.9%.")
    assert.lengthOf(unexplained(-4.9, -2), 2)
    assert.lengthOf(unexplained(-4.9, 2.8), 2)
  })
})
