// How the engine judged each item of a case, in lines: `why:eval FILE --explain CASE`.
import { DateTime } from "effect"
import { explain } from "../../src/why/Explain.ts"
import { isInjection } from "../../src/why/Junk.ts"
import { readPool } from "../../src/why/Pool.ts"
import { DRIVER_THRESHOLD, type ScoredItem } from "../../src/why/Scoring.ts"
import { EVIDENCE_HOURS, type WhyInput } from "../../src/why/RunFacts.ts"

const HOUR = 3_600_000

/** The verdict with its parts, then each item: when, from whom, how it was read, and why it was cited or not. */
export const explainCase = (id: string, input: WhyInput): string => {
  const { analysis, explanation } = explain(input)
  const { onset, parts, scored, verdict } = analysis
  const cited = new Set(analysis.events.flatMap(({ reports }) => reports.map(({ entry }) => entry.item.id)))
  const percent = (share: number): string => `${Math.round(share * 100)} %`
  const head = [
    `${id}: ${input.coin.name} (${input.coin.symbol}) ${input.move.changePct} %: ${verdict}`,
    `market ${percent(parts.shareMarket)}, sector ${percent(parts.shareSector)} (${parts.sectorId ?? "none"}), coin ${percent(parts.shareCoin)}`,
    `onset ${DateTime.formatIso(DateTime.makeUnsafe(onset.at))}${onset.sharp ? ", sharp" : ""}${onset.known ? "" : ", not known"}`,
    ...explanation.drivers.map(({ kind, role, confidence }) => `${role}: ${kind}, ${confidence} confidence`)
  ]
  const lines = scored.map((one) => {
    const hours = ((one.entry.at - onset.at) / HOUR).toFixed(1)
    const { id, publisher, tier, title } = one.entry.item
    return `${id} ${hours} h ${publisher} (${tier}) ${cited.has(id) ? "CITED" : whyNot(one)} | ${title}`
  })
  const judged = new Set(scored.map(({ entry }) => entry.item.id))
  const now = DateTime.toEpochMillis(input.asOf)
  const others = readPool(input.evidence, [input.coin]).items.flatMap((entry) => {
    const { id, publisher, title } = entry.item
    if (judged.has(id)) return []
    const isInside = entry.at <= now && entry.at >= now - EVIDENCE_HOURS * HOUR
    const why = isInside ? "not about the coin" : "outside the window of time"
    return [`${id} ${publisher} ${why} | ${title}`]
  })
  return [...head, ...lines, ...others].join("\n")
}

const whyNot = ({ entry, junk, link, report }: ScoredItem): string => {
  if (isInjection(entry.item)) return "addresses a machine"
  if (link === 0) return "the word, not the coin"
  if (junk) return "junk"
  if (report === null) return `link ${link.toFixed(2)}, no event, routine or a rumour`
  const why = report.score < DRIVER_THRESHOLD ? "too low" : "another event leads"
  return `link ${link.toFixed(2)}, ${report.kind} ${report.score.toFixed(2)} (${why})`
}
