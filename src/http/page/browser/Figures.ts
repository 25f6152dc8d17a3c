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
const FOUR_DIGITS = { minimumSignificantDigits: 4, maximumSignificantDigits: 4 }

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

/** The same in short, such as ₦92.8M. */
export const shortMoney = (fiat: string): Format =>
  formatBy({ ...currency(fiat), maximumSignificantDigits: 3, notation: "compact" })

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

/** The English name of a fiat, such as `Kenyan Shilling`; other texts stay. */
export const nameOf = (fiat: string): string => (isCurrency(fiat) ? names.of(fiat) : undefined) ?? fiat

/** Names that several fiats have, and whose is meant by people who say no more. */
const usual: ReadonlyMap<string, string> = new Map(
  Object.entries({
    dollar: "USD",
    pound: "GBP",
    sterling: "GBP",
    rupee: "INR",
    yuan: "CNY",
    real: "BRL",
    lira: "TRY",
    dirham: "AED"
  })
)

/** The fiats with this name or this last word, in singular or plural: the one that is meant first, if that is sure. */
export const fiatsNamed = (
  text: string
): { readonly sure: string | undefined; readonly others: ReadonlyArray<string> } => {
  const word = text.toLowerCase()
  const words = [word, word.replace(/s$/, "")]
  const isNamed = (code: string) => {
    const name = nameOf(code).toLowerCase()
    return words.includes(name) || words.includes(name.split(" ").at(-1) ?? "")
  }
  const found = currencies.filter(isNamed)
  const whole = found.find((code) => words.includes(nameOf(code).toLowerCase()))
  const sure =
    whole ??
    words.map((one) => usual.get(one)).find((code) => code !== undefined) ??
    (found.length === 1 ? found[0] : undefined)
  return { sure, others: found.filter((code) => code !== sure) }
}

/** The exact product of two plain decimals that are not negative. */
export const product = (one: string, other: string): Figure => {
  const [[a = "", b = ""], [c = "", d = ""]] = [one.split("."), other.split(".")]
  const places = b.length + d.length
  const digits = (BigInt(a + b) * BigInt(c + d)).toString().padStart(places + 1, "0")
  const [whole, rest] = [
    digits.slice(0, digits.length - places),
    digits.slice(digits.length - places).replace(/0+$/, "")
  ]
  return `${whole}${rest === "" ? "" : `.${rest}`}` as Figure
}
