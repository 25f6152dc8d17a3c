// Scores the engine on cases with the copied scorer, as a judge does: over files, in a process of its own.
import { Schema } from "effect"
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { fileURLToPath } from "node:url"
import { explain } from "../../src/why/Explain.ts"
import { BenchFile, casesOf, inputOf, predictionOf } from "../../build/why/BenchCase.ts"
import { unsoundIn } from "./SentenceCheck.ts"

const scorer = fileURLToPath(new URL("../../build/why/score.mjs", import.meta.url))

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

/** The engine over a file of cases with gold answers: its score, and the sentences that fail a check. */
export const scoreCases = (
  file: unknown
): { readonly score: typeof Score.Type; readonly unsound: ReadonlyArray<string> } => {
  const cases = casesOf(Schema.decodeUnknownSync(BenchFile)(file))
  const explained = cases.map((bench) => {
    const input = inputOf(bench)
    return { id: bench.id, input, one: explain(input) }
  })
  const predictions = Object.fromEntries(explained.map(({ id, one }) => [id, predictionOf(one)]))
  const folder = mkdtempSync(`${tmpdir()}/why-bench-`)
  try {
    writeFileSync(`${folder}/cases.json`, JSON.stringify(file))
    writeFileSync(`${folder}/predictions.json`, JSON.stringify(predictions))
    const out = execFileSync("node", [scorer, `${folder}/cases.json`, `${folder}/predictions.json`], {
      encoding: "utf8"
    })
    return {
      score: Schema.decodeSync(Score)(out),
      unsound: explained.flatMap(({ input, one }) => unsoundIn(input, one))
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
