// Links items to coins, precision first (WHY.md §3.5). A name that is also a word counts only in a strong form
// (`$NEAR`) or next to words about crypto that are not the name itself, and a headline has one subject.
import { publisherAt } from "../domain/Publishers.ts"
import type * as NameIndex from "./NameIndex.ts"
import { catalogFor, type CoinName, isUsdStablecoin } from "./CoinNames.ts"
import { COMPARES, MODIFIER, ONLY_DESCRIBES, TRADE_NOUN_BEFORE, wording } from "./Lexicon.ts"
import type { MoverCoin } from "./WhyInput.ts"
import type { PoolItem } from "./Pool.ts"
import { Field, isCoin, isStrongForm, namesCoin, nounFollows } from "./Scanning.ts"
import { isTitleCase } from "./Text.ts"

/** How an item and a coin belong together. */
export interface Link {
  /** How surely the item is about the coin, 0 to 1, salience included; 0 where it is not. */
  readonly strength: number
  readonly inTitle: boolean
  /** Only an exchange behind the coin is named. */
  readonly venueOnly: boolean
  /** The title's subject is another coin. A USD stablecoin does not count as one. */
  readonly otherLeads: boolean
  /** The title names coins in a row: "A, B and C". */
  readonly list: boolean
  /** The title names the coin only in passing: "X is not affected". */
  readonly aside: boolean
}

/** The text without the coin's own names: the context must not come from the name itself. */
const around = (field: Field, coinId: string): string => {
  let text = ""
  let at = 0
  for (const { start, end, value } of field.names) {
    if (value.coinId !== coinId || start < at) continue
    text += `${field.lower.slice(at, start)} `
    at = end
  }
  return text + field.lower.slice(at)
}

const hasContext = ({ summary, title }: PoolItem, coinId: string): boolean =>
  wording.cryptoContext(around(title, coinId)) || wording.cryptoContext(around(summary, coinId))

/** Whether the next word is a verb of the price: "COMP drops". */
const pricesNext = (field: Field, end: number): boolean => {
  const next = /^\s+(\w+)/.exec(field.lower.slice(end))?.[1] ?? ""
  return wording.way(next) !== 0
}

/** Title case gives a preposition its capital too: what follows it begins a name of its own. */
const AFTER_PREPOSITION =
  /\b(?:About|Above|Across|After|Against|Among|Around|Before|Behind|Below|Beyond|Despite|During|Inside|Into|Over|Through|Toward|Towards|Under|Until|Upon|With|Within|Without) $/

