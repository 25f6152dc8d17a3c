// Reads numbers in text with their scale and what they count: "$24 million" and "24,000,000 dollars" are the same, "24
// %" is not.

export interface Figured {
  readonly value: number
  /** What it counts, where the text says so. */
  readonly unit: "percent" | "money" | "tokens" | null
}

/** What the words and letters behind a number multiply it by. */
const SCALE: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mm: 1e6,
  mn: 1e6,
  million: 1e6,
  b: 1e9,
  bn: 1e9,
  billion: 1e9,
  t: 1e12,
  trillion: 1e12
}

const NUMBER =
  /(?<![\p{L}\d.])([$€£])?\s?(\d+(?:\.\d+)?)\s?(k|mm|mn|m|bn|b|t|thousand|million|billion|trillion)?(?![\p{L}\d])(?:\s?(%|percent|per cent|percentage|dollars|usd)(?![\p{L}]))?(?:\s(?:of\s)?([\p{L}]+))?/giu

/** Whether the next word says that pieces are counted: a ticker, or "tokens". */
const isPiece = (word: string | undefined): boolean =>
  word !== undefined && (/^\p{Lu}{2,6}$/u.test(word) || /^(?:tokens?|coins?|ether|bitcoins?)$/i.test(word))

const WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ")
const TENS: Readonly<Record<string, number>> = {
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  ninety: 90,
  hundred: 100,
  dozen: 12,
  dozens: 12
}

/** Numbers written in digits. A date yields its parts. */
export const numbersIn = (text: string): ReadonlyArray<Figured> => {
  const plain = text
    .replaceAll(/(\d),(?=\d{3})/g, "$1")
    .replaceAll(/(\d{4})-(\d\d)-(\d\d)(?:T[\d:.]+Z?)?/g, " $1 $2 $3 ")
    .replaceAll(/(\d\d):(\d\d)/g, " $1 $2 ")
    .replaceAll(/(\d+)(?:st|nd|rd|th)\b/g, "$1")
  return [...plain.matchAll(NUMBER)].map(([, currency, digits = "0", scale, unit, next]) => ({
    value: Number(digits) * (scale === undefined ? 1 : (SCALE[scale.toLowerCase()] ?? 1)),
    unit:
      currency !== undefined || /^(?:dollars|usd)$/i.test(unit ?? "")
        ? "money"
        : unit !== undefined
          ? "percent"
          : isPiece(next) && !/^(?:UTC|GMT|AM|PM|ET|EST|USD|US|DAY|KST|CEO)$/i.test(next ?? "")
            ? "tokens"
            : null
  }))
}

/** Numbers written in words, two and up: "one" says too little. */
export const numberWordsIn = (text: string): ReadonlyArray<number> =>
  (text.toLowerCase().match(/\p{L}+/gu) ?? []).flatMap((word) => {
    const small = WORDS.indexOf(word)
    return small >= 2 ? [small] : TENS[word] === undefined ? [] : [TENS[word]]
  })

/** Equal within 1 %, or within 0.11, whatever the sign: words may tell it. */
export const isNear = (value: number, other: number): boolean => {
  const tolerance = Math.max(0.11, Math.abs(other) * 0.01)
  return Math.abs(Math.abs(value) - Math.abs(other)) <= tolerance
}

/** Whether a number is among those stated: of the same size, and of the same unit where both have one. */
export const isStated = (claim: Figured, stated: ReadonlyArray<Figured>): boolean =>
  stated.some(
    (figure) =>
      isNear(claim.value, figure.value) && (claim.unit === null || figure.unit === null || claim.unit === figure.unit)
  )
