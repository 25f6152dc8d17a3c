// Links items to coins, precision first (WHY.md §3.5). A name that is also a word counts only in a strong form
// (`$NEAR`) or next to words about crypto that are not the name itself.
import { publisherAt } from "../domain/Publishers.ts"
import type * as NameIndex from "./NameIndex.ts"
import { catalogFor, type CoinName, isAmbiguous, isRare } from "./CoinNames.ts"
import { ONLY_DESCRIBES, wording } from "./Lexicon.ts"
import type { MoverCoin } from "./RunFacts.ts"
import type { PoolItem } from "./Pool.ts"
import { Field, isCoin, isStrongForm, namesCoin, nounFollows } from "./Scanning.ts"

/** What the rest of an item says: words about crypto, the coin named beyond doubt, a publisher that writes on nothing else. */
type Facts = Readonly<Record<"context" | "named" | "native", boolean>>

/** Whether A Headline Starts Its Words With Capitals. Then a capital hardly marks a name. */
export const isTitleCase = (text: string): boolean => {
  const words = (text.match(/\p{L}[\p{L}'’]{3,}/gu) ?? []).slice(1)
  return words.length >= 3 && words.filter((word) => /^\p{Lu}/u.test(word)).length / words.length > 0.65
}

/** How sure a mention is whose name is also an ordinary word, given what else the item says. */
const ambiguousStrength = (field: Field, { end, start, value }: NameIndex.Match<CoinName>, facts: Facts): number => {
  const { context, named, native } = facts
  if (named) return 0.9
  // Capitals alone show a ticker in a publication on crypto.
  if (value.role === "symbol")
    return context || (native && end - start >= 3 && (!isRare(value) || start === 0)) ? 0.75 : 0
  const starts = start === 0 || /[.!?:;"]\s*$/.test(field.text.slice(0, start))
  const isHead = starts && /^(?:'s?)?\s+\p{L}/u.test(field.text.slice(end))
  const isSure = isRare(value) ? context || (native && isHead) : context && isHead
  // In a sentence about crypto, a capital is a name.
  return isSure || ((context || native) && !isTitleCase(field.text)) ? 0.75 : 0
}

const strengthOf = (field: Field, match: NameIndex.Match<CoinName>, facts: Facts): number => {
  const { role, surface } = match.value
  if (role === "symbol" && isStrongForm(field.text, match)) return 1
  if (ONLY_DESCRIBES.test(field.lower.slice(match.end))) return 0.2
  if (isAmbiguous(match.value)) return ambiguousStrength(field, match, facts)
  if (role === "symbol") return surface.length >= 3 && (facts.context || facts.native || facts.named) ? 0.9 : 0
  return 0.95
}

/** A mention in the summary as sure as this settles one in the title. */
const SETTLES = 0.7
const IN_SUMMARY_ALONE = 0.55
const OF_ITS_EXCHANGE = 0.8

/** How surely an item is about a coin, 0 to 1; 0 where it is not. */
export const linkStrength = (entry: PoolItem, coin: MoverCoin): number => {
  const { item, summary, title } = entry
  if (item.type === "project_blog" && isOwnBlog(entry, coin)) return 1
  const namesOther = title.names.some((match) => match.value.coinId !== coin.id && namesCoin(title, match))
  const own = wording.namesake(`${title.lower} ${summary.lower}`) ? 0 : strengthIn(entry, coin, namesOther)
  if (own > 0 || namesOther) return own
  return title.names.some(({ value }) => value.coinId === coin.id && value.role === "exchange") ? OF_ITS_EXCHANGE : 0
}

/** How surely a coin is named: in the title, or in the summary alone, where the title names no other. */
const strengthIn = ({ item, summary, title }: PoolItem, coin: MoverCoin, namesOther: boolean): number => {
  // A publication on crypto is context enough for a name at the head of a title.
  const native = publisherAt(item.url)?.isCryptoPress ?? false
  const context = wording.cryptoContext(title.lower) || wording.cryptoContext(summary.lower)
  const namesIn = ({ names }: Field) => names.filter(({ value }) => value.coinId === coin.id && isCoin(value))
  const isNamedIn = (field: Field): boolean =>
    namesIn(field).some(
      (match) =>
        isStrongForm(field.text, match) ||
        (nounFollows(field, match.end) && (context || native)) ||
        (!isAmbiguous(match.value) && match.value.role !== "symbol")
    )
  const best = (field: Field, facts: Facts): number =>
    Math.max(0, ...namesIn(field).map((match) => strengthOf(field, match, facts)))
  const facts = { context, native, named: isNamedIn(title) || isNamedIn(summary) }
  const inSummary = best(summary, facts)
  // In a title each word has its capital; a sentence of the summary settles what the word means.
  const inTitle = best(title, native && inSummary >= SETTLES ? { ...facts, named: true } : facts)
  return Math.max(inTitle, namesOther ? 0 : IN_SUMMARY_ALONE * inSummary)
}

/** Whether the name of its publisher begins with the coin's, or is it. */
const isOwnBlog = ({ item }: PoolItem, coin: MoverCoin): boolean =>
  new Field(item.publisher, catalogFor([coin])).names.some(
    ({ start, value }) => start === 0 && value.coinId === coin.id && isCoin(value)
  )
