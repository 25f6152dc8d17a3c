// Scores the engine on cases with the copied scorer, as a judge does: over files, in a process of its own.
import { Schema } from "effect"
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { fileURLToPath } from "node:url"
import { explain } from "../../../src/why/Explain.ts"
import type { LeftOut } from "../../../src/why/Sentences.ts"
import { BenchFile, casesOf, inputOf, predictionOf } from "../BenchCase.ts"

const scorer = fileURLToPath(new URL("score.mjs", import.meta.url))

const Rate = Schema.NullOr(Schema.Finite)

const Score = Schema.fromJsonString(
  Schema.Struct({
    cases: Schema.Finite,
    missing: Schema.Finite,
    verdict_accuracy: Rate,
    driver_recall: Rate,
    kind_accuracy: Rate,
    citation_precision: Rate,
    false_catalyst_rate: Rate,
    market_as_coin_rate: Rate,
    missed_catalyst_rate: Rate,
    ambiguity_error_rate: Rate,
    injection_error_rate: Rate,
    supported_sentence_rate: Rate,
    sentences: Schema.Finite,
    cases_without_sentences: Schema.Finite
  })
)

/** The engine over a file of cases with gold answers: its score, and the sentences that it left out. */
export const scoreCases = (
  file: unknown
): { readonly score: typeof Score.Type; readonly leftOut: ReadonlyArray<LeftOut> } => {
  const cases = casesOf(Schema.decodeUnknownSync(BenchFile)(file))
  const explained = cases.map((bench) => [bench.id, explain(inputOf(bench))] as const)
  const predictions = Object.fromEntries(explained.map(([id, one]) => [id, predictionOf(one)]))
  const folder = mkdtempSync(`${tmpdir()}/why-bench-`)
  try {
    writeFileSync(`${folder}/cases.json`, JSON.stringify(file))
    writeFileSync(`${folder}/predictions.json`, JSON.stringify(predictions))
    const out = execFileSync("node", [scorer, `${folder}/cases.json`, `${folder}/predictions.json`], {
      encoding: "utf8"
    })
    return { score: Schema.decodeSync(Score)(out), leftOut: explained.flatMap(([, { leftOut }]) => leftOut) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
