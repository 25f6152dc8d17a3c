// Prices as directives of ledger programs: `P 2026-11-20 BTC 60123.45 EUR` for hledger, `2026-11-20 price BTC …` for
// Beancount. A commodity is the coin's symbol in the form that the program accepts. A coin without such a form is left out
// with a comment, and so is one whose symbol is a currency's: a ledger would value that currency by the coin.
import { isoCurrencies } from "../../domain/Fiat.ts"
import type { Written } from "../../domain/JsonNumber.ts"
import { visible } from "../../domain/visible.ts"

export type Ledger = "hledger" | "beancount"

export interface DatedPrice {
  /** `YYYY-MM-DD`. */
  readonly date: string
  readonly symbol: string
  readonly price: Written
  readonly fiat: string
}

/** The ISO 4217 codes of metals. */
const METALS = new Set(["XAG", "XAU", "XPD", "XPT"])

/** Whether a symbol is the code or the sign of a currency: `GEL`, `$`, `US$`. */
const isCurrency = (symbol: string): boolean =>
  isoCurrencies.has(symbol) || METALS.has(symbol) || /^[A-Z]{0,3}\p{Sc}+$/u.test(symbol)

/** Beancount reads these as values of its own. */
const RESERVED = new Set(["TRUE", "FALSE", "NULL"])

/** The symbol as a commodity; `undefined` if the program accepts no form of it. */
export const commodityOf = (ledger: Ledger, symbol: string): string | undefined => {
  if (isCurrency(symbol)) return undefined
  if (ledger === "beancount") {
    return /^[A-Z][A-Z0-9'._-]{0,22}[A-Z0-9]$/.test(symbol) && !RESERVED.has(symbol) ? symbol : undefined
  }
  if (/^\p{L}+$/u.test(symbol)) return symbol
  return symbol === "" || /[";\p{C}\p{Zl}\p{Zp}]/u.test(symbol) ? undefined : `"${symbol}"`
}

/** A comment line. */
export const leftOut = (subject: string, why: string): string => `; left out: ${visible(subject)} ${why}`

/** The lines, after a comment for each omitted symbol. Without lines one comment says so. */
export const priceDirectives = (
  ledger: Ledger,
  prices: ReadonlyArray<DatedPrice>,
  comments: ReadonlyArray<string> = []
): string => {
  const all = new Set(comments)
  const lines: Array<string> = []
  for (const { date, fiat, price, symbol } of prices) {
    const commodity = commodityOf(ledger, symbol)
    const amount = `${commodity} ${JSON.stringify(price)} ${fiat}`
    if (commodity !== undefined) lines.push(ledger === "hledger" ? `P ${date} ${amount}` : `${date} price ${amount}`)
    else all.add(leftOut(symbol, isCurrency(symbol) ? "is a currency too" : `is no commodity of ${ledger}`))
  }
  if (all.size + lines.length === 0) all.add("; no prices")
  return `${[...all, ...lines].join("\n")}\n`
}
