// Finds many words in a text in one pass (Aho and Corasick 1975). Matches are whole words; at each place the longest
// wins and blocks what lies inside it, so "Bitcoin Cash" never yields "Bitcoin".

/** Words to look for, each with a value, ready to be searched. */
export interface Automaton<A> {
  readonly next: ReadonlyArray<ReadonlyMap<number, number>>
  readonly fail: ReadonlyArray<number>
  /** Words that end in a state, by length. */
  readonly output: ReadonlyArray<ReadonlyArray<{ readonly length: number; readonly value: A }>>
}

/** One word found: `text.slice(start, end)`. */
export interface Match<out A> {
  readonly start: number
  readonly end: number
  readonly value: A
}

/** Builds the automaton. Words are compared code unit by code unit: pass them, and the text, in lower case. */
export const build = <A>(entries: Iterable<readonly [word: string, value: A]>): Automaton<A> => {
  const next: Array<Map<number, number>> = [new Map()]
  const output: Array<Array<{ length: number; value: A }>> = [[]]
  for (const [word, value] of entries) {
    let state = 0
    for (let i = 0; i < word.length; i++) {
      const code = word.charCodeAt(i)
      let target = next[state]?.get(code)
      if (target === undefined) {
        target = next.length
        next.push(new Map())
        output.push([])
        next[state]?.set(code, target)
      }
      state = target
    }
    if (word !== "") output[state]?.push({ length: word.length, value })
  }
  const fail: Array<number> = next.map(() => 0)
  const queue: Array<number> = [...(next[0]?.values() ?? [])]
  for (let head = 0; head < queue.length; head++) {
    const state = queue[head] ?? 0
    for (const [code, target] of next[state] ?? []) {
      let back = fail[state] ?? 0
      while (back !== 0 && next[back]?.get(code) === undefined) back = fail[back] ?? 0
      const to = next[back]?.get(code) ?? 0
      fail[target] = to === target ? 0 : to
      output[target]?.push(...(output[fail[target] ?? 0] ?? []))
      queue.push(target)
    }
  }
  return { next, fail, output }
}

const isWordCode = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code > 191

/** All matches at word boundaries, those inside others included. */
const candidates = <A>(automaton: Automaton<A>, text: string): Array<Match<A>> => {
  const found: Array<Match<A>> = []
  let state = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    while (state !== 0 && automaton.next[state]?.get(code) === undefined) state = automaton.fail[state] ?? 0
    state = automaton.next[state]?.get(code) ?? 0
    const ends = automaton.output[state]
    if (ends === undefined || ends.length === 0 || (i + 1 < text.length && isWordCode(text.charCodeAt(i + 1)))) continue
    for (const { length, value } of ends) {
      const start = i + 1 - length
      if (start === 0 || !isWordCode(text.charCodeAt(start - 1))) found.push({ start, end: i + 1, value })
    }
  }
  return found
}

/**
 * The matches in a text that `accept` lets pass: leftmost, longest, not overlapping. Several values of one word stay.
 */
export const find = <A>(
  automata: ReadonlyArray<Automaton<A>>,
  text: string,
  accept: (match: Match<A>) => boolean
): ReadonlyArray<Match<A>> => {
  const sorted = automata
    .flatMap((automaton) => candidates(automaton, text))
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
  const kept: Array<Match<A>> = []
  for (const match of sorted) {
    const last = kept.at(-1)
    if (last !== undefined && match.start < last.end && !(match.start === last.start && match.end === last.end))
      continue
    if (accept(match)) kept.push(match)
  }
  return kept
}
