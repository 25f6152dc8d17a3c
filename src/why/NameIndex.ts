// Finds many names in a text. Names are indexed by one of their words, and the words of a text are compared with those of
// all names at once, so that only names of which a text has that word are looked for. Matches are whole words; at each
// place the longest wins and blocks what lies inside it, so "Bitcoin Cash" never yields "Bitcoin".

/** Names by one of their words, each with a value. */
export type NameIndex<A> = ReadonlyMap<string, ReadonlyArray<{ readonly name: string; readonly value: A }>>

/** One name found: `text.slice(start, end)`. */
export interface Match<out A> {
  readonly start: number
  readonly end: number
  readonly value: A
}

/** A word, or a sign that stands alone. */
const PART = /[0-9A-Za-z\u00c0-\uffff]+|[^ ]/g

const isWordCode = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code > 191

/** The word that a name is indexed by: the longest, since few texts have it. */
const keyOf = (name: string): string =>
  (name.match(PART) ?? []).reduce((longest, word) => (word.length > longest.length ? word : longest), "")

/** Builds an index. Names are compared code unit by code unit: pass them, and the text, in lower case. */
export const build = <A>(entries: Iterable<readonly [name: string, value: A]>): NameIndex<A> => {
  const index = new Map<string, Array<{ readonly name: string; readonly value: A }>>()
  for (const [name, value] of entries) {
    if (name === "") continue
    const key = keyOf(name)
    const names = index.get(key)
    if (names === undefined) index.set(key, [{ name, value }])
    else names.push({ name, value })
  }
  return index
}

/** Whether no word goes on at either end of a place: of "x.eth", ".eth" is a part. */
const isWhole = (text: string, start: number, end: number): boolean =>
  !(start > 0 && isWordCode(text.charCodeAt(start - 1))) && !(end < text.length && isWordCode(text.charCodeAt(end)))

/** All places of the names of an index. */
const matchesOf = <A>(index: NameIndex<A>, text: string, words: ReadonlyArray<string>): ReadonlyArray<Match<A>> => {
  const found: Array<Match<A>> = []
  for (const word of new Set(words.filter((word) => index.has(word))))
    for (const { name, value } of index.get(word) ?? [])
      for (let start = text.indexOf(name); start >= 0; start = text.indexOf(name, start + 1))
        if (isWhole(text, start, start + name.length)) found.push({ start, end: start + name.length, value })
  return found
}

/** The matches in a text that `accept` lets pass: leftmost, longest, not overlapping. Several values of one name stay. */
export const find = <A>(
  indexes: ReadonlyArray<NameIndex<A>>,
  text: string,
  accept: (match: Match<A>) => boolean
): ReadonlyArray<Match<A>> => {
  const words = text.match(PART) ?? []
  const accepted: Array<Match<A>> = []
  const matches = indexes.flatMap((index) => matchesOf(index, text, words))
  for (const match of matches.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = accepted.at(-1)
    if (last !== undefined && match.start < last.end && !(match.start === last.start && match.end === last.end))
      continue
    if (accept(match)) accepted.push(match)
  }
  return accepted
}
