// Tells which items are copies of one story: MinHash over three-word shingles (Broder 1997). A syndicated copy and its
// original count as one witness.
import { domainOf } from "../domain/Publishers.ts"
import { rememberOf } from "../domain/rememberEach.ts"
import type { PoolItem } from "./Pool.ts"

const SLOTS = 64

const hash = (text: string): number => {
  let h = 0x811c9dc5 | 0
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  return h ^ (h >>> 13)
}

/** The smallest value of each of 64 hash functions over the shingles of a text. */
export type Signature = ReadonlyArray<number>

/** The signature of a text in lower case; a text of fewer than three words is one shingle. */
export const signature = (text: string): Signature => {
  const all = text.match(/[\p{L}\p{N}]+/gu) ?? []
  const shingles = all.length < 3 ? [all.join(" ")] : all.slice(2).map((word, i) => `${all[i]} ${all[i + 1]} ${word}`)
  const bases = [...new Set(shingles)].map(hash)
  return Array.from({ length: SLOTS }, (_, slot) => {
    const seed = Math.imul(slot + 1, 0x9e3779b1)
    return bases.reduce((least, base) => Math.min(least, Math.imul(base ^ seed, 0x85ebca6b + 2 * slot)), 0x7fffffff)
  })
}

/** Estimated Jaccard similarity of two texts, 0 to 1. */
export const similarity = (a: Signature, b: Signature): number =>
  a.filter((value, slot) => value === b[slot]).length / SLOTS

/** The signature of an item. */
const signatureOf = rememberOf(({ summary, title }: PoolItem) => signature(`${title.lower} ${summary.lower}`))

/** Registrable domain of its address, else the host: items of one owner are one witness. */
const ownerOf = ({ item: { url } }: PoolItem): string => domainOf(url) ?? URL.parse(url)?.host ?? url

/** Whether two items are the same story. */
export const isCopy = (a: PoolItem, b: PoolItem): boolean => similarity(signatureOf(a), signatureOf(b)) >= 0.5

/** How many of these items are independent witnesses: of each group of copies, and of each owner, one counts. */
export const witnesses = (items: ReadonlyArray<PoolItem>): number => {
  const kept: Array<PoolItem> = []
  for (const item of items)
    if (!kept.some((other) => ownerOf(other) === ownerOf(item) || isCopy(other, item))) kept.push(item)
  return kept.length
}
