// Formats figures. A figure is the text that the API sent. The page rounds it for reading, and the element's title has every digit.
import type { Figure } from "./Answers.ts"

export type Format = (figure: Figure | number) => string

export const numberOf = (figure: Figure | null): number | null => (figure === null ? null : Number(figure))

/** Intl puts a non-breaking space between a code and its number. */
const formatBy = (options: Intl.NumberFormatOptions): Format => {
  const format = new Intl.NumberFormat("en", options)
  return (figure) => format.format(Number(figure)).replace("-", "−").replaceAll("\u00a0", " ")
}

/** Every digit, with commas between thousands. */
export const exact = (figure: Figure): string =>
  figure.replace(/^-?\d+/, (whole) => whole.replaceAll(/\B(?=(\d{3})+$)/g, ",")).replace("-", "−")

const TWO_DECIMALS = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
const FOUR_DIGITS = { minimumFractionDigits: 0, maximumSignificantDigits: 4 }

/** Two decimals from `least` up, four significant digits below. */
const readable = (options: Intl.NumberFormatOptions, least = 0.99995): Format => {
  const [cents, fourDigits] = [TWO_DECIMALS, FOUR_DIGITS].map((digits) => formatBy({ ...options, ...digits }))
  return (figure) => {
    const size = Math.abs(Number(figure))
    return (size !== 0 && size < least ? fourDigits : cents)?.(figure) ?? ""
  }
}

export const amount = readable({})
export const whole = formatBy({ maximumFractionDigits: 0 })

/** An amount of a coin: eight significant digits below a thousand. */
const manyDigits = formatBy({ maximumSignificantDigits: 8 })
export const coins: Format = (figure) => (Math.abs(Number(figure)) < 1000 ? manyDigits(figure) : amount(figure))

const currency = (fiat: string): Intl.NumberFormatOptions => ({
  style: "currency",
  currency: fiat,
  currencyDisplay: "narrowSymbol"
})

/** Money in a fiat, by its code. */
export const money = (fiat: string): Format => readable(currency(fiat))

export const dollars = money("USD")
export const shortDollars = formatBy({ ...currency("USD"), ...TWO_DECIMALS, notation: "compact" })
export const percent = readable({ style: "unit", unit: "percent" }, 0.1)

const signed = formatBy({ ...TWO_DECIMALS, signDisplay: "exceptZero" })
export const change: Format = (figure) => `${signed(figure)}%`
export const points: Format = (figure) => `${signed(figure)} points`

/** Replaces hyphens before numbers by the minus sign. */
export const minus = (text: string): string => text.replaceAll(/(?<![\w.])-(?=\d)/g, "−")

/** A code such as `order_book` in words. */
export const words = (code: string): string => code.replaceAll("_", " ")

const currencies = Intl.supportedValuesOf("currency")
const names = new Intl.DisplayNames("en", { type: "currency" })

/** Whether a code in upper case is a fiat's. */
export const isCurrency = (code: string): boolean => currencies.includes(code)

/** The English name of a fiat, such as `Kenyan Shilling`. */
export const nameOf = (fiat: string): string => names.of(fiat) ?? fiat

/** The fiat with this name, or with this last word if only one has it: `naira`. */
export const fiatNamed = (text: string): string | undefined => {
  const wanted = text.toLowerCase()
  const found = currencies.filter((code) => nameOf(code).toLowerCase().split(" ").at(-1) === wanted)
  return found.length === 1 ? found[0] : currencies.find((code) => nameOf(code).toLowerCase() === wanted)
}
