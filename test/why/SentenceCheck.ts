// What every sentence must satisfy (WHY.md §4), checked in tests over all cases and over hostile pools. It is checked
// against what it cites: no sentence says more than its sources, or says it as a cause. Quoted headlines are the source's
// words; everything outside quotes is ours.
import { fold } from "../../src/domain/FoldedText.ts"
import { addressesMachine } from "../../src/domain/PromptInjection.ts"
import { isOrdinary } from "../../src/why/CoinNames.ts"
import type { Explained } from "../../src/why/Explain.ts"
import words from "./sentenceCheck.json" with { type: "json" }
import type { Sentence } from "../../src/domain/Explanation.ts"
import { wording } from "../../src/why/Lexicon.ts"
import type { Onset } from "../../src/why/Onset.ts"
import { isNear, isStated, numbersIn, numberWordsIn } from "./Numbers.ts"
import type { MarketContext } from "../../src/why/MarketFacts.ts"
import { EVIDENCE_HOURS, type Move, type MoverCoin, type WhyInput } from "../../src/why/RunFacts.ts"

/** What a sentence is checked for (WHY.md §4). */
export type Check = "citation" | "number" | "name" | "quote" | "wording" | "direction" | "speculation" | "markup"

/** What a reader finds behind a citation. */
export interface CitedSource {
  readonly kind: "report" | "figure"
  /** A report's title, summary and publisher; a figure's title. */
  readonly text: string
  /** Of a record: the title that this service wrote of its row, without quotation marks. */
  readonly unquoted?: string | undefined
  /** The numbers that a figure states. */
  readonly numbers: ReadonlyArray<number>
}

/** What sentences are about: a coin, its move and the market. */
export interface SentenceSubject {
  readonly coin: Pick<MoverCoin, "id" | "symbol" | "name">
  readonly move: Pick<Move, "changePct">
  readonly market: Pick<MarketContext, "btcChange24h" | "top100MedianChange24h">
}

const notNames: ReadonlySet<string> = new Set(words.notNames)
const INSTITUTION = new RegExp(`\\b(?:${words.institutions.join("|")})\\b`, "g")

/** A sentence has one quote at most, and that may hold quotes itself. */
const QUOTE = /“(.*)”/su
const UP =
  /\b(?:rose|rises|rise|climb(?:s|ed)|gain(?:s|ed)|surg(?:es|ed)|soar(?:s|ed)|jump(?:s|ed)|rall(?:ies|ied)|advanced|higher|up)\b/i
const DOWN =
  /\b(?:fell|falls|fall|drop(?:s|ped)|slid|slides|sank|sinks|plung(?:es|ed)|tumbl(?:es|ed)|crash(?:es|ed)|lost|declin(?:es|ed)|slump(?:s|ed)|lower|down)\b/i
const CAUSE =
  /\b(?:because|due to|caus(?:es|ed)|owing to|thanks to|as a result of|led to|drove|driven by|triggered|sparked)\b/i
const FORECAST_OR_ADVICE =
  /\b(?:will|shall|should|must|ought to|(?:likely|bound|sure|set|poised) to|(?:may|might|could|can) (?:rise|fall|reach|hit|rally|climb|drop|surge|crash|recover|soar)|buy|sell|hold on|accumulate|invest in|price target)\b/i
const HEDGE =
  /\b(?:alleg\w+|unconfirmed|not confirmed|speculat\w+|according|claim\w*|said|says|rumou?r\w*|report(?:s|ed|edly)?)\b/i
