// The lists of wording as tests of folded lower-case text: regular expressions, each compiled at its first use.
import { Record } from "effect"
import { expressionOf } from "../domain/expressionOf.ts"
import { memoized, rememberEach } from "../domain/rememberEach.ts"
import language from "./data/language.json" with { type: "json" }
import sectors from "./data/sectors.json" with { type: "json" }

/** The masks of the coin, of other coins and of exchanges. */
export const MASKS = { coin: "xxcoin", other: "xxother", exch: "xxexch" } as const

type Test = (text: string) => boolean

/** One test for a list of regular expressions, each compiled by itself: joined, they take several times as long. */
export const matcher = (patterns: ReadonlyArray<string>): Test => {
  const expressions = memoized(() => patterns.map((pattern) => expressionOf(pattern)))
  return (text) => expressions().some((expression) => expression.test(text))
}

/** Where the verbs of the price begin and end: the long lists are compiled once, and other questions build on this. */
const placesOf = (patterns: ReadonlyArray<string>) => {
  const expression = memoized(() => expressionOf(patterns.map((pattern) => `(?:${pattern})`).join("|"), "g"))
  // The same titles are asked about again and again.
  return rememberEach(2000, (text: string): ReadonlyArray<readonly [start: number, end: number]> =>
    [...text.matchAll(expression())].map((match) => [match.index, match.index + match[0].length])
  )
}

const placesOfRise = placesOf(language.up)
const placesOfFall = placesOf(language.down)

/** Where a text has verbs of a move this way: start and end of each. */
export const moveVerbs = (text: string, sign: number): ReadonlyArray<readonly [start: number, end: number]> =>
  (sign > 0 ? placesOfRise : placesOfFall)(text)

const SHORTLY_AFTER_COIN = new RegExp(
  `${MASKS.coin}(?:'s)?(?:\\W+(?:${MASKS.coin}|and \\w+|sees?|saw|massive|huge|strong|tokens?|coins?|prices?|native|shares?|network|dao|memecoin|crypto|more|than|over|as|much|nearly|almost|about|by|has|have|is|are|was|hits?|reach(?:es|ed)?|touch(?:es|ed)?|sets?|at|to|near|an?|its|new|fresh|sharply|briefly|\\d+%|[\\d.]+|today)){0,4}\\W+$`
)

/** Tests of how a report is worded, whatever its kind. */
export const wording = {
  ...Record.map(language.wording, matcher),
  /** Which way a text says that prices went: 1 up, -1 down, 0 where it says neither or both. */
  way: (text: string): number => Number(placesOfRise(text).length > 0) - Number(placesOfFall(text).length > 0),
  moves: (text: string): boolean => placesOfRise(text).length + placesOfFall(text).length > 0
}

/** What a text states, without a question before or after: "X rises as Y - where next?" */
export const withoutQuestion = (text: string): string =>
  text.replace(/^.*\?(?=\s*[^\s|])/, "").replace(/(?<=\S) [-|] (?:(?! [-|] )[^?])*\?$/, "")

const SILENT = expressionOf(`^(?:${language.silent})$`)

/** The words of a text that say what happened, without their endings: no figures, fillers, verbs of the price and names of coins. */
export const saidIn = (text: string): ReadonlyArray<string> => {
  const verbs = [...placesOfRise(text), ...placesOfFall(text)]
  const words = [...text.matchAll(/[a-z][a-z'-]{2,}/g)].filter(
    ({ 0: word, index }) => !SILENT.test(word) && !verbs.some(([start, end]) => index >= start && index < end)
  )
  return words.map(([word]) => stemOf(word))
}

/** A word without its ending, of "drop", "drops", "dropped" and "dropping" the same. */
const stemOf = (word: string): string =>
  word.replace(/(?:'s?|ie[sd]|(?<=[^aeiou])y|e?s|ed|(?<=\w{3})ing|e)$/, "").replace(/([^aeiou])\1$/, "$1")

/** What somebody does, by its stem: the way that it usually pushes. */
const acts = memoized(() => {
  const signed = [language.acts.down, language.acts.either, language.acts.up]
  return new Map(signed.flatMap((verbs, at) => verbs.split(" ").map((verb) => [stemOf(verb), at - 1] as const)))
})

/** Which way what is done in a text pushes, 0 for either; `null` where nobody does anything. */
export const actIn = (text: string): number | null => {
  const signs = [...text.matchAll(/(?<![\w-])[a-z]{2,}/g)].flatMap(([word]) => acts().get(stemOf(word)) ?? [])
  return signs.length === 0 ? null : signs.includes(-1) ? -1 : Math.max(...signs)
}

/** "By" after what was done to the price: no "by 5 %". */
const CONNECTIVE =
  /\b(?:as|after|ahead of|on|following|amid|upon|over|when|once|in (?:the )?wake of|with|in response to|(?:hit|hurt|\w+ed|driven|led|shaken) by)\b(.*)$/

/** What follows "as", "after" and the like; `null` without such a word. */
export const reasonAfter = (text: string): string | null => CONNECTIVE.exec(text)?.[1] ?? null

/** The reason that a headline gives for a move of the coin in this direction, "X falls as …" or "…; X falls"; `null` for none. */
export const reasonIn = (title: string, sign: number): string | null => {
  if (!title.includes(MASKS.coin)) return null
  const verb = moveVerbs(title, sign).find(([start]) => SHORTLY_AFTER_COIN.test(title.slice(0, start)))
  if (verb === undefined) return null
  return reasonAfter(title.slice(verb[1])) ?? /(.+);/.exec(title.slice(0, verb[0]))?.[1] ?? null
}

/** A noun that only follows the name of a coin or chain, at the start of the text. */
export const coinNoun = expressionOf(`^(?:'s)?\\s+(?:${language.coinNoun})\\b`)

/** Words after a name that only describes another project: "X rival Y", "X-like". */
export const ONLY_DESCRIBES =
  /^(?:'s)?[\s-]+(?:rivals?|competitors?|killers?|challengers?|clones?|copycats?|alternatives?|look-?alikes?|offshoots?|spin-?offs?|forks?|(?:(?:chain|network|ecosystem) )?(?:project|dapp|startup)s?|alum\w*|veterans?|style|like|esque)(?!\w)/

const sectorTests: ReadonlyMap<string, Test> = new Map(Object.entries(Record.map(sectors.sectors, matcher)))

/** Whether a text is about the coins of a category. */
export const isAboutSector = (category: string, text: string): boolean => sectorTests.get(category)?.(text) ?? false
