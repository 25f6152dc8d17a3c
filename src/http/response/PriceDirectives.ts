// Prices as directives of ledger programs: `P 2026-11-20 BTC 60123.45 EUR` for hledger, `2026-11-20 price BTC …` for
// Beancount. A commodity is the coin's symbol in the form that the program accepts. A coin without such a form is omitted,
// with a comment.
import type { Written } from "../../domain/JsonNumber.ts"

export type Ledger = "hledger" | "beancount"

export interface DatedPrice {
  /** `YYYY-MM-DD`. */
  readonly date: string
  readonly symbol: string
  readonly price: Written
  readonly fiat: string
}

/** Beancount reads these as values of its own. */
const RESERVED = new Set(["TRUE", "FALSE", "NULL"])

/** The symbol as a commodity; `undefined` if the program accepts no form of it. */
export const commodityOf = (ledger: Ledger, symbol: string): string | undefined => {
  if (ledger === "beancount") {
    return /^[A-Z][A-Z0-9'._-]{0,22}[A-Z0-9]$/.test(symbol) && !RESERVED.has(symbol) ? symbol : undefined
  }
  if (/^\p{L}+$/u.test(symbol)) return symbol
  return symbol === "" || /[";\p{C}\p{Zl}\p{Zp}]/u.test(symbol) ? undefined : `"${symbol}"`
}

const visible = (text: string): string => text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "")

/** The lines, and a comment for each omitted symbol. If both are empty, one comment says so. */
export const priceDirectives = (ledger: Ledger, prices: ReadonlyArray<DatedPrice>): string => {
  const comments = new Map<string, string>()
  const lines: Array<string> = []
  for (const { date, fiat, price, symbol } of prices) {
    const commodity = commodityOf(ledger, symbol)
    const amount = `${commodity} ${JSON.stringify(price)} ${fiat}`
    if (commodity === undefined) comments.set(symbol, `; left out: ${visible(symbol)} is no commodity of ${ledger}`)
    else lines.push(ledger === "hledger" ? `P ${date} ${amount}` : `${date} price ${amount}`)
  }
  const all = [...comments.values(), ...lines]
  return `${(all.length === 0 ? ["; no prices"] : all).join("\n")}\n`
}
