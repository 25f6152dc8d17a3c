// The gates of issue 4 on the development cases. What these cases are, and what they are not, stands in bench/README.md: titles and
// summaries were written for the benchmark, gold is what a careful desk would have cited, and twenty cases give wide error bars.
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { BenchFile, casesOf, verdictOn } from "./BenchCase.ts"
import dev from "./bench/dev.json" with { type: "json" }
import { scoreOf } from "./bench/runBench.ts"
import sentences from "./bench/verifier-dev.json" with { type: "json" }

describe("the development cases of why-bench", () => {
  it("pass every gate", () => {
    const score = scoreOf(dev)
    assert.strictEqual(score.cases, 20)
    assert.strictEqual(score.missing, 0)
    assert.strictEqual(score.citation_precision, 1)
    assert.isAtLeast(score.driver_recall ?? 0, 0.95)
    assert.isAtLeast(score.kind_accuracy ?? 0, 0.95)
    assert.isAtLeast(score.verdict_accuracy ?? 0, 0.95)
    assert.strictEqual(score.false_catalyst_rate, 0)
    assert.strictEqual(score.market_as_coin_rate, 0)
    assert.strictEqual(score.ambiguity_error_rate, 0)
    assert.strictEqual(score.injection_error_rate, 0)
    assert.strictEqual(score.supported_sentence_rate, 1)
    assert.strictEqual(score.cases_without_sentences, 0)
  })
})

describe("the development sentences of the verifier", () => {
  const cases = new Map(casesOf(Schema.decodeUnknownSync(BenchFile)(dev)).map((bench) => [bench.id, bench]))
  for (const item of sentences.items)
    it(`${item.expect}s ${item.id}: ${item.reason}`, () => {
      const bench = cases.get(item.case)
      assert.isDefined(bench)
      if (bench === undefined) return
      assert.strictEqual(verdictOn(bench, item.sentence).length === 0 ? "accept" : "reject", item.expect)
    })
})
