// Folds text for comparison, so that spellings which look alike are equal. Text that is shown is never folded.

/** Whether folding may change a text: it has more than plain letters, digits and signs, or spaces that are not single and inside. */
const mayChange = (text: string): boolean =>
  NOT_PLAIN.test(text) || text.includes("  ") || text.startsWith(" ") || text.endsWith(" ")

const NOT_PLAIN = /[^ -_a-~]/

/** Letters that are ligatures of words: NFKC expands them to 18 and 8 units, any other letter to at most six. */
const WORD_LETTERS = /[\uFDFA\uFDFB]/g

const MOST_WORD_LETTERS = 100

/** Drops the ligatures of words after the first hundred, so that the expanded text has a bound. */
export const withFewWordLetters = (text: string): string => {
  let count = 0
  return text.replaceAll(WORD_LETTERS, (letter) => (++count > MOST_WORD_LETTERS ? " " : letter))
}

/** Unifies compatibility forms, quotes, dashes and spaces; keeps case. */
export const fold = (text: string): string => {
  if (!mayChange(text)) return text
  // Most texts that it changes have no more than a newsroom's quotes and dashes.
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
 * Names and ids as they are compared (CONTRACT, "Finding"): `text` in NFC without differences of case. JavaScript has no full
 * case folding: going through upper case gives the same for what expands (`ß` and `SS` both become `ss`), and the final sigma,
 * which depends on its neighbours, becomes a plain one.
 */
export const caseFold = (text: string): string =>
  ASCII.test(text)
    ? text.toLowerCase()
    : text.normalize("NFC").toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ").normalize("NFC")

const ASCII = /^[\x20-\x7e]*$/
