// Links items to coins, precision first (WHY.md §3.5). A name that is also a word counts only in a strong form
// (`$NEAR`) or next to words about crypto that are not the name itself, and a headline has one subject.
import type { EvidenceItem } from "../domain/Evidence.ts"
import { fold } from "../domain/FoldedText.ts"
import { domainOf, publisherAt } from "../domain/Publishers.ts"
import * as AhoCorasick from "./AhoCorasick.ts"
import type { Catalog, CoinName } from "./CoinNames.ts"
import { coinNoun, MODIFIER, ONLY_DESCRIBES, TRADE_NOUN_BEFORE, wording } from "./Lexicon.ts"
import { isShouting, isTitleCase } from "./Text.ts"

/** A text with the names found in it. */
export interface Field {
  /** Folded, in its own case. */
  readonly text: string
  readonly lower: string
  readonly names: ReadonlyArray<AhoCorasick.Match<CoinName>>
  readonly titleCase: boolean
}

/** An item with the names found in it. */
export interface Scanned {
  readonly item: EvidenceItem
  readonly title: Field
  readonly summary: Field
  /** Whether its publisher writes about crypto only: context enough for a name at the head of a title. */
  readonly native: boolean
  /** Coins with whose name the publisher's name begins. */
  readonly publisherOf: ReadonlySet<string>
}

/** How an item and a coin belong together. */
export interface Link {
  /** How surely the item is about the coin, 0 to 1, salience included; 0 where it is not. */
  readonly strength: number
  readonly inTitle: boolean
  /** Only an exchange behind the coin is named. */
  readonly venueOnly: boolean
  /** The title's subject is another coin. */
  readonly otherLeads: boolean
  /** The title names coins in a row: "A, B and C". */
  readonly list: boolean
  /** The coin is only the chain on which something else happens: "a token on X". */
  readonly host: boolean
  /** The coin is only named in passing, in the summary: "others, such as X". */
  readonly aside: boolean
  /** The word occurs and does not mean the coin: the item is never cited. */
  readonly homonym: boolean
}

const PAIR = /^[/-](?:USDT?|USDC|BTC|ETH|EUR|KRW|FDUSD|BNB)\b/

/** Whether a name stands as only a ticker does: `$SYM`, `(SYM)`, `SYM/USDT`. */
export const isStrongForm = (text: string, { start, end }: AhoCorasick.Match<CoinName>): boolean =>
  text[start - 1] === "$" || (text[start - 1] === "(" && /^[)/,]/.test(text.slice(end))) || PAIR.test(text.slice(end))

const accepts = (text: string, shouting: boolean, match: AhoCorasick.Match<CoinName>): boolean => {
  const slice = text.slice(match.start, match.end)
  const { role, ambiguous, surface } = match.value
  if (role === "phrase" || role === "exchange")
    return !(role === "exchange" && /^[a-z]/.test(slice) && slice.length < 5)
  if (role === "symbol") {
    if (isStrongForm(text, match)) return true
    return !shouting && slice === slice.toUpperCase()
  }
  if (/^[a-z]/.test(surface) && slice === surface) return true
  if (ambiguous || slice.length <= 4 || role !== "name") return !(ambiguous && shouting) && /^[\p{Lu}\d]/u.test(slice)
  return true
}

const scanField = (raw: string, catalog: Catalog): Field => {
  const text = fold(raw)
  const shouting = isShouting(text)
  const lower = text.toLowerCase()
  const names =
    lower.length === text.length
      ? AhoCorasick.find(catalog, lower, (match) => accepts(text, shouting, match))
      : AhoCorasick.find(catalog, text, (match) => accepts(text, shouting, match))
  return { text, lower, names, titleCase: isTitleCase(text) }
}

/** Finds all names in an item. */
export const scan = (item: EvidenceItem, catalog: Catalog): Scanned => ({
  item,
  title: scanField(item.title, catalog),
  summary: scanField(item.summary, catalog),
  native: publisherAt(item.url)?.isCryptoPress ?? false,
  publisherOf: new Set(
    scanField(item.publisher, catalog)
      .names.filter(({ start, value }) => start === 0 && (isCoin(value) || value.role === "behind"))
      .map(({ value }) => value.coinId)
  )
})

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

