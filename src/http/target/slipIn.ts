// Known slips in the value of a parameter: how it was probably meant. A correction is proposed only where the parameter would accept
// it; the request is refused all the same.
import { plain } from "../../domain/Decimal.ts"
import { writtenDays } from "../../domain/writtenDays.ts"

/** What was probably meant, and what is wrong with what was sent. */
interface Slip {
  readonly meant: string
  readonly told: string
}

/** Longer values are no slips. */
const LONGEST = 200

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

const slips: ReadonlyArray<
  readonly [meant: (text: string) => string | undefined | ReadonlyArray<string>, told: string]
> = [
  [
    (text) => (text.includes(" ") ? text.replaceAll(" ", "+") : undefined),
    "a + in a URL is read as a blank; write it as %2B"
  ],
  [(text) => text.replaceAll(/\s+/g, ""), "it has blanks"],
  [
    (text) => (/^\d{1,3}(,\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(",", "") : undefined),
    "it has commas between thousands"
  ],
  [(text) => (/^\d+,\d+$/.test(text) ? text.replace(",", ".") : undefined), "it has a comma for the decimal point"],
  [
    (text) => (/^\d{1,3}(\.\d{3})+,\d+$/.test(text) ? text.replaceAll(".", "").replace(",", ".") : undefined),
    "it has a comma for the decimal point"
  ],
  [(text) => (/^\d[\d_']*$/.test(text) ? text.replaceAll(/[_']/g, "") : undefined), "it has signs between its digits"],
  [(text) => (/^\d+(\.\d+)?e[+-]?\d{1,2}$/i.test(text) ? plain(Number(text)) : undefined), "it has an exponent"],
  [(text) => text.replace(/^[+$€£₦]|[%$€£₦]$/gu, ""), "it has a sign beside the number"],
  [
    (text) => {
      const [, count, unit = ""] = /^(\d{1,9}) ?(s|m|h|d)(ec|in|our|ay)?s?$/i.exec(text) ?? []
      return count === undefined ? undefined : String(Number(count) * (SECONDS[unit.toLowerCase()] ?? 1))
    },
    "it has a unit"
  ],
  [(text) => (/^\d+\.0+$/.test(text) ? text.replace(/\.0+$/, "") : undefined), "it has decimals"],
  [(text) => (/^\.\d+$/.test(text) ? `0${text}` : undefined), "it begins with the decimal point"],
  [writtenDays, "a day is written as YYYY-MM-DD"],
  [(text) => text.replaceAll(/^["'`]+|["'`]+$/g, ""), "it has quotation marks"],
  [(text) => text.replaceAll(/[,;|/ ]+/g, ",").replaceAll(/^,|,$/g, ""), "a list is separated by single commas"],
  [(text) => text.toLowerCase(), "it is written in lower case"],
  [(text) => text.normalize("NFKC"), "it has characters of another width"]
]

/** The slip in a value that the parameter does not accept; nothing where none is known. */
export const slipIn = (value: unknown, accepts: (value: unknown) => boolean): Slip | undefined => {
  if (typeof value !== "string" || value.length > LONGEST) return undefined
  for (const [meantBy, told] of slips) {
    const found = meantBy(value)
    if (found === undefined || found === value) continue
    const meant = new Set([found].flat().filter((text) => text !== value && accepts(text)))
    if (meant.size > 0) return { meant: [...meant].join(" or "), told }
  }
  return undefined
}
