// Corrections of common mistakes in parameter values. A correction is suggested only if the parameter would accept it; the request is
// refused either way.
import { plain } from "../../domain/Decimal.ts"
import { currenciesNamed, correctionOf } from "../../domain/currenciesNamed.ts"
import { otherUnit } from "../../domain/otherUnits.ts"
import { visible } from "../../domain/visible.ts"
import { writtenDays } from "../../domain/writtenDays.ts"

/** `meant`: the probable value. `hint`: what is wrong with the one that was sent. */
interface Slip {
  /** `undefined` if the mistake is known but not the right value. */
  readonly meant: string | undefined
  readonly hint: string
}

/** Characters. Longer values are not checked. */
const LONGEST = 200

const UNIT = "it has a unit"

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

const isoOf = (millis: number): string | undefined =>
  Math.abs(millis) < 8e15 ? new Date(millis).toISOString().replace(".000Z", "Z") : undefined

const decodedOnce = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

const slips: ReadonlyArray<
  readonly [meant: (text: string) => string | undefined | ReadonlyArray<string>, hint: string]
> = [
  [
    (text) => (/^\d{4}-\d{2}-\d{2}T/i.test(text) ? text.replaceAll(" ", "+") : undefined),
    "a + in a URL is read as a blank; write it as %2B"
  ],
  [(text) => text.replaceAll(/\s+/g, ""), "it has blanks"],
  [
    (text) => (/^\d{1,3}(,\d{2,3})*,\d{3}(\.\d+)?$/.test(text) ? text.replaceAll(",", "") : undefined),
    "it has commas between thousands"
  ],
  [
    (text) => (/^\d{1,3}(\.\d{3}){2,}$/.test(text) ? text.replaceAll(".", "") : undefined),
    "it has points between thousands"
  ],
  [(text) => (/^\d+,\d+$/.test(text) ? text.replace(",", ".") : undefined), "it has a comma for the decimal point"],
  [
    (text) => (/^\d{1,3}(\.\d{3})+,\d+$/.test(text) ? text.replaceAll(".", "").replace(",", ".") : undefined),
    "it has a comma for the decimal point"
  ],
  [(text) => (/^\d[\d_']*$/.test(text) ? text.replaceAll(/[_']/g, "") : undefined), "it has signs between its digits"],
  [
    (text) => (/^\d+(\.\d+)?e[+ -]?\d{1,2}$/i.test(text) ? plain(Number(text.replace(" ", ""))) : undefined),
    "it has an exponent"
  ],
  [(text) => text.replace(/^\s*(\+|\p{Sc})\s*|\s*(%|\p{Sc})\s*$/gu, ""), "it has a sign beside the number"],
  [
    (text) => (/\d/.test(text) ? text.replace(/^[a-z]{1,4}\.? ?(?=\d)|(?<=\d) ?[a-z]{3,4}$/i, "") : undefined),
    "it has a currency beside the number"
  ],
  [
    (text) => {
      const [, count, unit = ""] = /^(\d{1,9}) ?(s|m|h|d)(ec|in|our|ay)?s?$/i.exec(text) ?? []
      return count === undefined ? undefined : String(Number(count) * (SECONDS[unit.toLowerCase()] ?? 1))
    },
    UNIT
  ],
  [(text) => (/^\d+\.0+$/.test(text) ? text.replace(/\.0+$/, "") : undefined), "it has decimals"],
  [(text) => (/^\.\d+$/.test(text) ? `0${text}` : undefined), "it begins with the decimal point"],
  [writtenDays, "a day is written as YYYY-MM-DD"],
  [
    (text) => text.replace(/^(\d{4})-(\d{2})-(\d{2})(?=\D|$)/, "$1-$3-$2"),
    "a day is written as YYYY-MM-DD, the month before the day"
  ],
  [
    (text) =>
      /^(?=.*\d{4})(?=.*[a-z]{3})[a-z\d ,.-]+$/i.test(text)
        ? isoOf(Date.parse(`${text} UTC`))?.slice(0, 10)
        : undefined,
    "a day is written as YYYY-MM-DD"
  ],
  [
    (text) => (/^\d{10}(\d{3})?$/.test(text) ? isoOf(Number(text.padEnd(13, "0"))) : undefined),
    "it is a count of seconds"
  ],
  [
    (text) => text.replace(/^(\d{4}-\d{2}-\d{2})[T _](?=\d)(.*)$/i, "$1T$2Z"),
    "a time is written as YYYY-MM-DDThh:mm with its zone; Z is UTC"
  ],
  [(text) => (/%[0-9a-f]{2}/i.test(text) ? decodedOnce(text) : undefined), "it is percent-encoded twice"],
  [(text) => text.replaceAll(/^["'`]+|["'`]+$/g, ""), "it has quotation marks"],
  [(text) => text.replaceAll(/[,;|/ ]+/g, ",").replaceAll(/^,|,$/g, ""), "a list is separated by single commas"],
  [
    (text) =>
      text
        .split(",")
        .map((item) => currenciesNamed(item)[0] ?? item)
        .join(","),
    "currencies go by their codes"
  ],
  [(text) => text.toLowerCase(), "it is written in lower case"],
  [(text) => text.toUpperCase(), "it is written in upper case"],
  [(text) => text.normalize("NFKC"), "it has characters of another width"]
]

/** The items of a list that are not accepted, in words; `undefined` if all are, if unknown ones are left out, or if there is no list. */
const wrongItems = (value: string, accepts: (text: string) => boolean, rule: string): string | undefined => {
  const isStrict = rule.includes("separated by commas") && !rule.includes("left out")
  const wrong = isStrict ? value.split(",").filter((item) => !accepts(item)) : []
  return wrong.length === 0 ? undefined : `not accepted: ${wrong.map((item) => `"${visible(item.trim())}"`).join(", ")}`
}

/** The sentence on a spelling of another unit in a value that names coins, currencies or pairs. Other spellings may be coins' ids. */
const unitIn = (value: string, accepts: (text: string) => boolean): string | undefined =>
  value
    .split(/[,_:]/)
    .map((text) => (accepts(text) ? undefined : otherUnit(text.trim())))
    .find((found) => found !== undefined)

/** The mistake in a value that the parameter does not accept; `undefined` if none is known. `rule`: what the parameter must be. */
export const slipIn = (value: string, accepts: (text: string) => boolean, rule = ""): Slip | undefined => {
  if (value.length > LONGEST) return undefined
  if (value.trim() === "") return { meant: undefined, hint: "it is empty" }
  const unit = unitIn(value, accepts)
  if (unit !== undefined) return { meant: undefined, hint: unit }
  const isCurrency = /\busd\b|fiat|currenc/i.test(rule)
  const replaced = isCurrency ? value.split(",").flatMap((item) => correctionOf(item) ?? []) : []
  for (const [meantBy, hint] of slips) {
    if (hint === UNIT && !rule.includes("seconds")) continue
    const found = meantBy(value)
    if (found === undefined || found === value) continue
    const meant = new Set([found].flat().filter((text) => text !== value && accepts(text)))
    if (meant.size > 0) return { meant: [...meant].join(" or "), hint: replaced[0] ?? hint }
  }
  const hint = replaced[0] ?? wrongItems(value, accepts, rule)
  return hint === undefined ? undefined : { meant: undefined, hint }
}
