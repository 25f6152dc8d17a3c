import { assert, describe, it } from "@effect/vitest"
import { materialOf } from "../../src/services/RewordingMaterial.ts"
import type { Draft } from "../../src/services/RewordingDraft.ts"
import { judge, type Verify, withoutFailed } from "../../src/services/RewordingRules.ts"
import { reworded } from "../../src/services/RewordingText.ts"
import { caseOf, good, partnership } from "./RewordingCase.ts"

/** Finds fault with what says so itself: these tests are about all the other rules. */
const verify: Verify = (_, { text }) => (text.includes("LIE") ? [{ check: "lie", detail: "lies" }] : [])

const { explained, input } = caseOf()

/** The engine explains the delisting by e1 and e2; e3 is another item, of this kind and score. */
const materialWith = (kind: string, score: number) =>
  materialOf(input, {
    ...explained,
    admitted: explained.admitted.map((view) => (view.itemId === partnership.id ? { ...view, kind, score } : view))
  })

const material = materialWith("partnership", 0.35)

const faultsOf = (draft: Partial<Draft>, over = material) =>
  judge({ ...good, ...draft }, over, verify).faults.flatMap(({ failed, part }) =>
    failed.map(({ detail }) => `${part} ${detail}`)
  )

const shown = (draft: Partial<Draft>, over = material) => {
  const { accepted, faults } = judge({ ...good, ...draft }, over, verify)
  assert.deepStrictEqual(faults, [])
  return accepted === null ? assert.fail("not accepted") : reworded(accepted, over)
}

/** The engine found nothing; e1 is an item of this kind and score. */
const unexplained = (kind: string, score: number) => {
  const none = caseOf({ evidence: [partnership] })
  return materialOf(none.input, { ...none.explained, admitted: [{ itemId: partnership.id, kind, score }] })
}

const found = {
  headline: "Zephyra falls",
  sentences: [{ text: "Zephyra has a new partner.", citations: ["e1"] }],
  drivers: [{ kind: "partnership", citations: ["e1"] }],
  verdict: "coin_specific"
} as const satisfies Draft

