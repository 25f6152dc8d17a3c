// A long list of words in one string, sorted and separated by spaces. A look-up is a binary search of about a microsecond;
// a `Set` of them would take megabytes, and as long to make as all look-ups of a run.

/** Whether a sorted list has a word. */
export const hasWord = (sorted: string, word: string): boolean => {
  if (word === "") return false
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    const start = middle === 0 ? 0 : sorted.lastIndexOf(" ", middle - 1) + 1
    const space = sorted.indexOf(" ", start)
    const end = space < 0 ? sorted.length : space
    const found = sorted.slice(start, end)
    if (found === word) return true
    if (found < word) low = end + 1
    else high = start
  }
  return false
}
