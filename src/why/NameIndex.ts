// Finds many names in a text. Names are held by their first word, so that an index is built quickly and a text is read
// once. Matches are whole words; at each place the longest wins and blocks what lies inside it, so "Bitcoin Cash" never
// yields "Bitcoin".

/** Names by their first word, each with a value. */
export type NameIndex<A> = ReadonlyMap<string, ReadonlyArray<{ readonly name: string; readonly value: A }>>

/** One name found: `text.slice(start, end)`. */
export interface Match<out A> {
  readonly start: number
  readonly end: number
  readonly value: A
}

const isWordCode = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code > 191

/** Where the word that begins here ends; a sign stands alone. */
const endOfWord = (text: string, start: number): number => {
  let end = start
  while (end < text.length && isWordCode(text.charCodeAt(end))) end++
  return Math.max(end, start + 1)
}

/** Builds an index. Names are compared code unit by code unit: pass them, and the text, in lower case. */
export const build = <A>(entries: Iterable<readonly [name: string, value: A]>): NameIndex<A> => {
  const index = new Map<string, Array<{ readonly name: string; readonly value: A }>>()
  for (const [name, value] of entries) {
    if (name === "") continue
    const first = name.slice(0, endOfWord(name, 0))
    const held = index.get(first)
    if (held === undefined) index.set(first, [{ name, value }])
    else held.push({ name, value })
  }
  return index
}

const NONE: ReadonlyArray<never> = []

const matchesAt = <A>(
  indexes: ReadonlyArray<NameIndex<A>>,
  text: string,
  start: number,
  first: string
): ReadonlyArray<Match<A>> => {
  let found: Array<Match<A>> | undefined
  for (const index of indexes) {
    const held = index.get(first)
    if (held === undefined) continue
    for (const { name, value } of held) {
      const end = start + name.length
      if (text.startsWith(name, start) && (end === text.length || !isWordCode(text.charCodeAt(end)))) {
        found ??= []
        found.push({ start, end, value })
      }
    }
  }
  if (found === undefined) return NONE
  return found.length < 2 ? found : found.sort((a, b) => b.end - a.end)
}

/**
 * The matches in a text that `accept` lets pass: leftmost, longest, not overlapping. Several values of one name stay.
 */
export const find = <A>(
  indexes: ReadonlyArray<NameIndex<A>>,
  text: string,
  accept: (match: Match<A>) => boolean
): ReadonlyArray<Match<A>> => {
  const kept: Array<Match<A>> = []
  let next = 0
  for (let start = 0; start < text.length; start = next) {
    next = endOfWord(text, start)
    const first = text.slice(start, next)
    // A sign that follows a word begins no name: of "x.eth", ".eth" is a part.
    if (first === " " || (start > 0 && isWordCode(text.charCodeAt(start - 1)))) continue
    for (const match of matchesAt(indexes, text, start, first)) {
      const last = kept.at(-1)
      if (last !== undefined && start < last.end && !(start === last.start && match.end === last.end)) continue
      if (accept(match)) kept.push(match)
    }
  }
  return kept
}
