// Folds text for comparison, so that spellings which look alike are equal. Text that is shown is never folded.

/** Unifies compatibility forms, quotes, dashes and spaces; keeps case. */
export const fold = (text: string): string =>
  text
    .normalize("NFKC")
    .replaceAll(/[‘’‛′`´]/g, "'")
    .replaceAll(/[“”„″«»]/g, '"')
    .replaceAll(/[‐‑‒–—―−]/g, "-")
    .replaceAll(/\s+/g, " ")
    .trim()
