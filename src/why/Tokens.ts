// Words of a text with their base forms and classes. Classes group words by what they mean ("stops, ends, axes" are all
// STOP), so that a frame of classes fits wording that no list of phrases foresaw. Base forms come from the regular
// endings of English, accepted only where a listed word results, and from a list of irregular forms.
import { memoized } from "../domain/rememberEach.ts"
import data from "./data/words.json" with { type: "json" }

/** One word, or several that mean one thing ("flash loan"). */
export interface Token {
  /** As written, in lower case; several words are joined by `_`. */
  readonly word: string
  /** The base form where a class holds the word, else the word. */
  readonly lemma: string
  /** What it may be asked for by: those of its base forms, and its `=`form, that were named to {@link askFor}. */
  readonly names: ReadonlyArray<string>
  readonly classes: ReadonlySet<string>
  /** Whether a full stop, semicolon or question mark stands between this word and the next. */
  readonly ends: boolean
}

interface Entry {
  readonly classes: Set<string>
  /** Phrases that begin with this word: their other words. */
  readonly phrases: Array<{ readonly rest: ReadonlyArray<string>; readonly entry: Entry; readonly lemma: string }>
}

const irregular: ReadonlyMap<string, string> = new Map(
  data.irregular.split(" ").map((pair) => {
    const [form = "", base = ""] = pair.split(":")
    return [form, base]
  })
)

const classLists: Readonly<Record<string, string>> = data.classes

const entryOf = (entries: Map<string, Entry>, word: string): Entry => {
  const entry = entries.get(word) ?? { classes: new Set(), phrases: [] }
  entries.set(word, entry)
  return entry
}

const lexicon = memoized((): ReadonlyMap<string, Entry> => {
  const entries = new Map<string, Entry>()
  for (const [name, list] of Object.entries(classLists)) {
    for (const lemma of list.split(" ")) {
      const [first = "", ...rest] = lemma.split("_")
      const entry = entryOf(entries, lemma)
      if (rest.length > 0 && entry.classes.size === 0) entryOf(entries, first).phrases.push({ rest, entry, lemma })
      entry.classes.add(name)
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

const NO_ENTRY: Entry = { classes: new Set(), phrases: [] }

/** A word with what the lists know of it. */
interface Known {
  readonly word: string
  readonly forms: ReadonlyArray<string>
  readonly entry: Entry
  readonly isNumber: boolean
  readonly token: Token
  /** The same word at the end of a sentence; `null` where it is that. */
  readonly ended: Known | null
}

const known = new Map<string, Known | null>()
const recent = new Map<string, ReadonlyArray<Token>>()

const asked = new Set<string>()

/** Names words, in a base form or as `=word`, that texts will be asked for; of other words no text keeps the forms. */
export const askFor = (names: ReadonlyArray<string>): void => {
  for (const name of names) asked.add(name)
  known.clear()
  recent.clear()
}

const askedOf = (word: string, forms: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...forms, `=${word}`].filter((name) => asked.has(name))

/** Looks a match of {@link PART} up, `null` for a stop; a process meets the same words again and again. */
const lookUp = (part: string): Known | null => {
  const held = known.get(part)
  if (held !== undefined) return held
  const found = STOP.test(part) ? null : knownOf(part)
  if (known.size > 20_000) known.clear()
  known.set(part, found)
  return found
}

const knownOf = (part: string): Known => {
  const word = part.replace(TRAIL, "")
  const entries = lexicon()
  const forms = basesOf(word)
  const lemma =
    forms.find((form) => (entries.get(form)?.classes.size ?? 0) > 0) ?? forms.find((form) => entries.has(form)) ?? word
  const entry = entries.get(lemma) ?? NO_ENTRY
  const isNumber = /^[$€£]?\d/.test(word)
  const token = { word, lemma, names: askedOf(word, forms), classes: entry.classes, ends: false }
  const ended = { word, forms, entry, isNumber, token: { ...token, ends: true }, ended: null }
  // The point of "U.S." ends no sentence.
  return part.indexOf(".") === part.length - 1 ? ended : { ...ended, token, ended }
}

/** The classes of a word that is a number. */
const numberClasses = ({ classes: own, word }: Token, next: string | undefined): ReadonlySet<string> => {
  const classes = ["NUM", ...own]
  if (/^[$€£]/.test(word)) classes.push("MONEY")
  if (/\d(?:k|m|mm|mn|b|bn)$/.test(word) || /^(?:thousand|million|billion|trillion)$/.test(next ?? ""))
    classes.push("AMOUNT")
  if (word.endsWith("%")) classes.push("PERCENT")
  return new Set(classes)
}

/** A word, or what stands between two sentences. */
const PART =
  /[$€£]?\d[\d,.]*(?:[kmb]n?|mm)?%?|[\p{L}\p{N}@][\p{L}\p{N}@'.]*|[.;?!]["')\]]*(?=\s|$|[$€£]\d|[\p{L}\p{N}@])/gu
const STOP = /^[.;?!]/
const PREFIX = /\b(de|re|un|co|pre|multi)-(?=\p{L})/gu

/** What may trail a word: a possessive, a point or a comma, and the ending of an exchange's address. */
const TRAIL = /(?:'s?|(?<=xxexch)\.com|[.,])+$/

const wordsOf = (text: string): ReadonlyArray<Known> => {
  const words: Array<Known> = []
  const joined = text.includes("-") ? text.replaceAll(PREFIX, "$1") : text
  joined.match(PART)?.forEach((part) => {
    const word = lookUp(part)
    if (word !== null) words.push(word)
    else {
      const last = words.pop()
      if (last !== undefined) words.push(last.ended ?? last)
    }
  })
  return words
}

const phraseAt = (words: ReadonlyArray<Known>, at: number, { phrases }: Entry) =>
  phrases.find(({ rest }) =>
    rest.every((part, n) => {
      const next = words[at + 1 + n]
      return next !== undefined && (next.word === part || next.forms.includes(part))
    })
  )

const read = (text: string): ReadonlyArray<Token> => {
  const words = wordsOf(text)
  const tokens: Array<Token> = []
  let next = 0
  words.forEach(({ entry, isNumber, token }, at) => {
    if (at < next) return
    const phrase = entry.phrases.length === 0 ? undefined : phraseAt(words, at, entry)
    next = at + 1 + (phrase?.rest.length ?? 0)
    if (phrase === undefined) {
      tokens.push(isNumber ? { ...token, classes: numberClasses(token, words[next]?.word) } : token)
      return
    }
    const parts = words.slice(at, next)
    const last = parts.at(-1)
    const joined = parts.map((part) => part.word).join("_")
    tokens.push({
      word: joined,
      lemma: phrase.lemma,
      names: askedOf(joined, [phrase.lemma, ...(last?.forms ?? [])]),
      classes: phrase.entry.classes,
      ends: last?.token.ends ?? false
    })
  })
  return tokens
}

/** Folded lower-case text in tokens. The last texts are remembered: many questions are asked of each. */
export const tokenize = (text: string): ReadonlyArray<Token> => {
  const held = recent.get(text)
  if (held !== undefined) return held
  const tokens = read(text)
  if (recent.size >= 4000) recent.clear()
  recent.set(text, tokens)
  return tokens
}

/** Whether a text has a word of one of these classes. */
export const hasClass = (text: string, classes: ReadonlyArray<string>): boolean =>
  tokenize(text).some((token) => classes.some((name) => token.classes.has(name)))
