// Figures in words. A figure stays the text that was sent; the page rounds it for reading, and the element's title has every digit.
import type { Figure } from "./Answers.ts"

export type Format = (figure: Figure | number) => string

const formatBy = (options: Intl.NumberFormatOptions): Format => {
  const format = new Intl.NumberFormat("en", options)
  return (figure) => format.format(Number(figure)).replace("-", "−")
}

/** Every digit, with commas between thousands. */
export const exact = (figure: Figure): string =>
  figure.replace(/^-?\d+/, (whole) => whole.replaceAll(/\B(?=(\d{3})+$)/g, ",")).replace("-", "−")

export const whole = formatBy({ maximumFractionDigits: 0 })
const cents = formatBy({ minimumFractionDigits: 2, maximumFractionDigits: 2 })
const signed = formatBy({ minimumFractionDigits: 2, maximumFractionDigits: 2, signDisplay: "exceptZero" })
const fourDigits = formatBy({ maximumSignificantDigits: 4 })
const manyDigits = formatBy({ maximumSignificantDigits: 8 })
const short = formatBy({ notation: "compact", minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** Two decimals from 1 up, four significant digits below. */
export const amount: Format = (figure) => {
  const size = Math.abs(Number(figure))
  return size !== 0 && size < 0.99995 ? fourDigits(figure) : cents(figure)
}

/** An amount of a coin: eight significant digits below a thousand. */
export const coins: Format = (figure) => (Math.abs(Number(figure)) < 1000 ? manyDigits(figure) : cents(figure))

/** The sign of a fiat, such as `₦`; its code and a space where it has none. */
export const signOf = (fiat: string): string => {
  const parts = new Intl.NumberFormat("en", { style: "currency", currency: fiat, currencyDisplay: "narrowSymbol" })
    .formatToParts(1)
    .find(({ type }) => type === "currency")
  return parts === undefined || parts.value === fiat ? `${fiat} ` : parts.value
}

/** Money in a fiat, by its code. */
export const money = (fiat: string): Format => {
  const sign = signOf(fiat)
  return (figure) => (Number(figure) < 0 ? `−${sign}${amount(figure).slice(1)}` : sign + amount(figure))
}

export const dollars = money("USD")
export const shortDollars: Format = (figure) => `$${short(figure)}`
export const percent: Format = (figure) => `${(Math.abs(Number(figure)) < 0.1 ? fourDigits : cents)(figure)}%`
export const change: Format = (figure) => `${signed(figure)}%`
export const points: Format = (figure) => `${signed(figure)} points`

/** A text of the service with the minus sign that the page writes. */
export const minus = (text: string): string => text.replaceAll(/(?<![\w.])-(?=\d)/g, "−")

/** A code such as `order_book` in words. */
export const words = (code: string): string => code.replaceAll("_", " ")

const currencies = new Set(Intl.supportedValuesOf("currency"))
const names = new Intl.DisplayNames("en", { type: "currency" })

/** Whether a code in upper case is a fiat's. */
export const isCurrency = (code: string): boolean => currencies.has(code)

/** The English name of a fiat, such as `Kenyan Shilling`. */
export const nameOf = (fiat: string): string => names.of(fiat) ?? fiat

/** The fiat that goes by this name, or by its last word where no other does: `naira`. */
export const fiatNamed = (text: string): string | undefined => {
  const wanted = text.toLowerCase()
  const found = [...currencies].filter((code) => nameOf(code).toLowerCase().split(" ").at(-1) === wanted)
  return found.length === 1 ? found[0] : [...currencies].find((code) => nameOf(code).toLowerCase() === wanted)
}
