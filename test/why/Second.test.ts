// A second engineer's cases, sentences and headlines, each written before the rules were changed for it. Blind scores: the first 41
// cases precision 0.947, recall 0.903, kind 1, verdict 0.854, false catalysts 3 of 10; the 20 of the fourth set, after the first
// repairs, precision 1, recall 0.867, kind 0.923, verdict 0.9, none of 5;
// the 10 of the fifth precision 0.875, recall 0.667, verdict 0.8, one of 4, and one ambiguous item cited; sentences 39 of 48 (one was wrong itself), then 27 of 37; headlines 63 of
// 101 and 42 of 48, near-misses taken for causes 5 of 59 and 7 of 55; orders to a model 9 of 22. What holds now is no longer blind.
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { BenchFile, casesOf, verdictOn } from "./BenchCase.ts"
import { isInjection } from "../../src/why/Junk.ts"
import { DRIVER_THRESHOLD } from "../../src/why/Scoring.ts"
import { scoreOf } from "./bench/runBench.ts"
import { buildCase, type CaseSpec } from "./cases/caseBuilder.ts"
import { fifth } from "./cases/fifth.ts"
import { fourth } from "./cases/fourth.ts"
import { second } from "./cases/second.ts"
import { events, misses, orders, plain } from "./cases/secondHeadlines.ts"
import { secondNone } from "./cases/secondNone.ts"
import { sentences } from "./cases/secondSentences.ts"
import { headlineScore, item } from "./support.ts"

const holds = (specs: ReadonlyArray<CaseSpec>): void => {
  const score = scoreOf({ cases: specs.map(buildCase) })
  assert.strictEqual(score.cases, specs.length)
  assert.isAtLeast(score.citation_precision ?? 0, 0.95)
  assert.isAtLeast(score.driver_recall ?? 0, 0.9)
  assert.isAtLeast(score.kind_accuracy ?? 0, 0.9)
  assert.isAtLeast(score.verdict_accuracy ?? 0, 0.9)
  assert.strictEqual(score.false_catalyst_rate, 0)
  assert.strictEqual(score.market_as_coin_rate, 0)
  assert.strictEqual(score.ambiguity_error_rate, 0)
  assert.strictEqual(score.injection_error_rate ?? 0, 0)
  assert.strictEqual(score.supported_sentence_rate, 1)
}

describe("a second engineer's cases", () => {
  it("hold where a coin or its sector had a cause, had none, or went with the market", () =>
    holds([...second, ...secondNone]))
  it("hold on the set that was blind after the repairs", () => holds(fourth))
  it("hold on the third blind set", () => holds(fifth))
})

describe("a second engineer's sentences", () => {
  const decoded = Schema.decodeUnknownSync(BenchFile)({
    cases: [...second, ...secondNone, ...fourth, ...fifth].map(buildCase)
  })
  const cases = new Map(casesOf(decoded).map((bench) => [bench.id, bench]))
  it("are accepted and rejected as expected", () => {
    for (const [expect, reason, id, text, ...names] of sentences) {
      const bench = cases.get(id)
      assert.isDefined(bench)
      if (bench === undefined) continue
      const citations = names.map(
        (name) => bench.input.evidence.find(({ title }) => title?.startsWith(name) === true)?.id ?? name
      )
      const found = verdictOn(bench, { text, citations }).length === 0 ? "accept" : "reject"
      assert.strictEqual(found, expect, `${reason}: ${text}`)
    }
  })
})

describe("a second engineer's headlines", () => {
  it("are read as what happened", () => {
    const missed = events.filter(([kind, sign, title]) => {
      const read = headlineScore(title, sign)
      return read.kind !== kind || read.score < DRIVER_THRESHOLD
    })
    assert.isAtMost(missed.length, 3, missed.map(([, , title]) => title).join(" | "))
  })
  it("are no cause where they tell of none", () => {
    const taken = misses.filter(([sign, title]) => headlineScore(title, sign).score >= DRIVER_THRESHOLD)
    assert.isAtMost(taken.length, 1, taken.map(([, title]) => title).join(" | "))
  })
  it("give no orders", () => {
    for (const summary of orders) assert.isTrue(isInjection(item({ title: "KDA gains", summary })), summary)
    for (const summary of plain) assert.isFalse(isInjection(item({ title: "KDA gains", summary })), summary)
  })
})
