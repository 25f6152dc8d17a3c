// The items of the seen cases as examples: headlines and, with less weight, summaries of what moved the coin, and of what
// came with the move and did not.
import { Schema } from "effect"
import { masked } from "../../../src/why/Scanning.ts"
import { readPool } from "../../../src/why/Pool.ts"
import { link } from "../../../src/why/Linking.ts"
import { allCases } from "../allCases.ts"
import blindC from "../cases/blindC.json" with { type: "json" }
import { BenchFile, casesOf, inputOf } from "../BenchCase.ts"
import type { Example } from "./fit.ts"

const EVENTS: ReadonlySet<string> = new Set(["driver", "driver_dup", "support"])
const NONE: ReadonlySet<string> = new Set(["immaterial", "context_coin", "rumour", "price_report"])

const SUMMARY_WEIGHT = 0.3
const SHORTEST_SUMMARY = 30

const Gold = Schema.Struct({
  cases: Schema.Array(
    Schema.Struct({ id: Schema.String, gold: Schema.Struct({ labels: Schema.Record(Schema.String, Schema.String) }) })
  )
})

/** The labelled texts of every seen case. */
export const labelledTexts = (
  file: unknown = { cases: [...allCases.cases, ...blindC.cases] }
): ReadonlyArray<Example> => {
  const labels = new Map(Schema.decodeUnknownSync(Gold)(file).cases.map(({ gold, id }) => [id, gold.labels]))
  return casesOf(Schema.decodeUnknownSync(BenchFile)(file)).flatMap((bench) => {
    const input = inputOf(bench)
    const { coin, move } = input
    return readPool(input.evidence, [coin]).flatMap((entry): ReadonlyArray<Example> => {
      const label = labels.get(bench.id)?.[entry.item.id] ?? ""
      if (!(EVENTS.has(label) || NONE.has(label)) || link(entry.scanned, coin).strength === 0) return []
      const outlook = EVENTS.has(label) ? (move.changePct >= 0 ? 1 : 2) : 0
      const summary = masked(entry.scanned.summary, coin.id)
      return [
        { text: masked(entry.scanned.title, coin.id), outlook, weight: 1 },
        ...(summary.length > SHORTEST_SUMMARY ? [{ text: summary, outlook, weight: SUMMARY_WEIGHT } as const] : [])
      ]
    })
  })
}
