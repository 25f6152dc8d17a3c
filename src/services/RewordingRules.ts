// What a model's draft may do. It may word things better, drop and reorder drivers, choose another kind that has evidence, or say
// that nothing explains the move. It adds no evidence, and whatever breaks a rule is named, so that it can be repaired once.
import type { Driver, EventKind, Sentence, Verdict } from "../why/Explanation.ts"
import { type VerifierContext, verifySentence } from "../why/Verifier.ts"
import { type Draft, type FailedCheck, type Fault, MOST_SENTENCES } from "./RewordingDraft.ts"
import { kindRules } from "../why/Lexicon.ts"
import { cut } from "../why/Text.ts"
import type { CitableItem, RewordingMaterial } from "./RewordingMaterial.ts"
import { wordingFaults } from "./RewordingWording.ts"

/** The checks that a sentence fails; none, and it may be shown. */
export type Verify = (context: VerifierContext, sentence: Sentence) => ReadonlyArray<FailedCheck>

/** A draft that keeps every rule, its drivers resolved to what is shown of them. */
export interface Accepted {
  readonly headline: string
  readonly sentences: ReadonlyArray<Sentence>
  readonly drivers: ReadonlyArray<Driver>
  readonly verdict: Verdict
}

/** What came of judging a draft. */
export interface Judgement {
  readonly faults: ReadonlyArray<Fault>
  /** `null` when there are faults. */
  readonly accepted: Accepted | null
}

/** An item of less than this is no cause where the engine found none. */
export const WEAKEST_CAUSE = 0.3

const LONGEST_HEADLINE = 140
const LONGEST_SENTENCE = 400

/** Judges a draft as it is. The engine's own sentences need no verification, as long as their evidence is not dropped. */
export const judge = (draft: Draft, material: RewordingMaterial, verify: Verify = verifySentence): Judgement => {
  const sentences = draft.sentences.map(({ citations, text }) => ({
    text: text.trim(),
    citations: distinct(citations)
  }))
  const drivers = draft.drivers.map((driver) => resolve(driver, material))
  const known = drivers.flatMap((driver) => (driver === null ? [] : [driver]))
  const allowed = citable(known, material)

  /** What is out of shape, and may be of any length, is not read any further. */
  const check = (sentence: Sentence, longest: number): ReadonlyArray<FailedCheck> => {
    const shape = shapeFaults(sentence.text, longest)
    if (shape.length > 0) return shape.map(as("shape"))
    return [...wordingFaults(material, sentence), ...verify(material.context, sentence)]
  }
  const { explanation } = material
  const isEngines = (sentence: Sentence) =>
    explanation.sentences.some(
      ({ citations, text }) => text === sentence.text && citations.join() === sentence.citations.join()
    )
  const leads = draft.verdict === explanation.verdict && known[0]?.summary === explanation.drivers[0]?.summary
  const headlineFaults = (headline: Sentence) => {
    if (headline.text !== explanation.headline) return check(headline, LONGEST_HEADLINE)
    return leads ? [] : [{ check: "evidence", detail: "is the headline of another explanation" }]
  }
  const evidence = ({ citations }: Sentence) =>
    citations.every((id) => allowed.has(id))
      ? []
      : [{ check: "evidence", detail: "cites an item that is no driver's evidence" }]

  const headline = { text: draft.headline.trim(), citations: distinct(sentences.flatMap(({ citations }) => citations)) }
  const parts: ReadonlyArray<Fault> = [
    { part: "headline", failed: headlineFaults(headline) },
    ...sentences.slice(0, MOST_SENTENCES).map((sentence, index) => ({
      part: sentencePart(index),
      failed: [...evidence(sentence), ...(isEngines(sentence) ? [] : check(sentence, LONGEST_SENTENCE))]
    })),
    {
      part: "answer",
      failed: answerFaults({ ...draft, sentences }, drivers, known, material).map(as("answer"))
    }
  ]
  const faults = parts.filter(({ failed }) => failed.length > 0)
  return {
    faults,
    accepted:
      faults.length === 0
        ? {
            headline: headline.text,
            sentences,
            drivers: known.map((driver, index) => ({ ...driver, rank: index + 1 })),
            verdict: draft.verdict
          }
        : null
  }
}

/** The draft without what failed: its sentences, and its headline in favour of the engine's. */
export const withoutFailed = (
  draft: Draft,
  faults: ReadonlyArray<Fault>,
  { explanation }: RewordingMaterial
): Draft => {
  const failed = new Set(faults.map(({ part }) => part))
  return {
    ...draft,
    headline: failed.has("headline") ? explanation.headline : draft.headline,
    sentences: draft.sentences.filter((_, index) => !failed.has(sentencePart(index)))
  }
}

const as =
  (check: string) =>
  (detail: string): FailedCheck => ({ check, detail })

const sentencePart = (index: number) => `sentence ${index + 1}`

const distinct = (ids: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(ids)]

/**
 * What a sentence may cite: all that is no item, the evidence of the draft's drivers, and the items that the engine cites itself,
 * but for those of a driver that was dropped. So no item comes in by a sentence alone.
 */
