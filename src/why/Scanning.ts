// Reads an item for the names in it, before any coin is asked about, and masks them: what replaces a name says what it
// is, so that a pattern can tell what was done to the coin from what was done to another, whatever the coin is called.
import type { EvidenceItem } from "../domain/Evidence.ts"
import { fold } from "../domain/FoldedText.ts"
import { publisherAt } from "../domain/Publishers.ts"
import { type Catalog, type CoinName, isUsdStablecoin } from "./CoinNames.ts"
import { coinNoun, MASKS } from "./Lexicon.ts"
import * as NameIndex from "./NameIndex.ts"
import { once } from "./Once.ts"
import { isJargon } from "./Statement.ts"
import { isShouting, isTitleCase } from "./Text.ts"

/** A text with the names found in it. */
export interface Field {
  /** Folded, in its own case. */
  readonly text: string
  readonly lower: string
  readonly names: ReadonlyArray<NameIndex.Match<CoinName>>
  readonly isTitleCase: () => boolean
}

/** An item with the names found in it. */
export interface Scanned {
  readonly item: EvidenceItem
  readonly title: Field
  readonly summary: Field
  /** Whether its publisher writes about crypto only: context enough for a name at the head of a title. */
  readonly native: boolean
  /** Coins with whose name the publisher's name begins. */
  readonly publisherOf: () => ReadonlySet<string>
  /** Its words, each between two spaces. */
  readonly words: () => string
}

const PAIR = /^[/-](?:USDT?|USDC|BTC|ETH|EUR|KRW|FDUSD|BNB)\b/

/** "12,000 SYM", "$25 Million in SYM" */
const COUNTED = /\$?\d[\d.,]*\s?(?:k|m|bn?|thousand|million|billion)?\s(?:(?:worth )?(?:in|of)\s)?$/i

/** Whether a name stands as only a ticker does: `$SYM`, `(SYM)`, `SYM/USDT`, `500 SYM`. */
export const isStrongForm = (text: string, { start, end, value }: NameIndex.Match<CoinName>): boolean =>
  text[start - 1] === "$" ||
  (text[start - 1] === "(" && /^[)/,]/.test(text.slice(end))) ||
  PAIR.test(text.slice(end)) ||
  (value.role === "symbol" &&
    end - start >= 3 &&
    text.slice(start, end) === value.surface &&
    COUNTED.test(text.slice(Math.max(0, start - 30), start)) &&
    !isShouting(text) &&
    !isJargon(value.surface))

const accepts = (text: string, shouting: () => boolean, match: NameIndex.Match<CoinName>): boolean => {
  const slice = text.slice(match.start, match.end)
  const { role, ambiguous, surface } = match.value
  if (role === "phrase") return true
  if (role === "exchange") return !/^[a-z]/.test(slice) || slice.length >= 5
  if (role === "symbol") return isStrongForm(text, match) || (slice === slice.toUpperCase() && !shouting())
  if (/^[a-z]/.test(surface) && slice === surface) return true
  if (match.value.plain) return slice.split(/\s+/).every((word) => !/^\p{Ll}/u.test(word))
  if (ambiguous || slice.length <= 4 || role !== "name") return /^[\p{Lu}\d]/u.test(slice) && !(ambiguous && shouting())
  return true
}

const scanField = (raw: string, catalog: Catalog): Field => {
  const text = fold(raw)
  const shouting = once(() => isShouting(text))
  const lower = text.toLowerCase()
  // Places in the lower-case text must be those in the text.
  const searched = lower.length === text.length ? lower : text
  const names = NameIndex.find(catalog, searched, (match) => accepts(text, shouting, match))
  return { text, lower, names, isTitleCase: once(() => isTitleCase(text)) }
}

export const scan = (item: EvidenceItem, catalog: Catalog): Scanned => {
  const title = scanField(item.title, catalog)
  const summary = scanField(item.summary, catalog)
  return {
    item,
    title,
    summary,
    native: publisherAt(item.url)?.isCryptoPress ?? false,
    publisherOf: once(
      () =>
        new Set(
          scanField(item.publisher, catalog)
            .names.filter(({ start, value }) => start === 0 && (isCoin(value) || value.role === "behind"))
            .map(({ value }) => value.coinId)
        )
    ),
    words: once(() => ` ${`${title.lower} ${summary.lower}`.replaceAll(/[^\p{L}\p{N}]+/gu, " ")} `)
  }
}

/** Whether the next word is one that only follows the name of a coin or chain: "NEAR token". */
export const nounFollows = (field: Field, end: number): boolean => coinNoun.test(field.lower.slice(end))

/** Whether a name is the coin's own, not that of a person or company behind it. */
export const isCoin = (name: CoinName): boolean => name.role === "name" || name.role === "symbol"

/** Whether a name is surely a coin's, be it also a word. */
export const namesCoin = (field: Field, match: NameIndex.Match<CoinName>): boolean =>
  isCoin(match.value) && (!match.value.ambiguous || isStrongForm(field.text, match) || nounFollows(field, match.end))

/** A field in lower case with the coin (`null`: none), other coins and exchanges masked. */
export const masked = (field: Field, coinId: string | null): string => {
  let text = ""
  let at = 0
  for (const { start, end, value } of field.names) {
    if (start < at || value.role === "phrase") continue
    const here = field.names.filter((match) => match.start === start && match.end === end)
    const isOwn = here.some((match) => match.value.coinId === coinId && match.value.role !== "venue")
    const isExchange = here.some((match) => match.value.role === "exchange" || match.value.role === "venue")
    const isOther = here.some((match) => namesCoin(field, match))
    const mask = isOwn ? MASKS.coin : isExchange ? MASKS.exch : isOther ? MASKS.other : null
    if (mask === null) continue
    // A stablecoin's name tells what it is: its price is its peg.
    text += field.lower.slice(at, start) + mask + (isUsdStablecoin(value.surface) ? " stablecoin" : "")
    at = end
  }
  return text + field.lower.slice(at)
}