describe("what a draft may do", () => {
  it("an honest draft is accepted, and only its text is new", () => {
    const text = shown({})
    assert.deepStrictEqual(
      { ...text, headline: "", summary: "", sentences: [], citations: [] },
      { ...explained.explanation, headline: "", summary: "", sentences: [], citations: [] }
    )
    assert.strictEqual(text.headline, good.headline)
    assert.deepStrictEqual(text.sentences, good.sentences)
  })

  it("citations are numbered by first use, and the summary's markers are those of its sentences", () => {
    const { citations, summary } = shown({
      sentences: [
        { text: "Zephyra fell.", citations: ["m2", "e2"] },
        { text: "OKX will delist it.", citations: ["e1", "e2", "e1"] }
      ]
    })
    assert.strictEqual(summary, "Zephyra fell. [1][2] OKX will delist it. [3][2]")
    assert.deepStrictEqual(
      citations.map(({ id, n }) => [n, id]),
      [
        [1, "m2"],
        [2, "e2"],
        [3, "e1"]
      ]
    )
  })

  it("every sentence and the headline are verified", () => {
    const [first, ...others] = good.sentences
    assert.deepStrictEqual(faultsOf({ headline: "Zephyra LIE" }), ["headline lies"])
    assert.deepStrictEqual(faultsOf({ sentences: [...others, { text: "LIE", citations: ["e1"] }, first] }), [
      "sentence 3 lies"
    ])
  })

  it("the engine's own sentences need no verification, with their own citations", () => {
    const { drivers, headline, sentences } = explained.explanation
    const none: Verify = () => [{ check: "any", detail: "fails" }]
    const same: Draft = {
      ...good,
      headline,
      sentences,
      drivers: drivers.map(({ citations, kind }) => ({ citations, kind }))
    }
    assert.deepStrictEqual(judge(same, material, none).faults, [])
    const [first, ...others] = sentences
    const other = [{ text: first?.text ?? "", citations: ["e2"] }, ...others]
    assert.strictEqual(judge({ ...same, sentences: other }, material, none).faults.length, 1)
  })

  it("a headline that failed gives way to the engine's, where it is of the same verdict and lead", () => {
    const bad: Draft = { ...good, headline: "Zephyra LIE" }
    const rest = withoutFailed(bad, judge(bad, material, verify).faults, material)
    assert.strictEqual(shown(rest).headline, explained.explanation.headline)
    const fell = [{ text: "Zephyra fell.", citations: ["m2"] }]
    assert.deepStrictEqual(faultsOf({ ...rest, sentences: fell, drivers: [], verdict: "unexplained" }), [
      "headline is the headline of another explanation"
    ])
  })

  it("sentences that failed can be left out, unless a driver loses its last one", () => {
    const lie = { text: "LIE", citations: ["m1"] }
    const bad: Draft = { ...good, sentences: [lie, ...good.sentences, lie] }
    const rest = withoutFailed(bad, judge(bad, material, verify).faults, material)
    assert.deepStrictEqual(rest.sentences, good.sentences)
    assert.deepStrictEqual(
      faultsOf({ sentences: good.sentences.filter(({ citations }) => !citations.some((id) => id.startsWith("e"))) }),
      ["answer has no sentence that cites its driver 1"]
    )
  })

  it("it has from one to six sentences, of bounded length, in plain characters, without markers", () => {
    const many = Array.from({ length: 5 }, () => ({ text: "It fell.", citations: ["m2"] }))
    assert.deepStrictEqual(faultsOf({ sentences: [...good.sentences, ...many] }), ["answer has more than 6 sentences"])
    assert.include(faultsOf({ sentences: [], drivers: [], verdict: "unexplained" }), "answer has no sentence")
    const faultOf = (text: string) => faultsOf({ sentences: [...good.sentences, { text, citations: ["e1"] }] }).length
    for (const text of ["", "x".repeat(401), "a\u0000b", "a\nb", "\u202eb", "z\u200bw", "So [1]", "So [e1]."]) {
      assert.strictEqual(faultOf(text), 1, JSON.stringify(text))
    }
    assert.strictEqual(faultOf("x".repeat(400)), 0)
    assert.include(faultsOf({ headline: `Zephyra ${"x".repeat(140)}` }), "headline is longer than 140 characters")
  })

  it("what is out of shape, and may be very long, is not read for its content", () => {
    const huge = { text: "x".repeat(250_000), citations: ["e1"] }
    let longest = 0
    judge({ ...good, headline: huge.text, sentences: [huge, ...good.sentences] }, material, (_, { text }) => {
      longest = Math.max(longest, text.length)
      return []
    })
    assert.isBelow(longest, 401)
  })

  it("it names the coin in its sentences, by name or symbol", () => {
    const naming = (text: string) => faultsOf({ sentences: [{ text, citations: ["m2", "e1"] }] })
    assert.deepStrictEqual(naming("It fell."), ["answer does not name the coin"])
    assert.deepStrictEqual(naming("ZPHYR fell."), ["answer does not name the coin"])
    assert.deepStrictEqual(naming("ZPH fell."), [])
    assert.deepStrictEqual(naming("Zephyra fell."), [])
  })

  describe("drivers", () => {
    it("may be dropped: then nothing explains the move, and confidence is low", () => {
      const text = shown({
        sentences: [{ text: "Zephyra fell.", citations: ["m2"] }],
        drivers: [],
        verdict: "unexplained"
      })
      assert.deepStrictEqual(
        [text.verdict, text.status, text.drivers, text.watch],
        ["unexplained", "unexplained", [], []]
      )
      assert.deepInclude(text.confidence, { level: "low", score: 0.49 })
    })

    it("a dropped driver's items are not cited any more", () => {
      assert.deepStrictEqual(
        faultsOf({
          sentences: [{ text: "Zephyra is delisted.", citations: ["e2"] }],
          drivers: [],
          verdict: "unexplained"
        }),
        ["sentence 1 cites an item that is no driver's evidence"]
      )
    })

    it("no cause without a verdict, no verdict without a cause", () => {
      assert.deepStrictEqual(faultsOf({ verdict: "unexplained" }), ["answer is unexplained and has a cause"])
      assert.include(faultsOf({ drivers: [] }), "answer is coin_specific and has no cause")
    })

    it("one that the engine has is shown as the engine has it, whichever of its reports are cited", () => {
      const { drivers } = shown({ drivers: [{ kind: "delisting", citations: ["e1"] }] })
      assert.deepStrictEqual(drivers, explained.explanation.drivers)
    })

    it("another kind may be chosen that an item of at least 0.3 has; it is less sure", () => {
      const other = {
        sentences: [...good.sentences.slice(0, 1), { text: "It has a partner.", citations: ["e3"] }],
        drivers: [{ kind: "partnership", citations: ["e3"] }]
      }
      const text = shown(other)
      assert.deepStrictEqual(text.drivers, [
        {
          rank: 1,
          role: "cause",
          kind: "partnership",
          direction: "down",
          summary: partnership.title,
          first_reported_at: "2026-09-13T05:30:00Z",
          minutes_after_onset: 30,
          publishers: 1,
          confidence: "low",
          citations: ["e3"]
        }
      ])
      assert.deepInclude(text.confidence, { level: "low", score: 0.49 })
      assert.deepInclude(text.citations.at(-1), { id: "e3", url: partnership.url, title: partnership.title })
      const without = "answer has a driver without evidence of its kind"
      assert.include(faultsOf(other, materialWith("partnership", 0.29)), without)
      assert.include(faultsOf(other, materialWith("funding", 0.9)), without)
    })

    it("none is added, doubled, or made of nothing", () => {
      const [own] = good.drivers
      const withMore = (...more: Draft["drivers"]) =>
        faultsOf({ drivers: [own, ...more], sentences: [...good.sentences, { text: "Also.", citations: ["e3"] }] })
      assert.deepStrictEqual(withMore({ kind: "partnership", citations: ["e3"] }), [
        "answer has more drivers than the explanation"
      ])
      assert.include(withMore(own), "answer has two drivers of a kind")
      for (const driver of [
        { kind: "exploit", citations: ["e1"] },
        { kind: "delisting", citations: [] },
        { kind: "delisting", citations: ["e1", "e3"] },
        { kind: "delisting", citations: ["e9"] },
        { kind: "delisting", citations: ["m2"] },
        { kind: "aliens", citations: ["e1"] }
      ]) {
        assert.include(faultsOf({ drivers: [driver] }), "answer has a driver without evidence of its kind")
      }
    })

    it("the market's events do not explain a coin's own move, whatever they score", () => {
      const macro = { drivers: [{ kind: "macro", citations: ["e3"] }] }
      assert.include(faultsOf(macro, materialWith("macro", 0.9)), "answer has a driver without evidence of its kind")
    })
  })

  describe("the verdict", () => {
    it("is the engine's or unexplained", () => {
      for (const verdict of ["market_wide", "sector"] as const) {
        assert.deepStrictEqual(faultsOf({ verdict }), ["answer has a verdict that the evidence does not allow"])
      }
    })

    it("unexplained becomes a cause only by an item of at least 0.3, and then with low confidence", () => {
      const text = shown(found, unexplained("partnership", 0.3))
      assert.deepStrictEqual([text.verdict, text.status, text.confidence.level], ["coin_specific", "explained", "low"])
      assert.isAtMost(text.confidence.score, 0.2)
      assert.include(
        faultsOf(found, unexplained("partnership", 0.29)),
        "answer has a driver without evidence of its kind"
      )
    })

    it("an unexplained move stays without insinuation: no item comes in by a sentence alone", () => {
      assert.deepStrictEqual(
        faultsOf({ ...found, drivers: [], verdict: "unexplained" }, unexplained("partnership", 0.9)),
        ["sentence 1 cites an item that is no driver's evidence"]
      )
    })
  })
})
