// Figures and times in words. A figure stays the text that was sent: the page rounds it for reading and never computes with it, and the
// element's title has every digit.
import type { Figure, Instant } from "./Answers.ts"

export type Format = (figure: Figure) => string

const formatBy = (options: Intl.NumberFormatOptions): Format => {
  const format = new Intl.NumberFormat("en", options)
  return (figure) => format.format(figure).replace("-", "−")
}

/** Every digit, with commas between thousands. */
export const exact: Format = (figure) => figure.replace(/^-?\d+/, (whole) => whole.replaceAll(/\B(?=(\d{3})+$)/g, ","))

export const whole = formatBy({ maximumFractionDigits: 0 })
export const cents = formatBy({ minimumFractionDigits: 2, maximumFractionDigits: 2 })
export const signed = formatBy({ minimumFractionDigits: 2, maximumFractionDigits: 2, signDisplay: "exceptZero" })
const fine = formatBy({ minimumFractionDigits: 2, maximumFractionDigits: 3 })
const short = formatBy({ notation: "compact", minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** Money in a fiat, by its code: two decimals from 1 up, four significant digits below. */
export const money = (fiat: string): Format => {
  const style = { style: "currency", currency: fiat, currencyDisplay: "narrowSymbol" } as const
  const twoDecimals = formatBy({ ...style, minimumFractionDigits: 2, maximumFractionDigits: 2 })
  const fourDigits = formatBy({ ...style, maximumSignificantDigits: 4 })
  return (figure) => {
    const size = Math.abs(Number(figure))
    return size !== 0 && size < 1 ? fourDigits(figure) : twoDecimals(figure)
  }
}

/** A figure without its currency, in the decimals that {@link money} has. */
export const plainMoney: Format = (figure) => (Number(figure) < 100 ? fine(figure) : cents(figure))

/** The fiat of a pair, `USDT/KES`. */
export const fiatOf = ({ pair }: { readonly pair: string }): string => pair.slice(pair.indexOf("/") + 1)

export const dollars = money("USD")
export const shortDollars: Format = (figure) => `$${short(figure)}`
export const percent: Format = (figure) => `${cents(figure)}%`
export const change: Format = (figure) => `${signed(figure)}%`
export const points: Format = (figure) => `${signed(figure)} points`

/** Milliseconds. */
export const HOUR = 3_600_000
export const DAY = 24 * HOUR

/** Writes times of UTC, given as RFC 3339 or in epoch milliseconds. */
export const utc = (options: Intl.DateTimeFormatOptions): ((time: Instant | number) => string) => {
  const format = new Intl.DateTimeFormat("en-GB", { ...options, timeZone: "UTC" })
  return (time) => format.format(new Date(time))
}

/** A code such as `order_book` in words. */
export const words = (code: string): string => code.replaceAll("_", " ")
