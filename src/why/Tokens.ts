// Words of a text with their base forms and classes. Classes group words by what they mean ("stops, ends, axes" are all
// STOP), so that a frame of classes fits wording that no list of phrases foresaw. Base forms come from the regular
// endings of English, accepted only where a listed word results, and from a list of irregular forms.
import data from "./data/words.json" with { type: "json" }
import { once } from "./Once.ts"

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

const lexicon = once((): ReadonlyMap<string, Entry> => {
  const entries = new Map<string, Entry>()
  const whole = new Map<string, Entry>()
  for (const [name, list] of Object.entries(classLists)) {
    for (const lemma of list.split(" ")) {
      const [first = "", ...rest] = lemma.split("_")
      if (rest.length === 0) entryOf(entries, first).classes.add(name)
      else {
        const entry = entryOf(whole, lemma)
        if (entry.classes.size === 0) entryOf(entries, first).phrases.push({ rest, entry, lemma })
        entry.classes.add(name)
      }
    }
  }
  for (const { phrases } of entries.values()) phrases.sort((a, b) => b.rest.length - a.rest.length)
  return entries
})

/** The word without its inflection, in every way that English allows; the likeliest first. */
const basesOf = (word: string): ReadonlyArray<string> => {
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
  return /is(?:e|ed|es|ing|ation)/.test(word) ? bases.flatMap((one) => [one, one.replace(/is(?=e|a)/, "iz")]) : bases
}

const NO_ENTRY: Entry = { classes: new Set(), phrases: [] }

/** A stablecoin's name has the dollar in it: "crvUSD", "TerraUSD". */
const DOLLAR_NAME: Entry = { classes: new Set(["STABLE"]), phrases: [] }

/** What the lists know of a word. */
interface Known {
  readonly forms: ReadonlyArray<string>
  readonly entry: Entry
  readonly isNumber: boolean
  /** The word as a token inside a sentence, and as the last of one. */
  readonly inside: Token
  readonly last: Token
}

/** What the lists know of any base form: "robbed" is also "rob". */
const joined = (forms: ReadonlyArray<string>, entries: ReadonlyMap<string, Entry>): Entry | undefined => {
  const held = [...new Set(forms)].flatMap((form) => entries.get(form) ?? [])
  return held.length < 2
    ? held[0]
    : {
        classes: new Set(held.flatMap(({ classes }) => [...classes])),
        phrases: held.flatMap(({ phrases }) => phrases).toSorted((a, b) => b.rest.length - a.rest.length)
      }
}

const known = new Map<string, Known>()
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

/** Looks a word up; a process meets the same words again and again. */
const lookUp = (word: string): Known => {
  const held = known.get(word)
  if (held !== undefined) return held
  const entries = lexicon()
  const forms = basesOf(word)
  const lemma =
    forms.find((form) => (entries.get(form)?.classes.size ?? 0) > 0) ?? forms.find((form) => entries.has(form)) ?? word
  const isDollarName = word.length > 3 && word.includes("usd") && !/^\d/.test(word)
  const entry = joined(forms, entries) ?? (isDollarName ? DOLLAR_NAME : NO_ENTRY)
  const inside = { word, lemma, names: askedOf(word, forms), classes: entry.classes, ends: false }
  const found = { forms, entry, isNumber: /^[$€£]?\d/.test(word), inside, last: { ...inside, ends: true } }
  if (known.size > 20_000) known.clear()
  known.set(word, found)
  return found
}

/** The classes of a word that is a number. */
const numberClasses = (word: string, next: string | undefined): ReadonlySet<string> => {
  const classes = ["NUM"]
  if (/^[$€£]/.test(word)) classes.push("MONEY")
  if (/\d(?:k|m|mm|mn|b|bn)$/.test(word) || /^(?:thousand|million|billion|trillion)$/.test(next ?? ""))
    classes.push("AMOUNT")
  if (word.endsWith("%")) classes.push("PERCENT")
  return new Set(classes)
}

const WORD = /[$€£]?\d[\d,.]*(?:[kmb]n?|mm)?%?|[\p{L}\p{N}@][\p{L}\p{N}@'.]*/gu
const PREFIX = /\b(de|re|un|co|pre|multi)-(?=\p{L})/gu

/** What stands between two sentences. */
const STOP = /[.;?!]["')\]]*(?:\s|$)/

interface Word {
  readonly text: string
  readonly ends: boolean
}

/** What may trail a word: a possessive, a point or a comma. */
const TRAIL = /(?:'s?|[.,])+$/

const wordsOf = (text: string): ReadonlyArray<Word> => {
  const joined = text.includes("-") ? text.replaceAll(PREFIX, "$1") : text
  const raws = joined.match(WORD) ?? []
  const words: Array<Word> = []
  let from = joined.indexOf(raws[0] ?? "")
  for (const [n, raw] of raws.entries()) {
    const next = raws[n + 1]
    const end = from + raw.length
    from = next === undefined ? joined.length : joined.indexOf(next, end)
    // The point of "U.S." ends no sentence.
    const isStop = raw.endsWith(".") && raw.indexOf(".") === raw.length - 1
    const gap = joined.slice(end, from)
    words.push({ text: raw.replace(TRAIL, ""), ends: isStop || (gap !== " " && STOP.test(gap)) })
  }
  return words
}

const phraseAt = (words: ReadonlyArray<Word>, at: number, { phrases }: Entry) =>
  phrases.find(({ rest }) =>
    rest.every((part, n) => {
      const next = words[at + 1 + n]?.text
      return next !== undefined && (next === part || lookUp(next).forms.includes(part))
    })
  )

const read = (text: string): ReadonlyArray<Token> => {
  const words = wordsOf(text)
  const tokens: Array<Token> = []
  for (let at = 0; at < words.length; at++) {
    const { ends, text: word } = words[at] ?? { text: "", ends: false }
    const { entry, inside, isNumber, last } = lookUp(word)
    const phrase = phraseAt(words, at, entry)
    if (phrase === undefined) {
      const token = ends ? last : inside
      tokens.push(isNumber ? { ...token, classes: numberClasses(word, words[at + 1]?.text) } : token)
      continue
    }
    const parts = words.slice(at, at + 1 + phrase.rest.length)
    const lastPart = parts.at(-1) ?? { text: word, ends }
    const joined = parts.map((part) => part.text).join("_")
    tokens.push({
      word: joined,
      lemma: phrase.lemma,
      names: askedOf(joined, [phrase.lemma, ...lookUp(lastPart.text).forms]),
      classes: phrase.entry.classes,
      ends: lastPart.ends
    })
    at += phrase.rest.length
  }
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