const SPECULATION = /\b(?:speculat\w+|rumou?r\w*|theor(?:y|ies)|some users claim|unconfirmed)\b/i
const MARKUP = /<\/?[a-z!?][^<>]*>|https?:|www\.|\[[^\]]*\]\(|&[#a-z0-9]+;|[`{}]|javascript:|\*\*/i
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/u

/** The numbers in which a sentence may say when a report was published: by the clock, and beside the start of the move. */
const timesOf = ({ published_at }: { readonly published_at: string }, onset: Onset): ReadonlyArray<number> => {
  const minutes = Math.abs(Date.parse(published_at) - onset.at) / 60_000
  const clock = published_at.split(/\D+/).map(Number)
  return [...clock, ...(minutes < 90 ? [Math.round(minutes)] : [Math.round(Math.round(minutes) / 60)])]
}

/** What each citation of an explanation stands for. */
const sourcesOf = (input: WhyInput, { analysis, cited }: Explained): ReadonlyMap<string, CitedSource> => {
  const { market, move } = input
  const figure = (text: string, numbers: ReadonlyArray<number | null>): CitedSource => ({
    kind: "figure",
    text,
    numbers: numbers.filter((value) => value !== null)
  })
  const { btcChange24h, ethChange24h, sectors, top100MedianChange24h, top100UpPct, totalCapChange24h } = market
  const { onset } = analysis
  const items = new Set(input.evidence.map(({ id }) => id)).size
  const publishers = new Set(input.evidence.map(({ publisher }) => publisher)).size
  return new Map([
    ...input.evidence.flatMap(
      ({ id, publisher, summary, title, type }): ReadonlyArray<readonly [string, CitedSource]> => {
        const source = cited.get(id)
        return source === undefined
          ? []
          : [
              [
                source.id,
                {
                  kind: "report",
                  text: `${title}. ${summary} ${publisher}`,
                  numbers: timesOf(source, onset),
                  unquoted: type === "incident_record" ? title : undefined
                }
              ]
            ]
      }
    ),
    ["m1", figure("Bitcoin price and 24h change", [btcChange24h, 24])],
    ["m2", figure(`${input.coin.name} price and 24h change`, [move.changePct, move.price, move.volume24h, 24])],
    ["m3", figure("Market breadth", [totalCapChange24h, top100MedianChange24h, top100UpPct, ethChange24h, 100, 24])],
    ["m4", figure("Category performance", [...sectors.map(({ change24h }) => change24h), 24])],
    ["c1", figure("Feeds searched", [items, publishers, EVIDENCE_HOURS])]
  ])
}

/** The sentences of an explanation that fail a check, each with what it fails; empty where all may be shown. */
export const unsoundIn = (input: WhyInput, explained: Explained): ReadonlyArray<string> => {
  const sources = sourcesOf(input, explained)
  return explained.explanation.sentences.flatMap((sentence) =>
    failedChecks(input, sources, sentence).map((check) => `${check}: ${sentence.text}`)
  )
}

/** The checks that a sentence fails, in the order of WHY.md §4; empty when it may be shown. */
export const failedChecks = (
  subject: SentenceSubject,
  sources: ReadonlyMap<string, CitedSource>,
  sentence: Sentence
): ReadonlyArray<Check> => {
  const cited = sentence.citations.flatMap((id) => sources.get(id) ?? [])
  if (cited.length === 0 || cited.length < sentence.citations.length) return ["citation"]
  const text = fold(sentence.text)
  const titles = cited.flatMap(({ unquoted }) => unquoted ?? [])
  const own = fold(titles.reduce((rest, title) => rest.replace(`: ${title}`, " "), sentence.text.replace(QUOTE, " ")))
  const quote = fold(QUOTE.exec(sentence.text)?.[1] ?? "").replace(/(?:…|\.\.\.)$/, "")
  const { id, name, symbol } = subject.coin
  const held = fold(`${cited.map((source) => source.text).join(" ")} ${name} ${symbol} ${id}`)
  const checks: ReadonlyArray<readonly [Check, isFailed: boolean]> = [
    ["number", !areNumbersStated(own, held, cited)],
    ["name", !areNamesHeld(own, held.toLowerCase())],
    ["quote", !held.includes(quote)],
    ["wording", hasBannedWords(own, subject)],
    ["direction", contradictsMove(own, subject)],
    ["speculation", isUnhedged(text, cited)],
    ["markup", MARKUP.test(text) || INVISIBLE.test(sentence.text) || addressesMachine(sentence.text)]
  ]
  return checks.flatMap(([check, isFailed]) => (isFailed ? [check] : []))
}

const areNumbersStated = (own: string, held: string, cited: ReadonlyArray<CitedSource>): boolean => {
  const stated = numbersIn(held)
  const figures = cited.flatMap(({ numbers }) => numbers)
  const isFigure = (value: number): boolean => figures.some((figure) => isNear(value, figure))
  return (
    numbersIn(own).every((claim) => isStated(claim, stated) || isFigure(claim.value)) &&
    numberWordsIn(own).every((value) => numberWordsIn(held).includes(value) || isFigure(value))
  )
}

/** Whether every capitalised name, and every known institution, stands in the cited text (`held`, in lower case). */
const areNamesHeld = (own: string, held: string): boolean => {
  if ([...own.matchAll(INSTITUTION)].some(([name]) => !held.includes(name.toLowerCase()))) return false
  const parts = own.split(/\s+/)
  return parts.every((part, at) => {
    const name = part.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}.]+$/gu, "").replace(/(?:'s|\.)$/, "")
    if (!/^\p{Lu}[\p{L}\p{N}.&-]{2,}$/u.test(name) || notNames.has(name.toLowerCase())) return true
    const startsSentence = at === 0 || /[.!?:]$/.test(parts[at - 1] ?? "")
    return (startsSentence && isOrdinary(name)) || held.includes(name.toLowerCase())
  })
}

const LETTER = /[\p{L}\p{N}]/u

/** Where a name next stands in a text as words of its own; -1 for nowhere. */
const placeOf = (text: string, name: string, from = 0): number => {
  if (name === "") return -1
  let at = text.indexOf(name, from)
  while (at >= 0 && (LETTER.test(text[at - 1] ?? "") || LETTER.test(text[at + name.length] ?? "")))
    at = text.indexOf(name, at + 1)
  return at
}

/** The text without the names of the coin: a coin may be called by a word that is banned. */
const withoutCoin = (own: string, { coin }: SentenceSubject): string => {
  let text = own
  for (const name of [fold(coin.name), fold(coin.symbol).toUpperCase()])
    for (let at = placeOf(text, name); at >= 0; at = placeOf(text, name, at))
      text = `${text.slice(0, at)} ${text.slice(at + name.length)}`
  return text
}

const hasBannedWords = (own: string, subject: SentenceSubject): boolean => {
  const rest = withoutCoin(own, subject)
  return CAUSE.test(rest) || FORECAST_OR_ADVICE.test(rest)
}

const contradictsMove = (own: string, subject: SentenceSubject): boolean => {
  const { coin, market, move } = subject
  // The name of a coin may hold another's: "Bitcoin Cash".
  const rest = withoutCoin(own, subject)
  return (
    [
      [own, [coin.symbol, coin.name], move.changePct],
      [rest, coin.id === "bitcoin" ? [] : ["bitcoin"], market.btcChange24h],
      [rest, ["median"], market.top100MedianChange24h]
    ] as const
  ).some(([text, names, actual]) => {
    if (actual === null || Math.abs(actual) < 0.05) return false
    const told = directionOf(clauseAbout(text, names))
    return told !== 0 && told !== Math.sign(actual)
  })
}

const clauseAbout = (own: string, names: ReadonlyArray<string>): string =>
  own
    .split(/\b(?:while|against|but|and|compared|whereas)\b|[,;:]/i)
    .find((clause) => names.some((name) => placeOf(clause.toLowerCase(), fold(name).toLowerCase()) >= 0)) ?? ""

/** 1 up, -1 down, 0 where a clause says neither or both. */
const directionOf = (clause: string): number => (UP.test(clause) ? 1 : 0) - (DOWN.test(clause) ? 1 : 0)

const isUnhedged = (text: string, cited: ReadonlyArray<CitedSource>): boolean => {
  const told = fold(cited.flatMap((source) => (source.kind === "report" ? [source.text] : [])).join(" "))
  return (SPECULATION.test(told) || wording.speculation(told.toLowerCase())) && !HEDGE.test(text)
}
