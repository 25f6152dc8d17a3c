// Which items report one event, and which of them are copies of one story: a press release on three sites is one report (WHY.md §3.5,
// §3.12).
import { domainOf } from "../domain/Publishers.ts"
import { rememberOf } from "../domain/rememberEach.ts"
import type { PoolItem } from "./Pool.ts"
import { saidIn } from "./Lexicon.ts"
import { isCoin, masked } from "./Scanning.ts"

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

/** Reports further apart are of two events. */
const APART = 24 * 3_600_000

/** "$200M", "USD 200 million": the number and its scale. */
const AMOUNTS = /(?<=[$€£]|usd )(\d[\d.,]*)|(\d[\d.,]*)(?= ?(?:[kmb]|bn|thousand|million|billion)\b)/g

/** How many words two reports must share. */
const LEAST_WORDS = 2

/** What a title says beyond the names of coins: its words, and as two words each exchange, authority and amount. */
const saidOf = rememberOf(({ title }: PoolItem): ReadonlySet<string> => {
  const text = masked(title, "")
  const exchanges = title.names.flatMap(({ value }) => (isCoin(value) ? [] : value.surface.toLowerCase()))
  const amounts = [...text.matchAll(AMOUNTS)].map(([amount]) => amount.replaceAll(",", ""))
  const actors = [...exchanges, ...amounts, ...(text.match(ACTORS) ?? [])]
  return new Set([...saidIn(text), ...actors, ...actors.map((actor) => `${actor} again`)])
})

/** Who acts alone: one of these that two reports share makes them one event. */
const ACTORS =
  /\b(?:sec|cftc|doj|fed|court|judge|congress|senate|treasury|china|russia|iran|israel|blackrock|grayscale|tether|circle)\b/g

/** Whether two reports of one kind are of one event: the same story, or the same actors and the same thing. */
export const isSameEvent = (a: PoolItem, b: PoolItem): boolean => {
  if (Math.abs(a.at - b.at) > APART) return false
  if (similarity(shinglesIn(a), shinglesIn(b)) >= 0.5) return true
  const others = saidOf(b)
  return [...saidOf(a)].filter((word) => others.has(word)).length >= LEAST_WORDS
}
