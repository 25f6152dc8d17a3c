// How exchanges name pairs and write figures.
import type { SpotBook } from "../ExchangeBooks.ts"
import { ok, significant, type WireReply, type WireRequest } from "../Wire.ts"

/** Figures as exchanges write them: nine significant digits, without an exponent. */
export const text = (value: number | null): string => {
  if (value === null) return "0"
  const short = significant(value, 9)
  return short >= 1e-6 ? String(short) : short.toFixed(18).replace(/0+$/, "")
}

/** A reply of an exchange's host, with the time of its clock. */
export const at = (request: WireRequest, body: unknown): WireReply => ({ ...ok(body), date: request.at })

const krakenSymbols: Readonly<Record<string, string>> = { BTC: "XBT", DOGE: "XDG" }
const krakenLegacy = new Set(["XBT", "ETH", "LTC", "XRP", "XMR", "ZEC", "ETC", "XLM", "XDG"])

export const krakenBase = ({ base }: Pick<SpotBook, "base">): string => krakenSymbols[base] ?? base

export const krakenKey = (book: Pick<SpotBook, "base" | "quote">): string => {
  const base = krakenBase(book)
  if (book.quote !== "USD") return base + book.quote
  if (base === "USDT") return "USDTZUSD"
  return krakenLegacy.has(base) && base !== "XDG" ? `X${base}ZUSD` : `${base}USD`
}

const bitfinexSymbols: Readonly<Record<string, string>> = {
  USDT: "UST",
  USDC: "UDC",
  ALGO: "ALG",
  ATOM: "ATO",
  DASH: "DSH",
  IOTA: "IOT",
  MANA: "MNA",
  QTUM: "QTM"
}

export const bitfinexName = (book: Pick<SpotBook, "base" | "quote">): string => {
  const [base = "", quote = ""] = [book.base, book.quote].map((symbol) => bitfinexSymbols[symbol] ?? symbol)
  return base.length === 3 ? `t${base}${quote}` : `t${base}:${quote}`
}

export const dashed = ({ base, quote }: Pick<SpotBook, "base" | "quote">): string => `${base}-${quote}`
