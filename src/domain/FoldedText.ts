// Folds text for comparison, so that spellings which look alike are equal. Text that is shown is never folded.

/** What folding may change: anything but plain letters, digits and signs, and spaces that are not single and inside. */
const MAY_CHANGE = /[^ -_a-~]| {2}|^ | $/

/** Unifies compatibility forms, quotes, dashes and spaces; keeps case. */
export const fold = (text: string): string => {
  if (!MAY_CHANGE.test(text)) return text
  // Most texts that it changes have no more than a newsroom's quotes and dashes.
  const plain = text
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[“”]/g, '"')
    .replaceAll(/[–—]/g, "-")
  return MAY_CHANGE.test(plain) ? folded(text) : plain
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
