// The amount that a user types. What is no number stays as it is, with a sentence about it: nothing is made a number silently.
import { isCurrency, product } from "./Figures.ts"

export interface Amount {
  readonly text: string
  /** A plain decimal above 0, without commas; `undefined` while there is none. */
  readonly value: string | undefined
  /** What is wrong with the text. */
  readonly fault: string | undefined
}

const GROUPED = /^(\d{1,3}(,\d{3})*|\d*)(\.\d*)?$/
const PARTLY_GROUPED = /^[\d,]*(\.\d*)?$/

const MOST = 1e15

/** A number with an exponent, a multiple such as `k`, or a currency beside it. */
const MEANT =
  /^(\p{Sc} ?)?(?<number>\d+(\.\d+)?)(e(?<power>[+-]?\d{1,2})| ?((?<multiple>k|m|bn?)|(?<code>[a-z]{3})|\p{Sc}))?$/iu

const POWERS: Readonly<Record<string, number>> = { k: 3, m: 6, b: 9, bn: 9 }

/** The number that a text probably means: `1e3`, `5k`, `$100`, `100 NGN`, `1 000`. */
const meantBy = (text: string): string | undefined => {
  const { code, multiple = "", number, power } = MEANT.exec(text.replaceAll(/[ ,_'](?=\d{3}(?!\d))/g, ""))?.groups ?? {}
  if (number === undefined || (code !== undefined && !isCurrency(code.toUpperCase()))) return undefined
  const places = Number(power ?? POWERS[multiple.toLowerCase()] ?? 0)
  const meant = product(number, places < 0 ? `0.${"1".padStart(-places, "0")}` : `1${"0".repeat(places)}`)
  return amountOf(meant).value === undefined ? undefined : grouped(meant)
}

const faultOfText = (text: string): string => {
  if (/^\d+,\d*$/.test(text)) return "Write decimals with a point, such as 1.5."
  const meant = meantBy(text)
  return meant === undefined ? "Type a number, such as 250 or 1,250.50." : `Did you mean ${meant}?`
}

const faultOf = (value: string): string | undefined => {
  if (value === "" || value === ".") return undefined
  if (Number(value) > MOST) return "At most 1,000,000,000,000,000."
  return (value.split(".")[1]?.length ?? 0) > 18 ? "At most 18 decimals." : undefined
}

/** Puts commas between the thousands of a number that may be typed in part. */
const grouped = (number: string): string => {
  const [whole = "", ...rest] = number.split(".")
  const commas = whole.replace(/^0+(?=\d)/, "").replaceAll(/\B(?=(\d{3})+$)/g, ",")
  return rest.length === 0 ? commas : `${commas === "" ? "0" : commas}.${rest.join("")}`
}

/**
 * Reads a text. `isEdited`: it was a number before a digit was added or removed, so its commas may be in other places now. Otherwise
 * a comma that does not separate thousands is a fault: the user of `1,5` may mean one and a half.
 */
export const amountOf = (text: string, isEdited = false): Amount => {
  const trimmed = text.trim()
  if (!(isEdited ? PARTLY_GROUPED : GROUPED).test(trimmed)) {
    return { text, value: undefined, fault: faultOfText(trimmed) }
  }
  const number = trimmed.replaceAll(",", "")
  const fault = faultOf(number)
  const value =
    fault === undefined && Number(number) > 0 ? grouped(number).replaceAll(",", "").replace(/\.$/, "") : undefined
  return { text: grouped(number), value, fault }
}

/** What to type, while there is no amount. */
export const remarkOn = ({ fault, value }: Amount): string | undefined =>
  fault ?? (value === undefined ? "Type an amount above 0, such as 250." : undefined)
