// The explanation as it is shown: the engine's, with an accepted draft in place of its text. What the draft has no say in stays
// as the engine left it; confidence only ever goes down.
import type { Citation, Driver, Explanation, Level, Sentence, Status, Verdict } from "../why/Explanation.ts"
import type { RewordingMaterial } from "./RewordingMaterial.ts"
import type { Accepted } from "./RewordingRules.ts"

const statuses: Readonly<Record<Verdict, Status>> = {
  coin_specific: "explained",
  sector: "sector",
  market_wide: "market_wide",
  unexplained: "unexplained"
}

/** The explanation in the model's words. */
export const reworded = (accepted: Accepted, material: RewordingMaterial): Explanation => {
  const { drivers, headline, sentences, verdict } = accepted
  const { explanation } = material
  const watch = explanation.watch.filter(({ citations }) => isKept(citations, accepted, material))
  const citations = numbered([...sentences, ...drivers, ...watch], material)
  return {
    ...explanation,
    status: statuses[verdict],
    verdict,
    headline,
    summary: marked(sentences, citations),
    sentences,
    drivers,
    watch,
    confidence: confidenceOf(accepted, explanation),
    citations
  }
}

/** What is ahead is told as long as no dropped driver was its source. */
const isKept = (ids: ReadonlyArray<string>, { drivers }: Accepted, { explanation }: RewordingMaterial): boolean => {
  const kept = new Set(drivers.flatMap(({ citations }) => citations))
  return ids.every((id) => kept.has(id) || !explanation.drivers.some(({ citations }) => citations.includes(id)))
}

/** Every source cited, numbered by first use. */
const numbered = (
  users: ReadonlyArray<{ readonly citations: ReadonlyArray<string> }>,
  { explanation, sources }: RewordingMaterial
): ReadonlyArray<Citation> => {
  const known = new Map<string, Omit<Citation, "n">>(
    [...explanation.citations, ...sources.map(({ citation }) => citation)].map((citation) => [citation.id, citation])
  )
  const used = new Set(users.flatMap(({ citations }) => citations))
  return [...used].flatMap((id) => known.get(id) ?? []).map((citation, index) => ({ ...citation, n: index + 1 }))
}

const marked = (sentences: ReadonlyArray<Sentence>, citations: ReadonlyArray<Citation>): string => {
  const numbers = new Map(citations.map(({ id, n }) => [id, n]))
  return sentences
    .map(({ citations, text }) => `${text} ${citations.map((id) => `[${numbers.get(id)}]`).join("")}`)
    .join(" ")
}

const levels = ["low", "medium", "high"] as const satisfies ReadonlyArray<Level>

/** The highest score that a level has. */
const tops: Readonly<Record<Level, number>> = { low: 0.49, medium: 0.74, high: 1 }

/** The engine's, unless the draft leads with something the engine is less sure of. */
const confidenceOf = ({ drivers, verdict }: Accepted, explanation: Explanation): Explanation["confidence"] => {
  const { level, score } = explanation.confidence
  const lead = causeOf(drivers)
  const engines = causeOf(explanation.drivers)
  if (verdict === explanation.verdict && lead?.summary === engines?.summary && lead?.kind === engines?.kind) {
    return explanation.confidence
  }
  const cap = verdict === explanation.verdict && lead !== undefined ? lead.confidence : "low"
  const lower = levels[Math.min(levels.indexOf(level), levels.indexOf(cap))] ?? "low"
  return {
    level: lower,
    score: Math.min(score, tops[lower]),
    reasons: ["chosen by the language model among the evidence"]
  }
}

const causeOf = (drivers: ReadonlyArray<Driver>): Driver | undefined => drivers.find(({ role }) => role === "cause")
