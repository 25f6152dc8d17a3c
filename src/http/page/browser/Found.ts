// What a word in the search of the coin table finds: rows of the table, other coins of the registry, and currencies.
import type { Coin, Search } from "./Answers.ts"
import { fiatsNamed, isCurrency } from "./Figures.ts"

/** The most currencies that are offered for a word. */
const MOST_CURRENCIES = 5

type Named = Pick<Coin, "id" | "name" | "symbol">

const fits = (word: string, { id, name, symbol }: Named): boolean =>
  [id, name, symbol].some((text) => text.toLowerCase().includes(word))

/**
 * The table's coins with the word in their id, name or symbol, and those that the API's search found: it reads contract addresses and
 * misspellings too. `others`: the results that are not in the table.
 */
export const foundIn = <Row extends Named>(coins: ReadonlyArray<Row>, word: string, results: Search["coins"] = []) => {
  const ids = new Set(results.map(({ id }) => id))
  const rows = coins.filter((coin) => ids.has(coin.id) || fits(word.toLowerCase(), coin))
  const listed = new Set(rows.map(({ id }) => id))
  return { rows, others: results.filter(({ id }) => !listed.has(id)) }
}

/** The codes of the fiats that a word means: by its code or its name. */
export const fiatsFor = (word: string): ReadonlyArray<string> => {
  const code = word.toUpperCase()
  if (isCurrency(code)) return [code]
  if (word.length < 3) return []
  const { others, sure } = fiatsNamed(word)
  return sure === undefined ? others.slice(0, MOST_CURRENCIES) : [sure]
}
