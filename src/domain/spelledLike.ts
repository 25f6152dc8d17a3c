// Counts typing errors between two words: optimal string alignment distance in code units. An insertion, a deletion, a
// substitution and a swap of two neighbours cost one each. One column of the distance table is stored as bits of a number, so
// that a character costs about ten operations: Hyyrö, "A bit-vector algorithm for computing Levenshtein and Damerau edit
// distances", Nordic Journal of Computing 10 (2003). The word must fit into 32 bits.

/** The longest word in code units that {@link spelledLike} takes. */
export const LONGEST_WORD = 32

/** Tests whether a text differs from `word` (1 to 32 code units) by at most `errors` typing errors. */
export const spelledLike = (word: string, errors: number): ((text: string) => boolean) => {
  const length = word.length
  const places = new Map<number, number>()
  for (let at = 0; at < length; at++) {
    const code = word.charCodeAt(at)
    places.set(code, (places.get(code) ?? 0) | (1 << at))
  }
  const ascii = Int32Array.from({ length: 128 }, (_, code) => places.get(code) ?? 0)
  const last = 1 << (length - 1)

  return (text) => {
    if (Math.abs(text.length - length) > errors) return false
    let higher = -1
    let lower = 0
    let diagonal = 0
    let matchesBefore = 0
    let distance = length
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      const matches = code < 128 ? (ascii[code] ?? 0) : (places.get(code) ?? 0)
      const swapped = ((~diagonal & matches) << 1) & matchesBefore
      // The bits are unsigned here: the carry of the sum runs through all of them.
      diagonal = ((((matches & higher) >>> 0) + (higher >>> 0)) ^ higher) | matches | lower | swapped
      const right = lower | ~(diagonal | higher)
      const left = diagonal & higher
      if ((right & last) !== 0) distance++
      else if ((left & last) !== 0) distance--
      const shifted = (right << 1) | 1
      higher = (left << 1) | ~(diagonal | shifted)
      lower = shifted & diagonal
      matchesBefore = matches
    }
    return distance <= errors
  }
}
