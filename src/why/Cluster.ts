// Tells which items are copies of one story: a press release on three sites is one report (WHY.md §3.5).
import { domainOf } from "../domain/Publishers.ts"
import { rememberOf } from "../domain/rememberEach.ts"
import type { PoolItem } from "./Pool.ts"

/** The rows of three words in a text in lower case; a text of fewer words is one row. */
export const shinglesOf = (text: string): ReadonlySet<string> => {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? []
  return new Set(
    words.length < 3 ? [words.join(" ")] : words.slice(2).map((word, i) => `${words[i]} ${words[i + 1]} ${word}`)
  )
}

/** Jaccard similarity of two sets, 0 to 1 (Broder 1997). */
export const similarity = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => {
  const common = [...a].filter((one) => b.has(one)).length
  return common / (a.size + b.size - common)
}

const shinglesIn = rememberOf(({ summary, title }: PoolItem) => shinglesOf(`${title.lower} ${summary.lower}`))

/** The registrable domain of its address, else the host. */
const ownerOf = ({ item: { url } }: PoolItem): string => domainOf(url) ?? URL.parse(url)?.host ?? url

const isOneReport = (a: PoolItem, b: PoolItem): boolean =>
  ownerOf(a) === ownerOf(b) || similarity(shinglesIn(a), shinglesIn(b)) >= 0.5

/** How many publishers report independently: copies of one story, and items of one owner, count once. */
export const independent = (items: ReadonlyArray<PoolItem>): number => {
  const counted: Array<PoolItem> = []
  for (const item of items) if (!counted.some((other) => isOneReport(other, item))) counted.push(item)
  return counted.length
}
