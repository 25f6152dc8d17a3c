// Which items tell the same story: MinHash over three-word shingles (Broder 1997). A syndicated copy is one witness, not two.
import { words } from "./Text.ts"

const SLOTS = 64

const hash = (text: string, seed: number): number => {
  let h = (0x811c9dc5 ^ seed) >>> 0
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193) >>> 0
  h ^= h >>> 16
  h = Math.imul(h, 0x85ebca6b) >>> 0
  return (h ^ (h >>> 13)) >>> 0
}

/** The smallest hash of each of 64 hash functions over the shingles of a text. */
export type Signature = ReadonlyArray<number>

/** Signature of a text. Texts of fewer than three words have one shingle: themselves. */
export const signature = (text: string): Signature => {
  const all = words(text)
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

/** Estimated Jaccard similarity. */
export const similarity = (a: Signature, b: Signature): number =>
  a.filter((value, slot) => value === b[slot]).length / SLOTS

/** From here on two items are the same story. */
export const SAME_STORY = 0.5

/** How many of these items are independent: of each group of copies one counts, and so does one of each domain. */
export const witnesses = (items: ReadonlyArray<{ readonly domain: string; readonly signature: Signature }>): number => {
  const kept: Array<{ readonly domain: string; readonly signature: Signature }> = []
  for (const item of items) {
    const known = kept.some(
      (other) => other.domain === item.domain || similarity(other.signature, item.signature) >= SAME_STORY
    )
    if (!known) kept.push(item)
  }
  return kept.length
}