const hasContext = (scanned: Scanned, coinId: string): boolean =>
  wording.cryptoContext(around(scanned.title, coinId)) || wording.cryptoContext(around(scanned.summary, coinId))

/** Whether the next word is one that only follows the name of a coin or chain: "NEAR token". */
export const nounFollows = (field: Field, end: number): boolean => coinNoun.test(field.lower.slice(end))

/** Whether the next word is a verb of the price: "COMP drops". */
const pricesNext = (field: Field, end: number): boolean => {
  const next = /^\s+(\w+)/.exec(field.lower.slice(end))?.[1] ?? ""
  return wording.up(next) || wording.down(next)
}

const startsSentence = (text: string, start: number): boolean =>
  start === 0 || /[.!?:;"]\s*$/.test(text.slice(0, start))

/** How sure a mention is whose name is also an ordinary word, given what else the item says. */
const ambiguousStrength = (
  field: Field,
  match: AhoCorasick.Match<CoinName>,
  facts: { readonly context: boolean; readonly named: boolean; readonly native: boolean }
): number => {
  if (match.value.role === "symbol") {
    if (facts.named) return 0.9
    if (!facts.context && !facts.native) return 0
    if (facts.native && pricesNext(field, match.end)) return 0.8
    return nounFollows(field, match.end) ? 0.85 : facts.context ? 0.75 : 0
  }
  if (nounFollows(field, match.end) && (facts.context || facts.native)) return 0.9
  if (facts.named) return 0.9
  if (match.value.rare && facts.context) return 0.75
  const before = field.text.slice(0, match.start)
  const after = field.text.slice(match.end)
  const isHead = startsSentence(field.text, match.start) && /^(?:'s)?\s+\p{L}/u.test(after)
  if (isHead && (facts.context || (facts.native && match.value.rare))) return 0.7
  // In a sentence of a publication on crypto, a capital is a name.
  if (facts.native && !field.titleCase && (isHead || !startsSentence(field.text, match.start))) return 0.7
  if (!facts.context) return 0
  if (TRADE_NOUN_BEFORE.test(before)) return 0.75
  const inPhrase = /\p{Lu}[\p{L}']*\s$/u.test(before)
  return field.titleCase ? (/^'s\s/.test(after) && !inPhrase ? 0.7 : 0) : 0.7
}

interface Mention {
  readonly match: AhoCorasick.Match<CoinName>
  readonly strength: number
}

const mentionsOf = (
  field: Field,
  scanned: Scanned,
  coinId: string,
  facts: { readonly context: boolean; readonly named: boolean; readonly native: boolean },
  isTitle: boolean
): ReadonlyArray<Mention> =>
  field.names
    .filter(({ value }) => value.coinId === coinId && value.role !== "venue")
    .map((match) => {
      const { role, ambiguous, surface } = match.value
      if (role === "symbol" && isStrongForm(field.text, match)) return { match, strength: 1 }
      if (ONLY_DESCRIBES.test(field.lower.slice(match.end))) return { match, strength: 0.2 }
      if (role === "symbol" && isTitle && scanned.item.type === "exchange_announcement") return { match, strength: 1 }
      if (ambiguous) return { match, strength: ambiguousStrength(field, match, facts) }
      if (role === "symbol")
        return { match, strength: surface.length >= 3 && (facts.context || facts.native || facts.named) ? 0.9 : 0 }
      return { match, strength: role === "behind" ? 0.85 : 0.95 }
    })

/** Whether a name is the coin's own, not that of a person or company behind it. */
export const isCoin = (name: CoinName): boolean => name.role === "name" || name.role === "symbol"

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
      isCoin(match.value) &&
      match.value.coinId !== coinId &&
      !own.some(({ match: mine }) => mine.start === match.start) &&
      (!match.value.ambiguous || isStrongForm(title.text, match) || nounFollows(title, match.end))
  )
  const first = own[0]?.match
  const before = others.filter((match) => first === undefined || match.end <= first.start)
  const ids = new Set(others.map((match) => match.value.coinId))
  const last = before.at(-1)
  const gap = last === undefined || first === undefined ? "" : title.lower.slice(last.end, first.start)
  const inRow = last !== undefined && first !== undefined && isRow(gap)
  const describes = before.length === 1 && first !== undefined && MODIFIER.test(gap)
  return { otherLeads: before.length > 0 && !describes, list: inRow || ids.size >= 2 }
}

const HOST_BEFORE = /\b(?:on|atop|on top of|built on)\s+(?:the\s+)?$/
const HOST_AFTER = /^-(?:based|native|powered)\b/

const isHost = (title: Field, own: ReadonlyArray<Mention>): boolean =>
  own.length > 0 &&
  own.every(
    ({ match }) =>
      (match.start > 0 && HOST_BEFORE.test(title.lower.slice(0, match.start))) ||
      HOST_AFTER.test(title.lower.slice(match.end))
  )

/** Links an item to a coin. `homepage` is the host of the project's own site. */
export const link = (
  scanned: Scanned,
  coin: { readonly id: string; readonly symbol: string; readonly name: string; readonly homepage: string | null }
): Link => {
  const { title, summary, item } = scanned
  const all = [...title.names, ...summary.names].filter(({ value }) => value.coinId === coin.id)
  const own = item.type === "project_blog" && isOwnBlog(scanned, coin)
  const context = hasContext(scanned, coin.id) || own
  const named =
    own ||
    [title, summary].some((field) =>
      field.names.some(
        (match) =>
          match.value.coinId === coin.id &&
          match.value.role !== "venue" &&
          (isStrongForm(field.text, match) ||
            (nounFollows(field, match.end) && (context || scanned.native)) ||
            (!match.value.ambiguous && match.value.role !== "symbol") ||
            (!match.value.ambiguous && match.value.surface.length >= 3 && (context || scanned.native)))
      )
    )
  const facts = { context, named, native: scanned.native }
  const inTitle = mentionsOf(title, scanned, coin.id, facts, true).filter(({ strength }) => strength > 0)
  const inSummary = mentionsOf(summary, scanned, coin.id, facts, false).filter(({ strength }) => strength > 0)
  const best = (mentions: ReadonlyArray<Mention>): number =>
    mentions.reduce((most, { strength }) => Math.max(most, strength), 0)
  const venue = all.some(({ value }) => value.role === "venue")
  const { otherLeads, list } = subjectOf(title, coin.id, inTitle)
  const strength = own ? 1 : Math.max(best(inTitle), 0.55 * best(inSummary))
  const venueOnly = strength === 0 && venue
  return {
    strength:
      venueOnly && title.names.some(({ value }) => value.role === "venue" && value.coinId === coin.id) ? 0.8 : strength,
    inTitle: inTitle.length > 0 || own || venueOnly,
    venueOnly,
    otherLeads: own ? false : otherLeads,
    list,
    host: isHost(title, inTitle),
    aside:
      !own &&
      inTitle.length === 0 &&
      inSummary.every(({ match }) => wording.aside(summary.lower.slice(0, match.start)) || isUntouched(summary, match)),
    homonym: strength === 0 && !venueOnly && mentionsWord(scanned, coin)
  }
}

const isOwnBlog = (
  { item, publisherOf }: Scanned,
  coin: { readonly id: string; readonly name: string; readonly homepage: string | null }
): boolean => {
  const host = coin.homepage === null ? null : domainOf(`https://${coin.homepage}`)
  return (
    (host !== null && domainOf(item.url) === host) ||
    publisherOf.has(coin.id) ||
    item.publisher.toLowerCase() === coin.name.toLowerCase()
  )
}

/** "X was little changed", "X is not affected". */
const isUntouched = (field: Field, { end }: AhoCorasick.Match<CoinName>): boolean =>
  /^[^.]{0,50}\b(?:not affected|unaffected|little changed|unchanged|not involved|flat|quiet|no impact|saw little|were mixed)\b/.test(
    field.lower.slice(end)
  )

const mentionsWord = (scanned: Scanned, coin: { readonly symbol: string; readonly name: string }): boolean => {
  const text = ` ${`${scanned.title.lower} ${scanned.summary.lower}`.replaceAll(/[^\p{L}\p{N}]+/gu, " ")} `
  return [coin.symbol, coin.name].some((word) => {
    const stem = word
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
      .trim()
    return stem.length >= 2 && (text.includes(` ${stem} `) || text.includes(` ${stem}s `))
  })
}
