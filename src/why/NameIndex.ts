// Finds many names in a text. Names are indexed by one of their words, so that only names of which a text has that word are looked
// for. Matches are whole words; at each place the longest wins and blocks what lies inside it, so "Bitcoin Cash" never yields
// "Bitcoin".

interface Named<A> {
  readonly name: string
  readonly value: A
}

export type NameIndex<A> = ReadonlyMap<string, ReadonlyArray<Named<A>>>

/** One name found: `text.slice(start, end)`. */
export interface Match<out A> {
  readonly start: number
  readonly end: number
  readonly value: A
}

/** A word, or a sign that stands alone. */
const PART = /[0-9A-Za-z\u00c0-\uffff]+|[^ ]/g

/** The word that a name is indexed by: the longest, since few texts have it. */
const keyOf = (name: string): string =>
  (name.match(PART) ?? []).reduce((longest, word) => (word.length > longest.length ? word : longest), "")

/** Builds an index. Names are compared code unit by code unit: pass them, and the text, in lower case. */
export const build = <A>(names: Iterable<readonly [name: string, value: A]>): NameIndex<A> =>
  Map.groupBy(
    Array.from(names, ([name, value]) => ({ name, value })).filter(({ name }) => name !== ""),
    ({ name }) => keyOf(name)
  )

const WORD = /[0-9A-Za-z\u00c0-\uffff]/

/** Whether no word goes on at either end of a place: of "x.eth", ".eth" is a part. */
const isWhole = (text: string, start: number, end: number): boolean =>
  !WORD.test(text[start - 1] ?? "") && !WORD.test(text[end] ?? "")

/** All places of the names of an index. */
const matchesOf = <A>(index: NameIndex<A>, text: string, words: ReadonlySet<string>): ReadonlyArray<Match<A>> => {
  const found: Array<Match<A>> = []
  for (const word of words)
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
  const words = new Set(text.match(PART))
  const accepted: Array<Match<A>> = []
  const matches = indexes.flatMap((index) => matchesOf(index, text, words))
  for (const match of matches.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = accepted.at(-1)
    const isFree = last === undefined || match.start >= last.end
    const isSame = last?.start === match.start && last.end === match.end
    if ((isFree || isSame) && accept(match)) accepted.push(match)
  }
  return accepted
}
