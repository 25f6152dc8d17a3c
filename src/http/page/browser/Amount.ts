// The amount that a user types. What is no number stays as it is, with a sentence about it: nothing is made a number silently.

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
    const isComma = /^\d+,\d*$/.test(trimmed)
    const fault = isComma ? "Write decimals with a point, such as 1.5." : "Type a number, such as 250 or 1,250.50."
    return { text, value: undefined, fault }
  }
  const number = trimmed.replaceAll(",", "")
  const fault = faultOf(number)
  const value =
    fault === undefined && Number(number) > 0 ? grouped(number).replaceAll(",", "").replace(/\.$/, "") : undefined
  return { text: grouped(number), value, fault }
}
