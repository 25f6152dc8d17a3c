// Text as it is compared: two spellings that a reader takes for the same are the same. What is shown is never folded.

/** Compatibility forms, quotes, dashes and spaces levelled; case is kept. */
export const fold = (text: string): string =>
  text
    .normalize("NFKC")
    .replaceAll(/[‘’‛′`´]/g, "'")
    .replaceAll(/[“”„″«»]/g, '"')
    .replaceAll(/[‐‑‒–—―−]/g, "-")
    .replaceAll(/\s+/g, " ")
    .trim()
