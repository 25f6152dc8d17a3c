// Corrections of common mistakes in parameter values. A correction is suggested only if the parameter would accept it; the request is
// refused either way.
import { plain } from "../../domain/Decimal.ts"
import { currenciesNamed, correctionOf } from "../../domain/currenciesNamed.ts"
import { otherUnit } from "../../domain/otherUnits.ts"
import { visible } from "../../domain/visible.ts"
import { writtenDays } from "../../domain/writtenDays.ts"

/** `meant`: the probable value. `hint`: what is wrong with the one that was sent. */
interface Slip {
  /** `undefined` if the right value is unknown. */
  readonly meant: string | undefined
  readonly hint: string
}

/** Characters. Longer values are not checked. */
const LONGEST = 200

const isoOf = (millis: number): string | undefined =>
  Math.abs(millis) < 8e15 ? new Date(millis).toISOString().replace(".000Z", "Z") : undefined

/** Digits in groups: `1,000.5`, `1,00,000`, `1.000.000`, `1_000`, `1'000`. */
const GROUPED = /^\d{1,3}(,\d{2,3})*,\d{3}(\.\d+)?$|^\d{1,3}(\.\d{3}){2,}$|^\d[\d_']*$/

/** Mistakes that change an amount, a day or a currency. For others the rule of the parameter is enough. */
const slips: ReadonlyArray<
  readonly [meant: (text: string) => string | undefined | ReadonlyArray<string>, hint: string]
> = [
  [
    (text) => (/^\d{4}-\d{2}-\d{2}T/i.test(text) ? text.replaceAll(" ", "+") : undefined),
    "a + in a URL is read as a blank; write it as %2B"
  ],
  [
    (text) => (GROUPED.test(text) ? text.replaceAll(text.split(".").length > 2 ? "." : /[,_']/g, "") : undefined),
    "it has signs between its digits"
  ],
  [
    (text) => (/^(\d+|\d{1,3}(\.\d{3})+),\d+$/.test(text) ? text.replaceAll(".", "").replace(",", ".") : undefined),
    "it has a comma for the decimal point"
  ],
  [
    (text) => (/^\d+(\.\d+)?e[+ -]?\d{1,2}$/i.test(text) ? plain(Number(text.replace(" ", ""))) : undefined),
    "it has an exponent"
  ],
  [
    (text) =>
      /\d/.test(text)
        ? text.replace(/^([a-z]{1,4}\.?|\+|\p{Sc}) ?(?=\d)|(?<=\d) ?([a-z]{3,4}|%|\p{Sc})$/iu, "")
        : undefined,
    "it has a currency or a sign beside the number"
  ],
  [(text) => text.replaceAll(/\s*;\s*/g, ","), "commas separate the items"],
  [writtenDays, "a day is written as YYYY-MM-DD"],
  [
    (text) =>
      /^\d{10}(\d{3})?$/.test(text)
        ? isoOf(Number(text.padEnd(13, "0")))
        : text.replace(/^(\d{4}-\d{2}-\d{2})[T _](?=\d)(.*)$/i, "$1T$2Z"),
    "a time is written as YYYY-MM-DDThh:mm with its zone; Z is UTC"
  ],
  [
    (text) =>
      text
        .split(",")
        .map((item) => currenciesNamed(item)[0] ?? item)
        .join(","),
    "currencies go by their codes"
  ]
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

/** The mistake in a value that the parameter refuses; `undefined` if unknown. `rule`: what the parameter must be. */
export const slipIn = (value: string, accepts: (text: string) => boolean, rule = ""): Slip | undefined => {
  if (value.length > LONGEST) return undefined
  if (value.trim() === "") return { meant: undefined, hint: "it is empty" }
  const unit = unitIn(value, accepts)
  if (unit !== undefined) return { meant: undefined, hint: unit }
  const isCurrency = /\busd\b|fiat|currenc/i.test(rule)
  const replaced = isCurrency ? value.split(",").flatMap((item) => correctionOf(item) ?? []) : []
  for (const [meantBy, hint] of slips) {
    const found = meantBy(value)
    if (found === undefined || found === value) continue
    const meant = new Set([found].flat().filter((text) => text !== value && accepts(text)))
    if (meant.size > 0) return { meant: [...meant].join(" or "), hint: replaced[0] ?? hint }
  }
  const hint = replaced[0] ?? wrongItems(value, accepts, rule)
  return hint === undefined ? undefined : { meant: undefined, hint }
}
