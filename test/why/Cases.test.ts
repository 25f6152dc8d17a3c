// The engine over whole cases: the development cases of why-bench and our own, on other coins, events and wording. No
// score here is blind any more; what each set scored before the rules were changed for it stands beside it. Gates only
// hold what has been won. What the engine says of each case is recorded beside them: `npx vitest run test/why/Cases.test.ts -u`
// records it anew where a change is meant.
import { assert, describe, expect, it } from "@effect/vitest"
import dev from "../../build/why/bench/dev.json" with { type: "json" }
import dev2 from "../../build/why/bench/dev2.json" with { type: "json" }
import { scoreCases } from "./scoreCases.ts"
import blind from "./cases/blind.json" with { type: "json" }
import blindC from "./cases/blindC.json" with { type: "json" }
import blindE from "./cases/blindE.json" with { type: "json" }
import blindF from "./cases/blindF.json" with { type: "json" }
import blindG from "./cases/blindG.json" with { type: "json" }
import { built } from "./cases/caseBuilder.ts"
import fifth from "./cases/fifth.json" with { type: "json" }
import fourth from "./cases/fourth.json" with { type: "json" }
import second from "./cases/second.json" with { type: "json" }
import secondNone from "./cases/secondNone.json" with { type: "json" }
import third from "./cases/third.json" with { type: "json" }
import tuned from "./cases/tuned.json" with { type: "json" }

interface Gates {
  readonly precision: number
  /** Driver recall and verdict. */
  readonly rest: number
  /** Kind, where it may be lower: an event is told as `other` in words that are not of its kind. */
  readonly kind?: number
  /** The most false catalysts, a share of the cases without a cause. */
  readonly falseCatalysts?: number
  /**
   * Sentences in which the scorer does not find what is there: the number in the name SPX6900, and an ellipsis that is
   * written as three points.
   */
  readonly unsupported?: number
}

const own: Gates = { precision: 0.98, rest: 0.95 }
const blindSets: Gates = { precision: 0.98, rest: 0.85, kind: 0.85, unsupported: 2, falseCatalysts: 0.1 }
const others: Gates = { precision: 0.95, rest: 0.9, falseCatalysts: 0.1 }

const sets: ReadonlyArray<readonly [name: string, file: { readonly cases: ReadonlyArray<unknown> }, gates: Gates]> = [
  ["the development cases of why-bench", dev, { precision: 0.97, rest: 0.95, kind: 0.9 }],
  // Held out until 2026-11-21: recall 0.824, verdict 0.85, precision 1.
  ["the former held-out cases of why-bench", dev2, { precision: 1, rest: 0.95 }],
  ["the half that the rules were tuned on", built(tuned), own],
  // Precision 0.968, recall 0.792, kind 0.947, verdict 0.786, one false catalyst in four.
  ["the half that was blind", built(blind), { ...own, kind: 0.9 }],
  // Precision 1, recall 0.882, kind 1, verdict 0.9, no false catalyst in three.
  ["the third set", built(third), own],
  // By a second engineer: precision 0.947, recall 0.903, kind 1, verdict 0.854, false catalysts 3 of 10.
  [
    "a second engineer's cases with a cause and without",
    { cases: [...built(second).cases, ...built(secondNone).cases] },
    others
  ],
  // Precision 1, recall 0.867, kind 0.923, verdict 0.9, no false catalyst in five.
  ["the second engineer's set after the first repairs", built(fourth), others],
  // Precision 0.875, recall 0.667, verdict 0.8, one false catalyst in four, and one ambiguous item cited.
  ["the second engineer's last set", built(fifth), others],
  // By an author who had not read the engine: precision 0.857, recall 0.529, kind 0.889, verdict 0.705, false catalysts 5 of
  // 10; with a fitted model, before it was read: 0.9, 0.471, 0.938, 0.75, 2 of 10, and 0.912 once the model was fitted to it.
  ["the third blind set, C", blindC, { precision: 0.88, rest: 0.75 }],
  // By three authors who had not read the engine, with a fitted model. Recall, verdict and kind at first: 0.794, 0.886, 0.963;
  // 0.912, 0.932, 0.871; 0.941, 0.955, 0.813; precision 1, no false catalyst in thirty.
  ["the blind set E", blindE, blindSets],
  ["the blind set F", blindF, blindSets],
  ["the blind set G", blindG, blindSets]
]

describe("the engine", () => {
  for (const [name, file, gates] of sets)
    it(`passes the gates, with every sentence sound, and says what is recorded, on ${name}`, async () => {
      const { score, told, unsound } = scoreCases(file)
      assert.deepStrictEqual(unsound, [])
      assert.strictEqual(score.cases, file.cases.length)
      assert.strictEqual(score.missing, 0)
      assert.isAtLeast(score.citation_precision ?? 0, gates.precision)
      assert.isAtLeast(score.driver_recall ?? 0, gates.rest)
      assert.isAtLeast(score.kind_accuracy ?? 0, gates.kind ?? gates.rest)
      assert.isAtLeast(score.verdict_accuracy ?? 0, gates.rest)
      // A set without a case of the kind has no rate.
      for (const rate of ["ambiguity_error", "market_as_coin", "injection_error"] as const)
        assert.strictEqual(score[`${rate}_rate`] ?? 0, 0, rate)
      assert.isAtMost(score.false_catalyst_rate ?? 0, gates.falseCatalysts ?? 0)
      assert.isAtMost(Math.round(score.sentences * (1 - (score.supported_sentence_rate ?? 0))), gates.unsupported ?? 0)
      assert.strictEqual(score.cases_without_sentences, 0)
      await expect(`${told.join("\n")}\n`).toMatchFileSnapshot(`recorded/${name.replaceAll(/\W+/g, "-")}.txt`)
    })
})
