// Which coins a reader may mean by a word: a contract address, an id, a ticker, a name, the beginning of one, or something
// spelled like one. It proposes; no other answer guesses a coin. Steps stop as soon as enough is found.
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

/** Why a coin was found, best first. */
export const MATCHES = ["address", "id", "symbol", "name", "prefix", "similar"] as const

export type Match = (typeof MATCHES)[number]

/** A coin that was found. `rank`: by market cap, `null` where unknown. */
export interface Hit {
  readonly coin: ListedCoin
  readonly rank: number | null
  readonly matched: Match
}

/** Ranks by the number of a coin in the index; 0 where unknown. */
export type Ranks = Uint32Array

/** The ranks of the coins of a list, as {@link search} takes them. Coins that the index does not hold are left out. */
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
 * At most `limit` coins for `word`, by kind of match, then rank (unknown last), then id. A coin is listed once, under its best
 * match. Text is compared after NFC and case folding; white space around it is ignored. Matches after `last` are not looked
 * for: those that are only `similar` cost a hundred times more than all others.
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

/** The coin of a contract: the best ranked of those that claim the address on this platform, then the first by id. */
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

/** The `most` best of these coins that are not taken: by rank, unknown ranks last, then by id, which is their number. */
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

/** Coins whose id or name holds the word, or that are spelled like it. Words of less than three characters are like nothing. */
function* similar(index: CoinIndex, wanted: string) {
  if ([...wanted].length < 3) return
  yield* containing(index, wanted)
  const errors = errorsAllowed(wanted)
  if (errors === 0) return
  const isLike = spelledLike(wanted, errors)
  // A wrong first letter leaves the rest of the word right.
  for (const key of keysContaining(index, wanted.slice(1))) if (isLike(index.keys[key] ?? "")) yield coinOf(index, key)
  // Other errors leave the first letter, or have swapped it with the second.
  const [first = "", second = ""] = wanted
  for (const initial of new Set([first, second])) {
    for (let at = lowerBound(index.keys, initial); index.keys[at]?.startsWith(initial) === true; at++) {
      if (isLike(index.keys[at] ?? "")) yield coinOf(index, at)
    }
  }
}

/** Errors that a word of this length may have: a short word with an error is another word. */
const errorsAllowed = (word: string): number =>
  word.length < 4 || word.length > LONGEST_WORD ? 0 : word.length < 6 ? 1 : 2

function* containing(index: CoinIndex, wanted: string) {
  for (const key of keysContaining(index, wanted)) {
    if ((index.owners[key] ?? 0) % 3 !== 1) yield coinOf(index, key)
  }
}

/** The keys that hold a word: one scan over the text of all of them. */
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
