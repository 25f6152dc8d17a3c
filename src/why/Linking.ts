// Links items to coins, precision first (WHY.md §3.5). A name that is also a word counts only in a strong form
// (`$NEAR`) or next to words about crypto that are not the name itself.
import { publisherAt } from "../domain/Publishers.ts"
import type * as NameIndex from "./NameIndex.ts"
import { catalogFor, type CoinName, isAmbiguous, isRare } from "./CoinNames.ts"
import { COMPARES, ONLY_DESCRIBES, wording } from "./Lexicon.ts"
import type { MoverCoin } from "./WhyInput.ts"
import type { PoolItem } from "./Pool.ts"
import { Field, isCoin, isStrongForm, namesCoin, nounFollows } from "./Scanning.ts"
import { isTitleCase } from "./Text.ts"

/** How an item and a coin belong together. */
export interface Link {
  /** How surely the item is about the coin, 0 to 1, salience included; 0 where it is not. */
  readonly strength: number
  /** Only an exchange behind the coin is named, and no other coin. */
  readonly venueOnly: boolean
}

/** What the rest of an item says: words about crypto, the coin named beyond doubt, a publisher that writes on nothing else. */
type Facts = Readonly<Record<"context" | "named" | "native", boolean>>

/** How sure a mention is whose name is also an ordinary word, given what else the item says. */
const ambiguousStrength = (field: Field, { end, start, value }: NameIndex.Match<CoinName>, facts: Facts): number => {
  if (facts.named) return 0.9
  if (value.role === "symbol") {
    // Capitals alone show a ticker in a publication on crypto.
    const isTicker = facts.native && end - start >= 3 && (!isRare(value) || start === 0)
    return facts.context || isTicker ? 0.75 : 0
  }
  if (isRare(value) && facts.context) return 0.75
  const starts = start === 0 || /[.!?:;"]\s*$/.test(field.text.slice(0, start))
  const isHead = starts && /^(?:'s?)?\s+\p{L}/u.test(field.text.slice(end))
  if (isHead && (facts.context || (facts.native && isRare(value)))) return 0.7
  // In a sentence about crypto, a capital is a name.
  const isSentence = facts.context || (facts.native && (isHead || !starts))
  return isSentence && !isTitleCase(field.text) ? 0.7 : 0
}

/** "Seagate (STX)": the ticker of the company before it. */
const isTickerOfOther = ({ names, text }: Field, { start, value }: NameIndex.Match<CoinName>): boolean =>
  /\p{Lu}[\p{L}\d]+ \($/u.test(text.slice(0, start)) &&
  !names.some((other) => other.value.coinId === value.coinId && other.end >= start - 2 && other.end < start)

/** How sure a mention is. */
const strengthOf = (field: Field, match: NameIndex.Match<CoinName>, facts: Facts): number => {
  const { role, surface } = match.value
  if (role === "symbol" && isStrongForm(field.text, match))
    return facts.context || facts.native || !isTickerOfOther(field, match) ? 1 : 0
  if (ONLY_DESCRIBES.test(field.lower.slice(match.end)) || COMPARES.test(field.lower.slice(0, match.start))) return 0.2
  if (isAmbiguous(match.value)) return ambiguousStrength(field, match, facts)
  if (role === "symbol") return surface.length >= 3 && (facts.context || facts.native || facts.named) ? 0.9 : 0
  return 0.95
}

/** A mention in the summary as sure as this settles one in the title. */
const SETTLES = 0.7

/** What a mention in the summary alone is worth. */
const IN_SUMMARY = 0.55

export const link = (entry: PoolItem, coin: MoverCoin): Link => {
  const { item, summary, title } = entry
  const isOwn = item.type === "project_blog" && isOwnBlog(entry, coin)
  // A publication on crypto is context enough for a name at the head of a title.
  const native = publisherAt(item.url)?.isCryptoPress ?? false
  const context = wording.cryptoContext(title.lower) || wording.cryptoContext(summary.lower)
  const namesIn = ({ names }: Field) =>
    names.filter(({ value }) => value.coinId === coin.id && value.role !== "exchange")
  const isNamedIn = (field: Field): boolean =>
    namesIn(field).some(
      (match) =>
        isStrongForm(field.text, match) ||
        (nounFollows(field, match.end) && (context || native)) ||
        (!isAmbiguous(match.value) && match.value.role !== "symbol")
    )
  const best = (field: Field, facts: Facts): number =>
    Math.max(0, ...namesIn(field).map((match) => strengthOf(field, match, facts)))
  /** Its ticker and its name together are no coincidence: "Mantra says … OM's fall". */
  const hasBoth =
    new Set([...namesIn(title), ...namesIn(summary)].map(({ value }) => value.surface.toLowerCase())).size > 1
  const named = isNamedIn(title) || isNamedIn(summary) || (hasBoth && (context || native))
  const facts = { context, native, named }
  const inSummary = best(summary, facts)
  // In a title each word has its capital; a sentence of the summary settles what the word means.
  const inTitle = best(title, native && inSummary >= SETTLES ? { ...facts, named: true } : facts)
  const isOther = wording.namesake(`${title.lower} ${summary.lower}`)
  const namesOther = title.names.some((match) => match.value.coinId !== coin.id && namesCoin(title, match))
  const strength = isOwn ? 1 : isOther ? 0 : Math.max(inTitle, namesOther ? 0 : IN_SUMMARY * inSummary)
  const isVenue = title.names.some(({ value }) => value.coinId === coin.id && value.role === "exchange")
  const venueOnly = strength === 0 && isVenue && !namesOther
  return { strength: venueOnly ? 0.8 : strength, venueOnly }
}

/** Whether the name of its publisher begins with the coin's, or is it. */
const isOwnBlog = ({ item }: PoolItem, coin: MoverCoin): boolean =>
  item.publisher.toLowerCase() === coin.name.toLowerCase() ||
  new Field(item.publisher, catalogFor([coin])).names.some(
    ({ start, value }) => start === 0 && value.coinId === coin.id && isCoin(value)
  )
