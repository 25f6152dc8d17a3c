// A long list of words in one string, sorted by word and separated by spaces. A word may have a value behind a colon. A
// look-up is a binary search of about a microsecond; a `Set` of the 49,000 ordinary words would take 3 MiB, and as long
// to make as all look-ups of a run.

/** The value of a word: empty where the list has the word alone, `undefined` where it has it not. */
export const valueIn = (sorted: string, word: string): string | undefined => {
  if (word === "") return undefined
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    const start = middle === 0 ? 0 : sorted.lastIndexOf(" ", middle - 1) + 1
    const space = sorted.indexOf(" ", start)
    const end = space < 0 ? sorted.length : space
    const entry = sorted.slice(start, end)
    const colon = entry.indexOf(":")
    const found = colon < 0 ? entry : entry.slice(0, colon)
    if (found === word) return colon < 0 ? "" : entry.slice(colon + 1)
    if (found < word) low = end + 1
    else high = start
  }
  return undefined
}

export const hasWord = (sorted: string, word: string): boolean => valueIn(sorted, word) !== undefined
