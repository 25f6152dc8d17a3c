// Decides whether a model's sentence may be shown (WHY.md §4): nine checks against what it cites, and the three of Polarity. It
// knows nothing of the model; a sentence that fails is dropped, whoever wrote it.
import { DateTime } from "effect"
import type { Explained } from "./Explain.ts"
import type { Sentence } from "./Explanation.ts"
import vocabulary from "./data/verifierWords.json" with { type: "json" }
import { isOrdinary } from "./CoinNames.ts"
import { junkTests, wording } from "./Lexicon.ts"
import { isNear, isStated, monthsIn, numbersIn, numberWordsIn } from "./Numbers.ts"
import { contradiction } from "./ContradictionCheck.ts"
import { clean, fold } from "./Text.ts"
import type { WhyInput } from "./WhyInput.ts"

/** Something a sentence may cite. */
export interface VerifierSource {
  readonly kind: "item" | "figure" | "coverage"
  /** What it says; empty for figures. */
  readonly text: string
  readonly numbers: ReadonlyArray<number>
}

/** What sentences are judged by. */
export interface VerifierContext {
  readonly coin: { readonly id: string; readonly symbol: string; readonly name: string }
  readonly changePct: number
  readonly btcChange: number | null
  readonly medianChange: number | null
  /** Only what was handed to the model: junk never is. */
  readonly sources: ReadonlyMap<string, VerifierSource>
}

/** The check that a sentence failed, and how. */
export interface Failure {
  readonly check:
    | "citation"
    | "number"
    | "name"
    | "quote"
    | "content"
    | "wording"
    | "direction"
    | "speculation"
    | "markup"
    | "polarity"
  readonly detail: string
}

const stem5 = (word: string): string => word.slice(0, 5)
const stop: ReadonlySet<string> = new Set(vocabulary.stop)
const common: ReadonlySet<string> = new Set(vocabulary.common)
const frame: ReadonlySet<string> = new Set(vocabulary.frame.map(stem5))
const figureWords: ReadonlySet<string> = new Set(vocabulary.figures.map(stem5))
const searchWords: ReadonlySet<string> = new Set(vocabulary.search.map(stem5))
const INSTITUTION = new RegExp(`\\b(?:${vocabulary.institutions.join("|")})\\b`, "g")

const UP =
  /\b(?:rose|rises|rise|climb(?:s|ed)|gain(?:s|ed)|surg(?:es|ed)|soar(?:s|ed)|jump(?:s|ed)|rall(?:ies|ied)|advanced|higher|up)\b/i
const DOWN =
  /\b(?:fell|falls|fall|drop(?:s|ped)|slid|slides|sank|sinks|plung(?:es|ed)|tumbl(?:es|ed)|crash(?:es|ed)|lost|declin(?:es|ed)|slump(?:s|ed)|lower|down)\b/i
const CAUSAL =
  /\b(?:because|due to|caused|causes|owing to|thanks to|as a result of|led to|drove|driven by|triggered|sparked|sent)\b/i
const MOVES =
  /\b(?:price|token|coin|rose|rises|climb\w*|gain\w*|surg\w+|soar\w*|jump\w*|rall\w+|fell|falls|drop\w*|slid\w*|sank|plung\w+|tumbl\w+|crash\w*|slump\w*|lower|higher|move[sd]?)\b/i
const ADVICE =
  /\b(?:should|likely to|bound to|sure to|must|ought to|(?:will|may|could|might|can|likely|likely to) (?:(?:likely|probably|soon|certainly|now|then|also) )*(?:rise|fall|reach|hit|rally|climb|drop|surge|crash|recover|soar|test|break|double|continue)|buy now|buy the dip|(?:a|strong) buy|worth buying|sell now|invest in|price target|target of)\b/i
/** A sentence that tells its reader what to do. */
const IMPERATIVE = /^(?:buy|sell|hold|accumulate|avoid|consider)\b/i
const HEDGE =
  /\b(?:alleg\w+|unconfirmed|speculat\w+|according|claim\w*|said|says|rumou?r\w*|not confirmed|reportedly|report(?:s|ed)?)\b/i
const SPECULATION =
  /\b(?:speculat\w+|rumou?r\w*|theor(?:y|ies)|some users claim|none of this is confirmed|unconfirmed)\b/i
