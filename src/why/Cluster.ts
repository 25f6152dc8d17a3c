// Tells which items are copies of one story: MinHash over three-word shingles (Broder 1997). A syndicated copy and its
// original count as one witness.
import { fold } from "../domain/FoldedText.ts"

const SLOTS = 64

const hash = (text: string, seed: number): number => {
  let h = (0x811c9dc5 ^ seed) >>> 0
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193) >>> 0
  h ^= h >>> 16
  h = Math.imul(h, 0x85ebca6b) >>> 0
  return (h ^ (h >>> 13)) >>> 0
}

/** The smallest value of each of 64 hash functions over the shingles of a text. */
export type Signature = ReadonlyArray<number>

/** The signature of a text; a text of fewer than three words is one shingle. */
export const signature = (text: string): Signature => {
  const all =
    fold(text)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  const shingles = all.length < 3 ? [all.join(" ")] : all.slice(2).map((word, i) => `${all[i]} ${all[i + 1]} ${word}`)
  const bases = [...new Set(shingles)].map((shingle) => hash(shingle, 0))
  return Array.from({ length: SLOTS }, (_, slot) => {
    const seed = Math.imul(slot + 1, 0x9e3779b1) >>> 0
    return bases.reduce(
      (least, base) => Math.min(least, Math.imul((base ^ seed) >>> 0, 0x85ebca6b + 2 * slot) >>> 0),
      0xffffffff
    )
  })
}

/** Estimated Jaccard similarity of two texts, 0 to 1. */
export const similarity = (a: Signature, b: Signature): number =>
  a.filter((value, slot) => value === b[slot]).length / SLOTS

/** An item with its owner. */
interface Report {
  readonly domain: string
  readonly signature: () => Signature
}

/** Whether two items are the same story. */
export const isCopy = (a: Report, b: Report): boolean => similarity(a.signature(), b.signature()) >= 0.5

/** Whether two items are one witness: copies, or of one owner. */
export const isSameWitness = (a: Report, b: Report): boolean => a.domain === b.domain || isCopy(a, b)

/** How many of these items are independent witnesses: of each group of copies, and of each domain, one counts. */
export const witnesses = (items: ReadonlyArray<Report>): number => {
  const kept: Array<Report> = []
  for (const item of items) if (!kept.some((other) => isSameWitness(other, item))) kept.push(item)
  return kept.length
}
