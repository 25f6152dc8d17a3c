// Finds the coins that a user may mean by a word: a contract address, an id, a ticker, a name, the beginning of one, or a
// similar spelling. Only suggestions come from here; no answer guesses a coin. The search stops as soon as it has enough hits.
import { caseFold } from "./FoldedText.ts"
import {
  type CoinIndex,
  comparableAddress,
  FIELDS,
  firstPlace,
  type ListedCoin,
  lowerBound,
  numberOf
} from "./CoinIndex.ts"
import { LONGEST_WORD, spelledLike } from "./spelledLike.ts"

/** The kinds of match, best first. */
export const MATCHES = ["address", "id", "symbol", "name", "prefix", "similar"] as const

export type Match = (typeof MATCHES)[number]

/** A coin that was found. `rank`: by market cap, `null` if unknown. */
export interface Hit {
  readonly coin: ListedCoin
  readonly rank: number | null
  readonly matched: Match
}

/** Ranks by the number of a coin in the index; 0 if unknown. */
export type Ranks = Uint32Array

/** The ranks of a list's coins, for {@link search}. Coins that are not in the index are omitted. */
export const ranksOf = (
  index: CoinIndex,
  list: Iterable<{ readonly id: string; readonly rank: number | null }>
): Ranks => {
  const ranks = new Uint32Array(index.coins.length)
  for (const { id, rank } of list) {
    const number = numberOf(index, id)
    if (number >= 0 && rank !== null) ranks[number] = rank
  }
  return ranks
}

/**
 * At most `limit` coins for `word`, by kind of match, then rank (unknown last), then id. Each coin occurs once, with its best
 * match. Text is compared after NFC and case folding; surrounding white space is ignored. Only kinds of match up to `last` are
 * searched, because `similar` costs a hundred times more than all others.
 */
export const search = (
  index: CoinIndex,
  ranks: Ranks,
  word: string,
  limit: number,
  last: Match = "similar"
): ReadonlyArray<Hit> => {
  const wanted = caseFold(word.trim())
  if (wanted === "") return []
  const found: Array<Hit> = []
  const taken = new Set<number>()
  const take = (matched: Match, numbers: Iterable<number>) => {
    for (const number of best(ranks, numbers, limit - found.length, taken)) {
      const coin = index.coins[number]
      if (coin === undefined) continue
      taken.add(number)
      found.push({ coin, rank: ranks[number] || null, matched })
    }
    return found.length >= limit
  }

  if (take("address", byAddress(index, word.trim()))) return found
  const start = lowerBound(index.keys, wanted)
  for (const field of FIELDS) if (take(field, exactly(index, start, wanted, FIELDS.indexOf(field)))) return found
  if (take("prefix", startingWith(index, start, wanted))) return found
  if (last === "similar") take("similar", similar(index, wanted))
  return found
}

/** The coin of a contract. If several claim the address on this platform: the best ranked, then the first by id. */
export const byContract = (
  index: CoinIndex,
  ranks: Ranks,
  platform: string,
  address: string
): ListedCoin | undefined => {
  const wanted = comparableAddress(address)
  const owners = byAddress(index, address).filter((number) => {
    const platforms = index.coins[number]?.platforms ?? {}
    const listed = Object.hasOwn(platforms, platform) ? platforms[platform] : undefined
    return listed !== undefined && comparableAddress(listed) === wanted
  })
  const [first] = best(ranks, owners, 1, new Set())
  return first === undefined ? undefined : index.coins[first]
}

/** The `most` best of these coins that are not taken: by rank, unknown ranks last, then by number, which is the order of ids. */
const best = (ranks: Ranks, numbers: Iterable<number>, most: number, taken: ReadonlySet<number>): Array<number> => {
  const kept: Array<number> = []
  const seen = new Set<number>()
  const before = (a: number, b: number) => {
    const byRank = (ranks[a] || Infinity) - (ranks[b] || Infinity)
    return Number.isNaN(byRank) || byRank === 0 ? a < b : byRank < 0
  }
  for (const number of numbers) {
    const worst = kept[kept.length - 1]
    if (kept.length === most && worst !== undefined && !before(number, worst)) continue
    if (taken.has(number) || seen.has(number)) continue
    seen.add(number)
    let at = kept.length
    for (let other = kept[at - 1]; at > 0 && other !== undefined && before(number, other); other = kept[at - 1]) at--
    kept.splice(at, 0, number)
    if (kept.length > most) kept.pop()
  }
  return kept
}

const byAddress = (index: CoinIndex, address: string): ReadonlyArray<number> => {
  const wanted = comparableAddress(address)
  const numbers: Array<number> = []
  for (let at = lowerBound(index.addresses, wanted); index.addresses[at] === wanted; at++) {
    numbers.push(index.addressOwners[at] ?? 0)
  }
  return numbers
}

const coinOf = (index: CoinIndex, key: number): number => Math.floor((index.owners[key] ?? 0) / 3)

function* exactly(index: CoinIndex, start: number, wanted: string, field: number) {
  for (let at = start; index.keys[at] === wanted; at++) {
    if ((index.owners[at] ?? 0) % 3 === field) yield coinOf(index, at)
  }
}

function* startingWith(index: CoinIndex, start: number, wanted: string) {
  for (let at = start; index.keys[at]?.startsWith(wanted) === true; at++) yield coinOf(index, at)
}

/** Coins whose id or name contains the word or is spelled like it. None for words of less than three characters. */
function* similar(index: CoinIndex, wanted: string) {
  if ([...wanted].length < 3) return
  yield* containing(index, wanted)
  const errors = errorsAllowed(wanted)
  if (errors === 0) return
  const isLike = spelledLike(wanted, errors)
  // If the first letter is wrong, the key contains the rest of the word.
  for (const key of keysContaining(index, wanted.slice(1))) if (isLike(index.keys[key] ?? "")) yield coinOf(index, key)
  // After other errors, the key begins with the first letter, or with the second if both were swapped.
  const [first = "", second = ""] = wanted
  for (const initial of new Set([first, second])) {
    for (let at = lowerBound(index.keys, initial); index.keys[at]?.startsWith(initial) === true; at++) {
      if (isLike(index.keys[at] ?? "")) yield coinOf(index, at)
    }
  }
}

/** The most typing errors for a word of this length: a short word with an error is another word. */
const errorsAllowed = (word: string): number =>
  word.length < 4 || word.length > LONGEST_WORD ? 0 : word.length < 6 ? 1 : 2

function* containing(index: CoinIndex, wanted: string) {
  for (const key of keysContaining(index, wanted)) {
    if ((index.owners[key] ?? 0) % 3 !== 1) yield coinOf(index, key)
  }
}

/** The keys that contain a word, by one scan over the text of all keys. */
function* keysContaining(index: CoinIndex, wanted: string) {
  let at = index.text.indexOf(wanted)
  while (at >= 0) {
    const key = keyAt(index.offsets, at)
    yield key
    const next = index.offsets[key + 1]
    at = next === undefined ? -1 : index.text.indexOf(wanted, next)
  }
}

/** The key that a place in the text belongs to. */
const keyAt = (offsets: Uint32Array, place: number): number =>
  firstPlace(offsets.length, (key) => (offsets[key] ?? 0) <= place) - 1
