// The currencies that a caller may mean by a text that is not a code in use: `naira`, `Kenyan shillings`, `₦`, or a replaced code.
import { asciiLower, asciiUpper } from "./asciiCase.ts"
import { isInUse, isoCurrencies } from "./Fiat.ts"
import { otherUnit } from "./otherUnits.ts"
import { usualMarket } from "./P2pMarket.ts"
import { quotedFiats } from "./QuotedFiat.ts"
import { retiredCurrencies } from "./RetiredCurrencies.ts"
import { coinOfVs, nameOfCurrency, signOf } from "./VsCurrency.ts"

/** Several currencies may share a word, such as "dollar". Those that most callers mean come first. */
const first: ReadonlyArray<string> = [usualMarket.fiat, ...quotedFiats]

/** The longest text that is looked up as a name, in code units. */
const LONGEST = 40
/** The most currencies that are suggested for one text. */
const MOST = 5

let table: ReadonlyMap<string, ReadonlyArray<string>> | undefined

/** The codes by name, by the last word of the name, and by sign. Built at the first refusal, because valid requests do not need it. */
const codesByName = (): ReadonlyMap<string, ReadonlyArray<string>> => {
  if (table !== undefined) return table
  const made = new Map<string, Array<string>>()
  const codes = new Set([...first, ...[...isoCurrencies].filter(isInUse)])
  for (const code of codes) {
    const name = asciiLower(nameOfCurrency(code))
    for (const word of new Set([name, name.slice(name.lastIndexOf(" ") + 1), signOf(code) ?? code])) {
      made.set(word, [...(made.get(word) ?? []), code])
    }
  }
  table = made
  return made
}

/** The codes in use that a text may mean; empty if the text is such a code. */
export const currenciesNamed = (text: string): ReadonlyArray<string> => {
  const code = asciiUpper(text.trim())
  if (text.length > LONGEST || isInUse(code)) return []
  const retired = retiredCurrencies.get(code)
  if (retired !== undefined) return [retired.successor]
  const name = asciiLower(text.trim()).replaceAll(/[_-]/g, " ")
  const found = codesByName()
  return (found.get(name) ?? found.get(name.replace(/s$/, "")) ?? []).slice(0, MOST)
}

/** The sentence on a code that another one has replaced, or that means another unit; `undefined` for other texts. */
export const correctionOf = (text: string): string | undefined => {
  const code = asciiUpper(text.trim())
  const retired = retiredCurrencies.get(code)
  return retired === undefined
    ? otherUnit(text.trim())
    : `"${code}" is no longer in use: ${retired.successor} replaced it on ${retired.since}.`
}

const stablecoins: Readonly<Record<string, string>> = { usdt: "tether", usdc: "usd-coin" }

/** The coin's id and the fiat's code of a pair in an exchange's notation, such as `USDT_NGN`, `btc/usd` or `usdtngn`. */
export const pairNamed = (text: string): readonly [id: string, code: string] | undefined => {
  const [, base = "", quote = ""] = /^([a-z0-9]{2,10}?)[-_/: ]?([a-z]{3})$/i.exec(text.trim()) ?? []
  const ticker = asciiLower(base)
  const id = coinOfVs(ticker) ?? (Object.hasOwn(stablecoins, ticker) ? stablecoins[ticker] : undefined)
  return id !== undefined && isInUse(asciiUpper(quote)) ? [id, asciiUpper(quote)] : undefined
}
