// Words of a text with their base forms and classes. Classes group words by what they mean ("stops, ends, axes" are all
// STOP), so that a frame of classes fits wording that no list of phrases foresaw. Base forms come from the regular
// endings of English, accepted only where a listed word results, and from a list of irregular forms.
import { memoized, rememberEach } from "../domain/rememberEach.ts"
import data from "./data/words.json" with { type: "json" }

/** One word, or several that mean one thing ("flash loan"). */
export interface Token {
  /** As written, in lower case; several words are joined by `_`. */
  readonly word: string
  /** The base form where a class holds the word, else the word. */
  readonly lemma: string
  /** Its possible base forms, the word itself after `=`, and in capitals the classes of the lemma. */
  readonly names: ReadonlySet<string>
  /** Whether a full stop, semicolon or question mark follows. */
  readonly ends: boolean
}

/** A word of the lists. */
interface Entry {
  readonly classes: Set<string>
  /** The phrases that begin with it, the longest first. */
  readonly phrases: Array<{ readonly lemma: string; readonly rest: ReadonlyArray<string> }>
}

const irregular: ReadonlyMap<string, string> = new Map(
  data.irregular.split(" ").map((pair) => {
    const [form = "", base = ""] = pair.split(":")
    return [form, base]
  })
)

const lexicon = memoized((): ReadonlyMap<string, Entry> => {
  const entries = new Map<string, Entry>()
  const entryOf = (word: string): Entry => {
    const entry = entries.get(word) ?? { classes: new Set(), phrases: [] }
    entries.set(word, entry)
    return entry
  }
  for (const [name, list] of Object.entries(data.classes)) {
    for (const lemma of list.split(" ")) {
      const [first = "", ...rest] = lemma.split("_")
      const { classes } = entryOf(lemma)
      if (rest.length > 0 && classes.size === 0) entryOf(first).phrases.push({ lemma, rest })
      classes.add(name)
    }
  }
  for (const { phrases } of entries.values()) phrases.sort((a, b) => b.rest.length - a.rest.length)
  return entries
})

/** The word without its inflection, in every way that English allows; the likeliest first. */
export const basesOf = (word: string): ReadonlyArray<string> => {
  const bases: Array<string> = [word]
  const base = irregular.get(word)
  if (base !== undefined) bases.push(base)
  const add = (stem: string, ...endings: ReadonlyArray<string>): void => {
    for (const ending of endings) bases.push(stem + ending)
    if (endings.includes("") && /([bdfgklmnprtvz])\1$/.test(stem)) bases.push(stem.slice(0, -1))
  }
  if (word.endsWith("ies")) add(word.slice(0, -3), "y")
  if (word.endsWith("s") && !word.endsWith("ss")) add(word.slice(0, -1), "")
  if (word.endsWith("es")) add(word.slice(0, -2), "")
  if (word.endsWith("ves")) add(word.slice(0, -3), "f", "fe")
  if (word.endsWith("ied")) add(word.slice(0, -3), "y")
  if (word.endsWith("ed")) add(word.slice(0, -2), "", "e")
  if (word.endsWith("ing")) add(word.slice(0, -3), "", "e")
  return bases
}

const namesOf = (word: string, lemma: string, bases: Iterable<string>): ReadonlySet<string> => {
  const names = new Set([...bases, `=${word}`, ...(lexicon().get(lemma)?.classes ?? [])])
  if (!/^[$€£]?\d/.test(word)) return names
  names.add("NUM")
  if (/^[$€£]/.test(word)) names.add("MONEY")
  if (/\d(?:k|m|mm|mn|b|bn)$/.test(word)) names.add("AMOUNT")
  if (word.endsWith("%")) names.add("PERCENT")
  return names
}

/** A word, or what is between two sentences. */
const PART =
  /[$€£]?\d[\d,.]*(?:[kmb]n?|mm)?%?|[\p{L}\p{N}@][\p{L}\p{N}@'.]*|[.;?!]["')\]]*(?=\s|$|[$€£]\d|[\p{L}\p{N}@])/gu
const STOP = /^[.;?!]/
const PREFIX = /\b(de|re|un|co|pre|multi)-(?=\p{L})/gu

/** What may trail a word: a possessive, a point or a comma, and the ending of an exchange's address. */
const TRAIL = /(?:'s?|(?<=xxexch)\.com|[.,])+$/

/** A process meets the same words again and again. */
const tokenOf = rememberEach(20_000, (part: string): Token => {
  const word = part.replace(TRAIL, "")
  const bases = basesOf(word)
  const entries = lexicon()
  const lemma =
    bases.find((base) => (entries.get(base)?.classes.size ?? 0) > 0) ?? bases.find((base) => entries.has(base)) ?? word
  // The point of "U.S." ends no sentence.
  const ends = part.indexOf(".") === part.length - 1
  return { word, lemma, names: namesOf(word, lemma, bases), ends }
})

const wordsOf = (text: string): ReadonlyArray<Token> => {
  const words: Array<Token> = []
  const joined = text.includes("-") ? text.replaceAll(PREFIX, "$1") : text
  joined.match(PART)?.forEach((part) => {
    const last = words.at(-1)
    if (!STOP.test(part)) words.push(tokenOf(part))
    else if (last !== undefined) words[words.length - 1] = { ...last, ends: true }
  })
  return words
}

const SCALE = /^(?:thousand|million|billion|trillion)$/

const phraseAt = (words: ReadonlyArray<Token>, at: number): Entry["phrases"][number] | undefined =>
  lexicon()
    .get(words[at]?.lemma ?? "")
    ?.phrases.find(({ rest }) => rest.every((part, n) => words[at + 1 + n]?.names.has(part) === true))

/** Folded lower-case text in tokens. The last texts are remembered: many questions are asked of each. */
export const tokenize = rememberEach(4000, (text: string): ReadonlyArray<Token> => {
  const words = wordsOf(text)
  const tokens: Array<Token> = []
  let next = 0
  words.forEach((token, at) => {
    if (at < next) return
    const phrase = phraseAt(words, at)
    next = at + 1 + (phrase?.rest.length ?? 0)
    const last = words[next - 1] ?? token
    if (phrase !== undefined) {
      const word = words
        .slice(at, next)
        .map((part) => part.word)
        .join("_")
      tokens.push({
        ...last,
        word,
        lemma: phrase.lemma,
        names: namesOf(word, phrase.lemma, [phrase.lemma, ...basesOf(last.word)])
      })
    } else if (token.names.has("NUM") && SCALE.test(words[next]?.word ?? ""))
      tokens.push({ ...token, names: new Set([...token.names, "AMOUNT"]) })
    else tokens.push(token)
  })
  return tokens
})

/** Whether a text has a word of one of these classes. */
export const hasClass = (text: string, classes: ReadonlyArray<string>): boolean =>
  tokenize(text).some((token) => classes.some((name) => token.names.has(name)))
