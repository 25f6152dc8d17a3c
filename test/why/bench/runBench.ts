// Scores the engine on cases with the copied scorer, as a judge does: over files and a process of its own.
import { Schema } from "effect"
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { fileURLToPath } from "node:url"
import { BenchFile, casesOf, predict } from "../BenchCase.ts"

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
    cases_without_sentences: Schema.Finite
  })
)

/** The score of the engine on a file of cases, gold answers included. */
export const scoreOf = (file: unknown): typeof Score.Type => {
  const cases = casesOf(Schema.decodeUnknownSync(BenchFile)(file))
  const predictions = Object.fromEntries(cases.map((bench) => [bench.id, predict(bench)]))
  const folder = mkdtempSync(`${tmpdir()}/why-bench-`)
  try {
    writeFileSync(`${folder}/cases.json`, JSON.stringify(file))
    writeFileSync(`${folder}/predictions.json`, JSON.stringify(predictions))
    const out = execFileSync("node", [scorer, `${folder}/cases.json`, `${folder}/predictions.json`], {
      encoding: "utf8"
    })
    return Schema.decodeSync(Score)(out)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