const citable = (drivers: ReadonlyArray<Driver>, { explanation, sources }: RewordingMaterial): ReadonlySet<string> => {
  const kept = new Set(drivers.flatMap(({ citations }) => citations))
  const dropped = new Set(explanation.drivers.flatMap(({ citations }) => citations.filter((id) => !kept.has(id))))
  const engines = explanation.citations.flatMap(({ id }) => (dropped.has(id) ? [] : [id]))
  return new Set([
    ...sources.flatMap(({ _tag, citation }) => (_tag === "Figure" ? [citation.id] : [])),
    ...engines,
    ...kept
  ])
}

const shapeFaults = (text: string, longest: number): ReadonlyArray<string> => [
  ...(text === "" ? ["is empty"] : []),
  ...(text.length > longest ? [`is longer than ${longest} characters`] : []),
  ...(/[\p{Cc}\p{Cf}\p{Co}]/u.test(text) ? ["has control characters or hidden ones"] : []),
  ...(/\[\s*[emc]?\d+\s*\]/i.test(text) ? ["has citation markers in its text"] : [])
]

const answerFaults = (
  draft: Draft,
  drivers: ReadonlyArray<Driver | null>,
  known: ReadonlyArray<Driver>,
  material: RewordingMaterial
): ReadonlyArray<string> => {
  const { explanation } = material
  const causes = known.filter(({ role }) => role === "cause")
  const most = Math.max(explanation.drivers.length, explanation.verdict === "unexplained" ? 1 : 0)
  const told = draft.sentences.map(({ text }) => text).join(" ")
  const faults: Array<string> = []
  if (draft.sentences.length === 0) faults.push("has no sentence")
  if (draft.sentences.length > MOST_SENTENCES) faults.push(`has more than ${MOST_SENTENCES} sentences`)
  if (!names(told, explanation)) faults.push("does not name the coin")
  if (drivers.includes(null)) faults.push("has a driver without evidence of its kind")
  if (known.length > most) faults.push("has more drivers than the explanation")
  if (new Set(known.map(({ kind }) => kind)).size < known.length) faults.push("has two drivers of a kind")
  if (!verdictAllowed(draft.verdict, explanation.verdict)) faults.push("has a verdict that the evidence does not allow")
  if (draft.verdict === "unexplained" && causes.length > 0) faults.push("is unexplained and has a cause")
  if (draft.verdict === "coin_specific" && causes.length === 0) faults.push("is coin_specific and has no cause")
  for (const [index, { citations }] of draft.drivers.entries()) {
    const said = draft.sentences.some((sentence) => sentence.citations.some((id) => citations.includes(id)))
    if (!said) faults.push(`has no sentence that cites its driver ${index + 1}`)
  }
  return faults
}

const verdictAllowed = (verdict: Verdict, engines: Verdict | null): boolean =>
  verdict === engines || verdict === "unexplained" || (engines === "unexplained" && verdict === "coin_specific")

const names = (text: string, { name, symbol }: { readonly name: string; readonly symbol: string }): boolean =>
  text.toLowerCase().includes(name.toLowerCase()) || text.split(/[^\p{L}\p{N}]+/u).includes(symbol)

/** The driver that is shown: the engine's own of that kind and evidence, or one made of items that have that kind. */
const resolve = (
  { citations, kind }: { readonly kind: string; readonly citations: ReadonlyArray<string> },
  { explanation, sources }: RewordingMaterial
): Driver | null => {
  if (citations.length === 0) return null
  const own = explanation.drivers.find(
    (driver) => driver.kind === kind && citations.every((id) => driver.citations.includes(id))
  )
  if (own !== undefined) return own
  const chosen = kindRules.find((rule) => rule.kind === kind)?.kind
  if (chosen === undefined || wide.has(chosen) !== wide.has(explanation.verdict ?? "")) return null
  const cited = distinct(citations).map((id) => sources.find(({ citation }) => citation.id === id))
  const items = cited.flatMap((source) =>
    source?._tag === "Item" && source.kind === kind && source.score >= WEAKEST_CAUSE ? [source] : []
  )
  return items.length < cited.length ? null : madeOf(chosen, items, explanation)
}

/** Kinds and verdicts that are about more than the coin: the one is no driver without the other. */
const wide: ReadonlySet<string> = new Set(["sector", "macro", "market", "market_wide"])

const madeOf = (
  kind: EventKind,
  items: ReadonlyArray<CitableItem>,
  { decomposition, direction }: RewordingMaterial["explanation"]
): Driver => {
  const [first] = items.toSorted((a, b) => Date.parse(a.citation.published_at) - Date.parse(b.citation.published_at))
  const reported = first?.citation.published_at ?? null
  const minutes =
    reported === null || decomposition.onset_at === null
      ? null
      : Math.round((Date.parse(reported) - Date.parse(decomposition.onset_at)) / 60_000)
  return {
    rank: 1,
    role: "cause",
    kind,
    direction,
    summary: cut(first?.citation.title ?? "", 200),
    first_reported_at: reported,
    minutes_after_onset: minutes,
    publishers: new Set(items.map(({ citation }) => citation.publisher)).size,
    confidence: "low",
    citations: items.map(({ citation }) => citation.id)
  }
}
