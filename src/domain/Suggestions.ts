// Which coins a caller may have meant by a word that is no id: by ticker, id and name, the larger coin first.

/** What a coin goes by. */
export interface Named {
  readonly id: string
  readonly symbol: string
  readonly name: string
}

/** At most this many suggestions. */
export const MOST_SUGGESTIONS = 5

/**
 * Up to five coins that `word` may stand for, best first. `coins` come in order of size, and among equally good matches the
 * earlier one wins. Words of less than two letters match only tickers.
 */
export const suggest = <A extends Named>(word: string, coins: Iterable<A>): ReadonlyArray<A> => {
  const wanted = word.trim().toLowerCase()
  const scored: Array<{ readonly coin: A; readonly score: number; readonly at: number }> = []
  let at = 0
  for (const coin of coins) {
    const score = likeness(wanted, coin)
    if (score > 0) scored.push({ coin, score, at })
    at++
  }
  return scored
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .slice(0, MOST_SUGGESTIONS)
    .map(({ coin }) => coin)
}

const likeness = (wanted: string, coin: Named): number => {
  const id = coin.id.toLowerCase()
  const name = coin.name.toLowerCase()
  const symbol = coin.symbol.toLowerCase()
  if (symbol === wanted) return 6
  if (wanted.length < 2) return 0
  if (name === wanted || id === wanted) return 6
  if (wanted.length >= 4 && (withinTwoEdits(wanted, id) || withinTwoEdits(wanted, name))) return 5
  if (id.startsWith(wanted) || name.startsWith(wanted)) return 4
  if (id.length >= 4 && wanted.startsWith(id)) return 3
  if (symbol.startsWith(wanted)) return 2
  return wanted.length >= 3 && (id.includes(wanted) || name.includes(wanted)) ? 1 : 0
}

/** Optimal string alignment distance of at most 2, and never a third of a short word. */
const withinTwoEdits = (a: string, b: string): boolean => {
  const most = a.length < 6 ? 1 : 2
  if (Math.abs(a.length - b.length) > most) return false
  let before: Array<number> = []
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let least = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + (same ? 0 : 1))
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) least = Math.min(least, (before[j - 2] ?? 0) + 1)
      row.push(least)
    }
    before = previous
    previous = row
  }
  return (previous[b.length] ?? most + 1) <= most
}
