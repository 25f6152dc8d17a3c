// Which currencies a text may name that is no code of one: `naira`, `Kenyan shillings`, `₦`, or a code that another one has replaced.
import { asciiLower, asciiUpper } from "./asciiCase.ts"
import { isInUse, isoCurrencies } from "./Fiat.ts"
import { usualMarket } from "./P2pMarket.ts"
import { quotedFiats } from "./QuotedFiat.ts"
import { retiredCurrencies } from "./RetiredCurrencies.ts"
import { coinOfVs, nameOfCurrency, signOf } from "./VsCurrency.ts"

/** Most callers mean the first of these where a word is that of several currencies, such as dollar. */
const first: ReadonlyArray<string> = [usualMarket.fiat, ...quotedFiats]

/** Longer texts are no names, and more currencies than these no help. */
const LONGEST = 40
const MOST = 5

let table: ReadonlyMap<string, ReadonlyArray<string>> | undefined

/** The codes by name, by the last word of the name, and by sign. Made when it is first needed: a request that is right needs it never. */
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

/** The codes in use that a text may mean; none where it is a code itself. */
export const currenciesNamed = (text: string): ReadonlyArray<string> => {
  const code = asciiUpper(text.trim())
  if (text.length > LONGEST || isInUse(code)) return []
  const retired = retiredCurrencies.get(code)
  if (retired !== undefined) return [retired.successor]
  const name = asciiLower(text.trim()).replaceAll(/[_-]/g, " ")
  const found = codesByName()
  return (found.get(name) ?? found.get(name.replace(/s$/, "")) ?? []).slice(0, MOST)
}

/** The sentence on a code that another one has replaced; `undefined` for other texts. */
export const replacementOf = (text: string): string | undefined => {
  const code = asciiUpper(text.trim())
  const retired = retiredCurrencies.get(code)
  return retired && `"${code}" is no longer in use: ${retired.successor} replaced it on ${retired.since}.`
}

const stablecoins: Readonly<Record<string, string>> = { usdt: "tether", usdc: "usd-coin" }

/** The two assets of a pair as exchanges write it, such as `USDT_NGN`, `btc/usd` or `usdtngn`: the first by its id. */
export const pairNamed = (text: string): readonly [id: string, code: string] | undefined => {
  const [, base = "", quote = ""] = /^([a-z0-9]{2,10}?)[-_/: ]?([a-z]{3})$/i.exec(text.trim()) ?? []
  const ticker = asciiLower(base)
  const id = coinOfVs(ticker) ?? (Object.hasOwn(stablecoins, ticker) ? stablecoins[ticker] : undefined)
  return id !== undefined && isInUse(asciiUpper(quote)) ? [id, asciiUpper(quote)] : undefined
}
