// Folds text for comparison, so that spellings which look alike are equal. Displayed text is never folded.

/** Whether folding may change a text: it has a backtick, characters beyond plain ASCII, doubled spaces, or spaces at an end. */
const mayChange = (text: string): boolean =>
  NOT_PLAIN.test(text) || text.includes("  ") || text.startsWith(" ") || text.endsWith(" ")

const NOT_PLAIN = /[^ -_a-~]/

/** Ligatures of whole words. NFKC expands these two to 18 and 8 code units, any other letter to at most six. */
const WORD_LETTERS = /[\uFDFA\uFDFB]/g

const MOST_WORD_LETTERS = 100

/** Drops word ligatures after the first hundred, to bound the length of the expanded text. */
export const withFewWordLetters = (text: string): string => {
  let count = 0
  return text.replaceAll(WORD_LETTERS, (letter) => (++count > MOST_WORD_LETTERS ? " " : letter))
}

/** Unifies compatibility forms, quotes, dashes and spaces; keeps case. */
export const fold = (text: string): string => {
  if (!mayChange(text)) return text
  // Most other texts only have typographic quotes and dashes, so NFKC is not needed.
  const plain = text
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[“”]/g, '"')
    .replaceAll(/[–—]/g, "-")
  return mayChange(plain) ? folded(text) : plain
}

const folded = (text: string): string =>
  text
    .normalize("NFKC")
    .replaceAll(/[‘’‛′`´]/g, "'")
    .replaceAll(/[“”„″«»]/g, '"')
    .replaceAll(/[‐‑‒–—―−]/g, "-")
    .replaceAll(/\s+/g, " ")
    .trim()

/**
 * Folds names and ids for comparison (CONTRACT, "Finding"): NFC, without differences of case. JavaScript has no full case
 * folding. Upper case in between makes `ß` and `SS` both `ss`. The final sigma, whose form depends on its neighbours, becomes
 * a plain one.
 */
export const caseFold = (text: string): string =>
  ASCII.test(text)
    ? text.toLowerCase()
    : text.normalize("NFC").toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ").normalize("NFC")

const ASCII = /^[\x20-\x7e]*$/