const startsSentence = (text: string, start: number): boolean =>
  start === 0 || /[.!?:;"]\s*$/.test(text.slice(0, start))

/** What the rest of an item says: words about crypto, the coin named beyond doubt, a publisher that writes on nothing else. */
type Facts = Readonly<Record<"context" | "named" | "native", boolean>>

/**
 * Whether capitals alone show that an everyday word is a ticker: in a publication on crypto, or where the name is of four
 * letters or more and stands as an owner.
 */
const isTickerOnly = (field: Field, { end, start, value }: NameIndex.Match<CoinName>, { native }: Facts): boolean =>
  !value.rare && end - start >= (native ? 3 : 4) && (native || /^'s\s/.test(field.text.slice(end)))

/** How sure a mention is whose name is also an ordinary word, given what else the item says. */
const ambiguousStrength = (field: Field, match: NameIndex.Match<CoinName>, facts: Facts): number => {
  if (match.value.role === "symbol") {
    if (facts.named) return 0.9
    if (isTickerOnly(field, match, facts)) return 0.75
    if (!facts.context && !facts.native) return 0
    if (facts.native && pricesNext(field, match.end)) return 0.8
    // Publications on crypto open a headline with a word in capitals only where it is a ticker.
    if (facts.native && match.start === 0 && match.end - match.start >= 3) return 0.8
    return nounFollows(field, match.end) ? 0.85 : facts.context ? 0.75 : 0
  }
  if (nounFollows(field, match.end) && (facts.context || facts.native)) return 0.9
  if (facts.named) return 0.9
  if (match.value.rare && facts.context) return 0.75
  const before = field.text.slice(0, match.start)
  const after = field.text.slice(match.end)
  const isHead = startsSentence(field.text, match.start) && /^(?:'s?)?\s+\p{L}/u.test(after)
  if (isHead && (facts.context || (facts.native && match.value.rare))) return 0.7
  // In a sentence of a publication on crypto, a capital is a name.
  if (facts.native && !isTitleCase(field.text) && (isHead || !startsSentence(field.text, match.start))) return 0.7
  if (!facts.context) return 0
  if (TRADE_NOUN_BEFORE.test(before)) return 0.75
  const inPhrase = /\p{Lu}[\p{L}']*\s$/u.test(before) && !AFTER_PREPOSITION.test(before)
  return isTitleCase(field.text) ? (/^'s?\s/.test(after) && !inPhrase ? 0.7 : 0) : 0.7
}

/** "Seagate (STX)": the ticker of the company before it. */
const isTickerOfOther = ({ names, text }: Field, { start, value }: NameIndex.Match<CoinName>): boolean =>
  /\p{Lu}[\p{L}\d]+ \($/u.test(text.slice(0, start)) &&
  !names.some((other) => other.value.coinId === value.coinId && other.end >= start - 2 && other.end < start)

interface Mention {
  readonly match: NameIndex.Match<CoinName>
  readonly strength: number
}

/** How sure a mention is. `isAnnounced`: it stands in the title of an exchange's announcement. */
const strengthOf = (field: Field, match: NameIndex.Match<CoinName>, facts: Facts, isAnnounced: boolean): number => {
  const { ambiguous, role, surface } = match.value
  if (role === "symbol" && isStrongForm(field.text, match))
    return facts.context || facts.native || !isTickerOfOther(field, match) ? 1 : 0
  if (ONLY_DESCRIBES.test(field.lower.slice(match.end)) || COMPARES.test(field.lower.slice(0, match.start))) return 0.2
  if (role === "symbol" && isAnnounced) return 1
  if (ambiguous) return ambiguousStrength(field, match, facts)
  if (role === "symbol") return surface.length >= 3 && (facts.context || facts.native || facts.named) ? 0.9 : 0
  return role === "behind" ? 0.85 : 0.95
}

/** Whether only names stand between two names: "A, B and C". */
const isRow = (gap: string): boolean => {
  const parts = gap.split(/,|&|\/|\b(?:and|or|plus)\b/)
  return parts.length > 1 && parts.every((part) => part.trim().split(/\s+/).length <= 2)
}

const subjectOf = (
  title: Field,
  coinId: string,
  own: ReadonlyArray<Mention>
): { readonly otherLeads: boolean; readonly list: boolean } => {
  const others = title.names.filter(
    (match) =>
      match.value.coinId !== coinId &&
      namesCoin(title, match) &&
      !isUsdStablecoin(match.value.surface) &&
      !own.some(({ match: mine }) => mine.start === match.start)
  )
  const isOfSeveral = new Set(others.map(({ value }) => value.coinId)).size >= 2
  const first = own[0]?.match
  if (first === undefined) return { otherLeads: others.length > 0, list: isOfSeveral }
  const before = others.filter(({ end }) => end <= first.start)
  const last = before.at(-1)
  if (last === undefined) return { otherLeads: false, list: isOfSeveral }
  const gap = title.lower.slice(last.end, first.start)
  return { otherLeads: before.length > 1 || !MODIFIER.test(gap), list: isOfSeveral || isRow(gap) }
}

/** A mention in the summary as sure as this settles one in the title. */
const SETTLES = 0.7

export const link = (entry: PoolItem, coin: MoverCoin): Link => {
  const { item, summary, title } = entry
  const isOfCoin = ({ value }: NameIndex.Match<CoinName>): boolean => value.coinId === coin.id
  const own = item.type === "project_blog" && isOwnBlog(entry, coin)
  // A publication on crypto is context enough for a name at the head of a title.
  const native = publisherAt(item.url)?.isCryptoPress ?? false
  const context = hasContext(entry, coin.id) || own
  const namesIn = ({ names }: Field) => names.filter((match) => isOfCoin(match) && match.value.role !== "venue")
  const isNamedIn = (field: Field): boolean =>
    namesIn(field).some(
      (match) =>
        isStrongForm(field.text, match) ||
        (nounFollows(field, match.end) && (context || native)) ||
        (!match.value.ambiguous &&
          (match.value.role !== "symbol" || (match.value.surface.length >= 3 && (context || native))))
    )
  const facts = { context, native, named: own || isNamedIn(title) || isNamedIn(summary) }
  const mentionsIn = (field: Field, isAnnounced: boolean, known = facts): ReadonlyArray<Mention> =>
    namesIn(field)
      .map((match) => ({ match, strength: strengthOf(field, match, known, isAnnounced) }))
      .filter(({ strength }) => strength > 0)
  const inSummary = mentionsIn(summary, false)
  // In a title each word has its capital; a sentence of the summary settles what the word means.
  const isSettled = facts.named || (native && inSummary.some(({ strength }) => strength >= SETTLES))
  const inTitle = mentionsIn(title, item.type === "exchange_announcement", { ...facts, named: isSettled })
  const best = (mentions: ReadonlyArray<Mention>): number => Math.max(0, ...mentions.map(({ strength }) => strength))
  const isVenueIn = ({ names }: Field): boolean =>
    names.some((match) => isOfCoin(match) && match.value.role === "venue")
  const { otherLeads, list } = subjectOf(title, coin.id, inTitle)
  const isOther = wording.namesake(`${title.lower} ${summary.lower}`)
  const strength = own ? 1 : isOther ? 0 : Math.max(best(inTitle), 0.55 * best(inSummary))
  const venueOnly = strength === 0 && (isVenueIn(title) || isVenueIn(summary))
  return {
    strength: venueOnly && isVenueIn(title) ? 0.8 : strength,
    inTitle: inTitle.length > 0 || own || venueOnly,
    venueOnly,
    otherLeads: otherLeads && !own,
    list,
    aside: !own && inTitle.length > 0 && inTitle.every(({ match }) => isUntouched(title, match))
  }
}

/** Whether the name of its publisher begins with the coin's, or is it. */
const isOwnBlog = ({ item }: PoolItem, coin: MoverCoin): boolean =>
  item.publisher.toLowerCase() === coin.name.toLowerCase() ||
  new Field(item.publisher, catalogFor([coin])).names.some(
    ({ start, value }) => start === 0 && value.coinId === coin.id && (isCoin(value) || value.role === "behind")
  )

/** "After the bid for X, Canary files for Y": the sentence is about the other coin. */
const isOnlyOpening = ({ lower, names }: Field, { end, start, value }: NameIndex.Match<CoinName>): boolean => {
  const comma = lower.indexOf(",", end)
  const opens = /^(?:after|alongside|besides|beyond|following|like|since|unlike)\b[^,]*$/.test(lower.slice(0, start))
  return (
    opens &&
    names.some(
      (other) => comma > 0 && other.start > comma && other.value.coinId !== value.coinId && isCoin(other.value)
    )
  )
}

/** "X was little changed", "X is not affected". */
const isUntouched = (field: Field, match: NameIndex.Match<CoinName>): boolean =>
  isOnlyOpening(field, match) ||
  /^[^.]{0,50}\b(?:not affected|unaffected|little changed|unchanged|not involved|flat|quiet|no impact|saw little|were mixed)\b/.test(
    field.lower.slice(match.end)
  )

/** Whether an item that is not about the coin has the word that it is called by: it is never cited. */
export const isHomonym = ({ summary, title }: PoolItem, coin: MoverCoin, { strength, venueOnly }: Link): boolean => {
  if (strength > 0 || venueOnly) return false
  const text = ` ${`${title.lower} ${summary.lower}`.replaceAll(/[^\p{L}\p{N}]+/gu, " ")} `
  return [coin.symbol, coin.name].some((word) => {
    const stem = word
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
      .trim()
    return stem.length >= 2 && (text.includes(` ${stem} `) || text.includes(` ${stem}s `))
  })
}