const MARKUP = /<[^>]*>|https?:|www\.|\[[^\]]*\]\(|&[#a-z0-9]+;|[`{}]|javascript:|\*\*/i

const failure = (check: Failure["check"], detail: string): Failure => ({ check, detail })

/** What the sentence says apart from its citation marks. */
const body = (text: string): string =>
  text
    .replaceAll(/\[(?:\d+|[emc]\d+)\]/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim()

const differences = (numbers: ReadonlyArray<number>): ReadonlyArray<number> =>
  numbers.flatMap((a, i) => numbers.slice(i + 1).flatMap((b) => [a - b, a + b]))

const numberFault = (text: string, item: string, figures: ReadonlyArray<number>): Failure | null => {
  const stated = numbersIn(item)
  const words = [...numberWordsIn(item), ...monthsIn(item)]
  const figured = [...figures, ...figures.map((value) => value * 100), ...differences(figures), 24, 7, 100]
  for (const claim of numbersIn(text)) {
    if (isStated(claim, stated) || (claim.unit === null && words.some((value) => value === claim.value))) continue
    if (figures.length > 0 && figured.some((value) => isNear(claim.value, value))) continue
    return failure("number", String(claim.value))
  }
  for (const value of numberWordsIn(text)) {
    if (
      words.includes(value) ||
      stated.some((figure) => figure.value === value) ||
      figures.some((figure) => isNear(value, figure)) ||
      (figures.length > 0 && value === 7)
    )
      continue
    return failure("number", String(value))
  }
  return null
}

const nameFault = (text: string, hay: string): Failure | null => {
  for (const [name] of text.matchAll(INSTITUTION))
    if (!new RegExp(`\\b${name}\\b`, "i").test(hay)) return failure("name", name)
  const parts = text.split(/\s+/)
  for (const [i, part] of parts.entries()) {
    const name = part.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}.]+$/gu, "").replace(/(?:'s|\.)$/, "")
    if (!/^\p{Lu}[\p{L}\p{N}.&-]{2,}$/u.test(name) || stop.has(name.toLowerCase())) continue
    const opens = i === 0 || /[.!?:]["”]?$/.test(parts[i - 1] ?? "")
    if (opens && /^\p{Lu}\p{Ll}+$/u.test(name) && (isOrdinary(name) || name.length <= 4)) continue
    if (!hay.includes(name.toLowerCase())) return failure("name", name)
  }
  return null
}

const contentFault = (text: string, hay: string, kinds: ReadonlySet<VerifierSource["kind"]>): Failure | null => {
  const held = new Set(hay.split(/[^\p{L}\p{N}]+/u).map(stem5))
  const said = (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((word) => word.length > 3 && !/^\d+$/.test(word) && !common.has(word))
    .map(stem5)
    .filter((word) => !frame.has(word))
  const known = said.filter(
    (word) =>
      held.has(word) ||
      (kinds.has("figure") && figureWords.has(word)) ||
      (kinds.has("coverage") && searchWords.has(word))
  )
  return said.length >= 3 && known.length / said.length < 0.5
    ? failure("content", `${known.length} of ${said.length} words`)
    : null
}

const clauseAbout = (text: string, names: ReadonlyArray<string>): string | null => {
  const parts = text.split(/\b(?:while|against|but|and|compared|whereas)\b|[,;]/i)
  return (
    parts.find((part) =>
      names.some((name) =>
        new RegExp(`(?<![\\p{L}\\p{N}])${name.replaceAll(/[^\p{L}\p{N} ]/gu, ".")}(?![\\p{L}\\p{N}])`, "iu").test(part)
      )
    ) ?? null
  )
}

const directionOf = (clause: string | null): number => {
  if (clause === null) return 0
  const up = UP.test(clause)
  const down = DOWN.test(clause)
  return up === down ? 0 : up ? 1 : -1
}

const directionFault = (text: string, context: VerifierContext): Failure | null => {
  const { coin, changePct, btcChange, medianChange } = context
  const checks: ReadonlyArray<readonly [ReadonlyArray<string>, number | null]> = [
    [[coin.symbol, coin.name], changePct],
    [coin.id === "bitcoin" ? [] : ["bitcoin"], btcChange],
    [["median"], medianChange]
  ]
  for (const [names, change] of checks) {
    if (names.length === 0 || change === null || Math.abs(change) < 0.05) continue
    const clause = clauseAbout(text.replaceAll(/[“"][^”"]*[”"]/g, " "), names)
    const told = directionOf(clause)
    // Only a price rises and falls: fees, volumes and rates are not the move.
    if (
      clause !== null &&
      /\b(?:fees?|volumes?|rates?|hash|supply|users?|activity|interest|odds|addresses|burn|revenue|value locked|tvl)\b/i.test(
        clause
      )
    )
      continue
    if (told !== 0 && told !== Math.sign(change)) return failure("direction", names.join(", "))
  }
  return null
}

/** All checks on one sentence; empty when it may be shown. */
export const verifySentence = (context: VerifierContext, sentence: Sentence): ReadonlyArray<Failure> => {
  const cited = sentence.citations.map((id) => context.sources.get(id))
  if (cited.length === 0) return [failure("citation", "none")]
  if (cited.includes(undefined)) return [failure("citation", "unknown or not admitted")]
  const sources = cited.filter((source) => source !== undefined)
  const kinds = new Set(sources.map(({ kind }) => kind))
  const text = fold(body(sentence.text))
  if (
    MARKUP.test(sentence.text) ||
    clean(sentence.text) !== sentence.text.replaceAll(/\s+/g, " ").trim() ||
    junkTests.injection(text.toLowerCase())
  )
    return [failure("markup", "markup, link or instruction")]
  const item = fold(
    sources
      .filter(({ kind }) => kind === "item")
      .map((source) => source.text)
      .join(" \n ")
  )
  const figures = sources.filter(({ kind }) => kind !== "item").flatMap(({ numbers }) => numbers)
  const hay = `${item} ${context.coin.name} ${context.coin.symbol} ${context.coin.id}`.toLowerCase()
  const failures = [
    numberFault(text, item, figures),
    nameFault(text, hay),
    contentFault(text, hay, kinds),
    directionFault(text, context)
  ].filter((found) => found !== null)
  for (const [, quote = ""] of text.matchAll(/"([^"]{4,})"/g))
    if (!hay.includes(quote.toLowerCase().replace(/[.,]$/, ""))) failures.push(failure("quote", quote))
  const unquoted = text.replaceAll(/"[^"]*"/g, " ")
  if (CAUSAL.test(unquoted) && MOVES.test(unquoted) && movesOf(unquoted, context))
    failures.push(failure("wording", "causal"))
  if (ADVICE.test(unquoted) || IMPERATIVE.test(unquoted.trim())) failures.push(failure("wording", "advice or forecast"))
  if (item !== "" && (SPECULATION.test(item) || wording.speculation(item.toLowerCase())) && !HEDGE.test(text))
    failures.push(failure("speculation", "stated as fact"))
  const against = item === "" || kinds.size > 1 ? null : contradiction(text, item)
  if (against !== null) failures.push(failure("polarity", against))
  return failures
}

/** Whether it is the coin that a sentence lets move. */
const movesOf = (text: string, { coin }: VerifierContext): boolean =>
  new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${coin.symbol}|${coin.name.replaceAll(/[^\p{L}\p{N} ]/gu, ".")}|price|token|coin)(?![\\p{L}\\p{N}])`,
    "iu"
  ).test(text) &&
  (UP.test(text) || DOWN.test(text))

/** An answer of a model. */
export interface Answer {
  readonly sentences: ReadonlyArray<Sentence>
  readonly drivers: ReadonlyArray<{ readonly citations: ReadonlyArray<string> }>
}

/** What an answer as a whole lacks: `null` when nothing. Its sentences are judged one by one. */
export const verifyAnswer = (context: VerifierContext, answer: Answer): string | null => {
  if (answer.sentences.length === 0 || answer.sentences.length > 6) return "sentences"
  const cited = new Set(answer.sentences.flatMap(({ citations }) => citations))
  if (answer.drivers.some(({ citations }) => !citations.some((id) => cited.has(id))))
    return "a driver without a sentence"
  const text = answer.sentences
    .map((sentence) => sentence.text)
    .join(" ")
    .toLowerCase()
  return text.includes(context.coin.name.toLowerCase()) || text.includes(context.coin.symbol.toLowerCase())
    ? null
    : "the coin is not named"
}

/**
 * What a model may be shown of a mover, and so cite: figures under their ids, admitted items under `idOf`. Twelve items at most,
 * the best first.
 */
export const contextOf = (input: WhyInput, explained: Explained, idOf: (itemId: string) => string): VerifierContext => {
  const sources = new Map<string, VerifierSource>()
  for (const [id, figure] of explained.figures)
    sources.set(id, { kind: figure.type === "coverage" ? "coverage" : "figure", text: "", numbers: figure.numbers })
  const items = new Map(input.evidence.map((item) => [item.id, item] as const))
  for (const { itemId } of explained.admitted.slice(0, 12)) {
    const item = items.get(itemId)
    if (item === undefined) continue
    const text = `${clean(item.title)}. ${clean(item.summary)} ${clean(item.publisher)} ${DateTime.formatIso(item.publishedAt)}`
    sources.set(idOf(itemId), { kind: "item", text, numbers: [] })
  }
  return {
    coin: { id: input.coin.id, symbol: input.coin.symbol, name: input.coin.name },
    changePct: input.move.changePct,
    btcChange: input.market.btcChange24h,
    medianChange: input.market.top100MedianChange24h,
    sources
  }
}
