// Converts the case of ASCII letters only. Some other letters have an ASCII form in the other case (`ſ` becomes `S`, the Kelvin
// sign becomes `k`), which would turn another text into a known code.

export const asciiUpper = (text: string): string => text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase())

export const asciiLower = (text: string): string =>
  HAS_UPPER.test(text) ? text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()) : text

const HAS_UPPER = /[A-Z]/
