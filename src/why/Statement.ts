// What a headline states, without knowing its kind: which of its words tell of something done, and which way they lean.
// Words of price, sentiment, forecast and opinion tell of nothing done, however many there are.
import { isOrdinary } from "./CoinNames.ts"
import words from "./data/words.json" with { type: "json" }
import { hasClass, type Token, tokenize } from "./Tokens.ts"

const SAYS_NOTHING = words.saysNothing.split(" ")

const isContent = ({ classes, word }: Token): boolean =>
  word.length > 1 && !SAYS_NOTHING.some((name) => classes.has(name)) && !(classes.has("NUM") && !classes.has("AMOUNT"))

/** Classes that say by themselves what a report is about: "hands over" and "steps down" are one. */
const CONCEPTS: ReadonlySet<string> = new Set(words.concepts.split(" "))

/** Words are the same here that begin alike: "grants" and "granting". */
const STEM = 5

const AMOUNT = /^[$€£]?([\d.,]+?)\.?(k|mm|mn|m|bn|b)?$/

/** An amount in one spelling: "$800M" and "800 million" are `800m`. */
const amountOf = (word: string, next: string | undefined): string => {
  const [, digits = "", unit = next?.charAt(0) ?? ""] = AMOUNT.exec(word) ?? []
  return `${digits.replaceAll(",", "")}${unit.charAt(0)}`
}

/** The words of a text that state something, by their stems, each with what another text may have of it. */
export type Content = ReadonlyMap<string, ReadonlyArray<string>>

const NONE: ReadonlyArray<string> = []

/** Most words are of no class. */
const conceptsOf = (classes: ReadonlySet<string>): ReadonlyArray<string> =>
  classes.size === 0 ? NONE : [...classes].filter((name) => CONCEPTS.has(name)).map((name) => `=${name}`)

/** The content of a masked text. Words are compared by what they mean, else by how they begin; names are in capitals. */
export const contentOf = (text: string): Content => {
  const content = new Map<string, ReadonlyArray<string>>()
  const tokens = tokenize(text)
  tokens.forEach((token, at) => {
    if (!isContent(token) || token.classes.has("AMOUNTWORD")) return
    const stem = token.classes.has("AMOUNT")
      ? amountOf(token.word, tokens[at + 1]?.word)
      : isName(token)
        ? token.lemma.slice(0, STEM).toUpperCase()
        : token.lemma.slice(0, STEM)
    const concepts = conceptsOf(token.classes)
    content.set(stem, concepts.length > 0 ? concepts : [stem])
  })
  return content
}

/** A word that no dictionary has is a name; so is that of an investor. */
const isName = ({ classes, lemma, word }: Token): boolean =>
  classes.has("BACKER") || ((classes.size === 0 || classes.has("BIG")) && !isOrdinary(word) && !isOrdinary(lemma))

/** All that a content has for others to share. */
export const meansIn = (content: Content): ReadonlySet<string> => new Set([...content.values()].flat())

/** How much a content shares with the means of another, and how many names: an amount or a name counts for two words. */
export const sharedWith = (
  a: Content,
  held: ReadonlySet<string>
): { readonly weight: number; readonly names: number } => {
  const common = [...new Set([...a.values()].flatMap((means) => means.find((one) => held.has(one)) ?? []))]
  const names = common.filter((one) => /^[A-Z]/.test(one)).length
  return { names, weight: common.length + names + common.filter((one) => /^\d/.test(one)).length }
}

/** Whether a text is about futures, margin, lending and the like, which exchanges announce every day. */
export const isDerivative = (text: string): boolean => hasClass(text, ["DERIV"])

/** Whether a text names someone whose acts move markets: a large company, a government, an authority, a court. */
export const namesInstitution = (text: string): boolean => hasClass(text, ["BIG", "GOV", "REG", "COURT", "PUBLICCO"])

/** Whether a word is a term of the trade: "NFT", "DEX". */
export const isJargon = (word: string): boolean => hasClass(word.toLowerCase(), ["JARGON", "SECTORWORD"])

const GENERAL: ReadonlyArray<string> = words.general.split(" ")

const EVENTS: ReadonlyArray<string> = [...CONCEPTS].filter((name) => !GENERAL.includes(name))

/** Whether a text has a word that says by itself what happened, or two that say it together. */
export const namesConcept = (text: string): boolean => {
  const tokens = tokenize(text)
  return (
    tokens.some(({ classes }) => EVENTS.some((name) => classes.has(name))) ||
    tokens.filter(({ classes }) => GENERAL.some((name) => classes.has(name))).length > 1
  )
}

const BAD = words.bad.split(" ")

/** Whether a text has a word of bad news, and none of its repair. */
export const isBadNews = (text: string): boolean => hasClass(text, BAD) && !hasClass(text, ["REPAIR"])

const OF_MARKET = ["OILDOLLAR", "INFLATION", "RATES", "MACRO", "MARKETWORD", "SECTORWORD", "TRADERS", "PRICEWORD"]

/** Whether a reason begins with a word of the market, a sector, traders or the price: "as AI names find buyers". */
export const isOfMarket = (reason: string): boolean => {
  const first = tokenize(reason).find(
    ({ classes }) => !classes.has("FILLER") || OF_MARKET.some((name) => classes.has(name))
  )
  return first !== undefined && OF_MARKET.some((name) => first.classes.has(name))
}

/** A headline that asks and then tells, "Could X be next? X dives as …", without its question. */
export const afterQuestion = (title: string): string => {
  if (!title.includes("?")) return title
  const told = title.slice(title.lastIndexOf("?") + 1)
  return contentOf(told).size > 1 ? told : title
}
