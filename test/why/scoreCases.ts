// Scores the engine on cases with the copied scorer, as a judge does: over files, in a process of its own.
import { Schema } from "effect"
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { fileURLToPath } from "node:url"
import { type Explained, explain } from "../../src/why/Explain.ts"
import { BenchFile, casesOf, citedItems, inputOf, predictionOf } from "../../build/why/BenchCase.ts"
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

/** All that an explanation and the scores behind it say, in a line. */
const toldIn = (id: string, explained: Explained): string => {
  const { analysis, explanation } = explained
  const { confidence, coverage, decomposition, drivers, headline, summary, verdict } = explanation
  const items = citedItems(explained)
  const of = (citations: ReadonlyArray<string>) => citations.map((one) => items.get(one) ?? one).join(" ")
  return [
    `${id}: ${verdict}, confidence ${confidence.score}, linked ${coverage.items_linked}, ${Object.values(decomposition).join(" ")}`,
    ...drivers.map(
      ({ citations, confidence: level, direction, kind, minutes_after_onset, publishers, role }) =>
        `${role} ${kind} ${direction} ${level} by ${publishers} after ${minutes_after_onset} min: ${of(citations)}`
    ),
    ...analysis.scored.flatMap(({ entry, link, report }) =>
      report === null ? [] : `${entry.item.id} ${report.kind} ${report.score.toFixed(3)} linked ${link.toFixed(2)}`
    ),
    headline,
    summary
  ].join(" | ")
}

/** The engine over a file of cases with gold answers: its score, the sentences that fail a check, and all it says. */
export const scoreCases = (file: unknown) => {
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
      unsound: explained.flatMap(({ input, one }) => unsoundIn(input, one)),
      told: explained.map(({ id, one }) => toldIn(id, one))
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
