// What a headline states, without knowing its kind: which of its words tell of something done, and which way they lean.
// Words of price, sentiment, forecast and opinion tell of nothing done, however many there are.
import words from "./data/words.json" with { type: "json" }
import { hasClass, type Token, tokenize } from "./Tokens.ts"

const SAYS_NOTHING = words.saysNothing.split(" ")

/** Whether a word states something: no figure, filler or word of the price. */
export const isContent = ({ names, word }: Token): boolean =>
  word.length > 1 && !SAYS_NOTHING.some((name) => names.has(name)) && !(names.has("NUM") && !names.has("AMOUNT"))

/** Classes that say by themselves what a report is about: "hands over" and "steps down" are one. */
const CONCEPTS: ReadonlySet<string> = new Set(words.concepts.split(" "))

/** How many different words of a masked text state something. */
export const statedIn = (text: string): number =>
  new Set(
    tokenize(text)
      .filter(isContent)
      .map(({ lemma }) => lemma)
  ).size

/** Whether a text is about futures, margin, lending and the like, which exchanges announce every day. */
export const isDerivative = (text: string): boolean => hasClass(text, ["DERIV"])

const GENERAL: ReadonlyArray<string> = words.general.split(" ")

/** Of these, those that need no second one. */
export const EVENTS: ReadonlyArray<string> = [...CONCEPTS].filter((name) => !GENERAL.includes(name))

/** Whether a text has a word that says by itself what happened, or two that say it together. */
export const namesConcept = (text: string): boolean => {
  const tokens = tokenize(text)
  return (
    tokens.some(({ names }) => EVENTS.some((name) => names.has(name))) ||
    tokens.filter(({ names }) => GENERAL.some((name) => names.has(name))).length > 1
  )
}

const BAD = words.bad.split(" ")

/** Whether a text has a word of bad news, and none of its repair. */
export const isBadNews = (text: string): boolean => hasClass(text, BAD) && !hasClass(text, ["REPAIR"])

/** A headline that asks and then tells, "Could X be next? X dives as …", without its question. */
export const afterQuestion = (title: string): string => {
  if (!title.includes("?")) return title
  const rest = title.slice(title.lastIndexOf("?") + 1)
  return statedIn(rest) > 1 ? rest : title
}

/** Whether a reason is more than what prices and traders did. */
export const isReason = (reason: string): boolean =>
  statedIn(reason) > 0 && (!hasClass(reason, ["TRADERS"]) || hasClass(reason, ["AMOUNT"]))
