// An index over every coin of a registry, by id, ticker, name and contract address. It is built once per registry. Sorted
// keys allow a binary search for an exact word or a prefix. All keys joined into one text allow one scan for a word inside a
// key. Coins are numbered in the order of their ids, and the rest of the index refers to those numbers.
import { Schema } from "effect"
import { caseFold } from "./FoldedText.ts"
import { asciiLower } from "./asciiCase.ts"

export const ListedCoin = Schema.Struct({
  id: Schema.String,
  /** The ticker in upper case; not unique. */
  symbol: Schema.String,
  name: Schema.String,
  /** Contract address by platform (`ethereum`); `{}` if the coin has none, `null` if the registry does not say. */
  platforms: Schema.NullOr(Schema.Record(Schema.String, Schema.String))
})

export type ListedCoin = typeof ListedCoin.Type

/** The fields of a coin that are keys of the index. */
export const FIELDS = ["id", "symbol", "name"] as const

export interface CoinIndex {
  /** Sorted by id (code units). */
  readonly coins: ReadonlyArray<ListedCoin>
  /** Case-folded and sorted; several coins may share a key. */
  readonly keys: ReadonlyArray<string>
  /** For each key, the number of its coin × 3 + the index of its field. */
  readonly owners: Uint32Array
  /** All keys, each after a line feed. */
  readonly text: string
  /** Where each key begins in `text`. */
  readonly offsets: Uint32Array
  /** Addresses as {@link comparableAddress} gives them, sorted. */
  readonly addresses: ReadonlyArray<string>
  /** For each address, the number of its coin. */
  readonly addressOwners: Uint32Array
}

/** The comparable form of an address: `0x…` in lower case, others unchanged, because base58 is case-sensitive. */
export const comparableAddress = (address: string): string => (/^0x/i.test(address) ? asciiLower(address) : address)

interface Entry {
  readonly key: string
  readonly owner: number
}

/** Builds the index. If an id occurs twice, its first row counts. */
export const make = (rows: ReadonlyArray<ListedCoin>): CoinIndex => {
  const coins = [...new Map(rows.toReversed().map((coin) => [coin.id, coin])).values()].sort((a, b) =>
    compare(a.id, b.id)
  )

  const entries: Array<Entry> = []
  const contracts: Array<Entry> = []
  for (const [number, coin] of coins.entries()) {
    for (const [field, name] of FIELDS.entries()) {
      const key = caseFold(coin[name])
      if (key !== "") entries.push({ key, owner: number * FIELDS.length + field })
    }
    for (const address of new Set(Object.values(coin.platforms ?? {}).map(comparableAddress))) {
      if (address !== "") contracts.push({ key: address, owner: number })
    }
  }
  const byKey = (a: Entry, b: Entry) => compare(a.key, b.key) || a.owner - b.owner
  entries.sort(byKey)
  contracts.sort(byKey)

  const offsets = new Uint32Array(entries.length)
  let end = 0
  for (const [at, { key }] of entries.entries()) {
    offsets[at] = end + 1
    end += key.length + 1
  }
  return {
    coins,
    keys: entries.map(({ key }) => key),
    owners: Uint32Array.from(entries, ({ owner }) => owner),
    text: entries.map(({ key }) => `\n${key}`).join(""),
    offsets,
    addresses: contracts.map(({ key }) => key),
    addressOwners: Uint32Array.from(contracts, ({ owner }) => owner)
  }
}

/** Binary search: the first of `count` places for which `isBefore` is false. It must be true for all places before. */
export const firstPlace = (count: number, isBefore: (place: number) => boolean): number => {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}

/** The first place in a sorted list whose text is at least `wanted`. */
export const lowerBound = (sorted: ReadonlyArray<string>, wanted: string): number =>
  firstPlace(sorted.length, (place) => (sorted[place] ?? "") < wanted)

/** -1 for an unknown id. */
export const numberOf = (index: CoinIndex, id: string): number => {
  const number = firstPlace(index.coins.length, (place) => (index.coins[place]?.id ?? "") < id)
  return index.coins[number]?.id === id ? number : -1
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
