// Finds the names in an item, and replaces each by a mask: the coin, another coin, an exchange. So one pattern fits every coin, and
// distinguishes what happened to the coin from what happened to another.
import { fold } from "../domain/FoldedText.ts"
import { memoized } from "../domain/rememberEach.ts"
import { type Catalog, type CoinName, isAmbiguous, isPlain, isUsdStablecoin } from "./CoinNames.ts"
import { coinNoun, MASKS } from "./Lexicon.ts"
import * as NameIndex from "./NameIndex.ts"
import { isShouting } from "./Text.ts"

const PAIR = /^[/-](?:USDT?|USDC|BTC|ETH|EUR|KRW|FDUSD|BNB)\b/

/** "12,000 SYM", "$25 Million in SYM" */
const COUNTED = /\$?\d[\d.,]*\s?(?:k|m|bn?|thousand|million|billion)?\s(?:(?:worth )?(?:in|of)\s)?$/i

/** Whether a name is written as only tickers are: `$SYM`, `(SYM)`, `SYM/USDT`, `500 SYM`. */
export const isStrongForm = (text: string, { start, end, value }: NameIndex.Match<CoinName>): boolean =>
  text[start - 1] === "$" ||
  (text[start - 1] === "(" && /^[)/,]/.test(text.slice(end))) ||
  PAIR.test(text.slice(end)) ||
  (value.role === "symbol" &&
    end - start >= 3 &&
    text.slice(start, end) === value.surface &&
    COUNTED.test(text.slice(Math.max(0, start - 30), start)))

/** A ticker of four letters or more that is written like a name: "Jasmy", and "Rune's mainnet", where it is also a word. */
const isWrittenAsName = (text: string, { end, start, value }: NameIndex.Match<CoinName>): boolean =>
  end - start >= 4 &&
  /^\p{Lu}\p{Ll}+$/u.test(text.slice(start, end)) &&
  (!isAmbiguous(value) || text.slice(end, end + 3) === "'s ")

const accepts = (text: string, isLoud: () => boolean, match: NameIndex.Match<CoinName>): boolean => {
  const slice = text.slice(match.start, match.end)
  const { role, surface } = match.value
  if (role === "exchange") return true
  if (role === "symbol") {
    if (isStrongForm(text, match)) return true
    // The "op" of "op-ed" is no ticker.
    if (slice.length < 3 && text[match.end] === "-") return false
    return slice === slice.toUpperCase() ? !isLoud() : isWrittenAsName(text, match)
  }
  if (/^[a-z]/.test(surface) && slice === surface) return true
  if (isPlain(match.value)) return slice.split(/\s+/).every((word) => !/^\p{Ll}/u.test(word))
  if (/^[\p{Lu}\d]/u.test(slice)) return !isLoud() || !isAmbiguous(match.value)
  return slice.length > 4 && role === "name" && !isAmbiguous(match.value)
}

/** A text with the names found in it. It is read when it is first asked for: few texts of items that name no mover ever are. */
export class Field {
  readonly #raw: string
  readonly #catalog: Catalog
  #text: string | undefined
  #lower: string | undefined
  #names: ReadonlyArray<NameIndex.Match<CoinName>> | undefined

  constructor(raw: string, catalog: Catalog) {
    this.#raw = raw
    this.#catalog = catalog
  }

  /** Folded, in its own case. */
  get text(): string {
    return (this.#text ??= fold(this.#raw))
  }

  get lower(): string {
    return (this.#lower ??= this.text.toLowerCase())
  }

  get names(): ReadonlyArray<NameIndex.Match<CoinName>> {
    return (this.#names ??= namesIn(this, this.#catalog))
  }
}

const namesIn = ({ lower, text }: Field, catalog: Catalog): ReadonlyArray<NameIndex.Match<CoinName>> => {
  const isLoud = memoized(() => isShouting(text))
  // Places in the lower-case text must be those in the text.
  return NameIndex.find(catalog, lower.length === text.length ? lower : text, (match) => accepts(text, isLoud, match))
}

/** Whether the next word is one that only follows the name of a coin or chain: "NEAR token". */
export const nounFollows = (field: Field, end: number): boolean => coinNoun.test(field.lower.slice(end))

/** Whether a name is a coin's, or of somebody behind it, and no exchange's. */
export const isCoin = (name: CoinName): boolean => name.role !== "exchange"

/** Whether a name is surely a coin's, be it also a word. */
export const namesCoin = (field: Field, match: NameIndex.Match<CoinName>): boolean =>
  isCoin(match.value) && (!isAmbiguous(match.value) || isStrongForm(field.text, match) || nounFollows(field, match.end))

/** A field in lower case with the coin, other coins and exchanges masked. */
export const masked = (field: Field, coinId: string): string => {
  let text = ""
  let at = 0
  for (const { start, end, value } of field.names) {
    if (start < at) continue
    const here = field.names.filter((match) => match.start === start && match.end === end)
    const isOwn = here.some((match) => match.value.coinId === coinId && match.value.role !== "exchange")
    const isExchange = here.some((match) => match.value.role === "exchange")
    const isOther = here.some((match) => namesCoin(field, match))
    const mask = isOwn ? MASKS.coin : isExchange ? MASKS.exch : isOther ? MASKS.other : null
    if (mask === null) continue
    // A stablecoin's price is its peg, so the pattern has to know that it is one.
    text += field.lower.slice(at, start) + mask + (isUsdStablecoin(value.surface) ? " stablecoin" : "")
    at = end
  }
  return text + field.lower.slice(at)
}
