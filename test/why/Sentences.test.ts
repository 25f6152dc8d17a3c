// Which sentences make up an explanation: no more than six, and what may be quoted in them.
import { assert, describe, it } from "@effect/vitest"
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
    const dated = { ...exploit, summary: "See https://evil.example/ on April 3, 2026 for the vote." }
    assert.isEmpty(explained(dated).explanation.watch)
  })

  it("has six sentences at most: every driver's, and what adds to them as far as there is room", () => {
    const dated = "The team said that a vote follows on April 3, 2026."
    const halt = "Kadena mainnet grinds to a halt as validators lose consensus"
    const outage = item({ id: "outage", title: halt, publishedAt: at(4) })
    const evidence = [
      item({ ...exploit, summary: dated }),
      item({ ...exploit, id: "copy", publisher: "Decrypt", url: "https://decrypt.co/1", publishedAt: at(4.1) }),
      outage,
      item({ id: "ceo", title: "Kadena CEO steps down after board dispute", publishedAt: at(3.5) })
    ]
    const { explanation } = explained(...evidence)
    assert.lengthOf(explanation.drivers, 3)
    for (const { citations } of explanation.drivers)
      assert.isTrue(explanation.sentences.some((sentence) => sentence.citations.includes(citations[0] ?? "")))
    const texts = explanation.sentences.map(({ text }) => text).join(" ")
    assert.match(texts, /reported it too.*To watch/)
    assert.lengthOf(explanation.watch, 1)
    assert.isAtMost(explanation.sentences.length, 6)
  })
})
