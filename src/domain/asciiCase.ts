// Codes and ids are read in any case of ASCII letters alone: other letters have upper or lower forms in ASCII (`ſ` is `S`, the
// Kelvin sign is `k`), by which another text would become a known code.

/** The text with its ASCII letters in upper case. */
export const asciiUpper = (text: string): string => text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase())

/** The text with its ASCII letters in lower case. */
export const asciiLower = (text: string): string =>
  HAS_UPPER.test(text) ? text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()) : text

const HAS_UPPER = /[A-Z]/
