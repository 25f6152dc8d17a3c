// Spellings that look like a currency's code and mean another unit. Where codes are read in any case, `GBp` would be GBP: a hundred
// times too much. Every parameter that names a coin or a fiat refuses these spellings, and errors say what to write.
import { asciiUpper } from "./asciiCase.ts"

/** What a spelling means, and what to write instead. */
interface OtherUnit {
  readonly means: string
  readonly instead: string
}

const hundredth = (name: string, code: string): OtherUnit => ({
  means: `${name}, a hundredth of ${code}`,
  instead: `name ${code} and divide the amount by 100`
})

const pence = hundredth("pence", "GBP")
const cents = hundredth("cents", "ZAR")

/** By the spelling that data providers and exchanges use. */
const units: ReadonlyMap<string, OtherUnit> = new Map([
  ["GBp", pence],
  ["GBX", pence],
  ["ZAc", cents],
  ["ZAC", cents],
  ["ILA", hundredth("agorot", "ILS")],
  ["USX", hundredth("cents", "USD")],
  ["IRT", { means: "the toman, 10 IRR", instead: "name IRR and multiply the amount by 10" }],
  ["CNH", { means: "the yuan outside of mainland China, with a rate of its own", instead: "CNY is the mainland's" }],
  ["XBT", { means: "bitcoin", instead: "name bitcoin, or BTC in the paths for other programs" }]
])

/** Whether a text is one of these spellings, to the letter: `gbx` and `usx` may be ids of coins. */
export const isOtherUnit = (text: string): boolean => units.has(text)

/** The sentence on such a spelling, in any case where no code in use has these letters; `undefined` for other texts. */
export const otherUnit = (text: string): string | undefined => {
  const spelling = units.has(text) ? text : asciiUpper(text)
  const unit = units.get(spelling)
  return unit && `"${spelling}" means ${unit.means}: ${unit.instead}.`
}
