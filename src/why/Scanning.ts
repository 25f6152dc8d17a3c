// Finds the names in an item, and replaces each by a mask: the coin, another coin, an exchange. So one pattern fits every coin, and
// distinguishes what happened to the coin from what happened to another.
import { fold } from "../domain/FoldedText.ts"
import { type Catalog, type CoinName, isAmbiguous, isUsdStablecoin } from "./CoinNames.ts"
import { coinNoun, MASKS } from "./Lexicon.ts"
import * as NameIndex from "./NameIndex.ts"

const PAIR = /^[/-](?:USDT?|USDC|BTC|ETH|EUR|KRW|FDUSD|BNB)\b/

/** Whether a name is written as only tickers are: `$SYM`, `(SYM)`, `SYM/USDT`. */
export const isStrongForm = (text: string, { end, start }: NameIndex.Match<CoinName>): boolean =>
  text[start - 1] === "$" || (text[start - 1] === "(" && /^[)/,]/.test(text.slice(end))) || PAIR.test(text.slice(end))

/** A ticker of four letters or more that is written like a name: "Jasmy", and "Rune's mainnet", where it is also a word. */
const isWrittenAsName = (text: string, { end, start, value }: NameIndex.Match<CoinName>): boolean =>
  end - start >= 4 &&
  /^\p{Lu}\p{Ll}+$/u.test(text.slice(start, end)) &&
  (!isAmbiguous(value) || text.slice(end, end + 3) === "'s ")

const accepts = (text: string, match: NameIndex.Match<CoinName>): boolean => {
  const slice = text.slice(match.start, match.end)
  const { role, surface } = match.value
  if (role === "exchange" || isStrongForm(text, match)) return true
  if (role === "symbol")
    return slice === slice.toUpperCase() ? slice.length >= 3 || text[match.end] !== "-" : isWrittenAsName(text, match)
  return /^[\p{Lu}\d]/u.test(slice) || slice === surface || (slice.length > 4 && !isAmbiguous(match.value))
}

/** A text with the names found in it. They are looked for when first asked for: few items name a mover. */
export class Field {
  /** Folded, in its own case. */
  readonly text: string
  readonly lower: string
  readonly #catalog: Catalog
  #names: ReadonlyArray<NameIndex.Match<CoinName>> | undefined

  constructor(raw: string, catalog: Catalog) {
    this.text = fold(raw)
    this.lower = this.text.toLowerCase()
    this.#catalog = catalog
  }

  get names(): ReadonlyArray<NameIndex.Match<CoinName>> {
    const { lower, text } = this
    // Places in the lower-case text must be those in the text.
    const sought = lower.length === text.length ? lower : text
    return (this.#names ??= NameIndex.find(this.#catalog, sought, (match) => accepts(text, match)))
  }
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
