// Detects prompt injections ("ignore previous instructions") in text. No language model reads the items here, but a publisher
// that plants such text is not trusted: an item with it, visible or hidden, is never evidence.
import { expressionOf } from "./expressionOf.ts"
import { fold, withFewWordLetters } from "./FoldedText.ts"
import list from "./promptInjection.json" with { type: "json" }

/** Separate, because one joined expression takes several times as long to compile. */
const ORDERS = list.patterns.map((pattern) => expressionOf(pattern))

/** The Latin letter of each letter of another script that looks like it. */
const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  [..."аеорсухіѕјԁɡӏո"].map((letter, at) => [letter, "aeopcyxisjdgln"[at] ?? letter] as const)
)

const LOOKALIKE = new RegExp(`[${[...LOOKALIKES.keys()].join("")}]`, "gu")

const FORMAT_CHARACTERS = /[\p{Cf}\u{E0000}-\u{E007F}]/gu

const isOrder = (text: string): boolean => ORDERS.some((order) => order.test(text))

/** Other text needs no replacements. */
const NOT_PLAIN = /[^\n -~]/

const levelled = (text: string): string =>
  NOT_PLAIN.test(text)
    ? fold(text.replaceAll(FORMAT_CHARACTERS, ""))
        .toLowerCase()
        .replaceAll(LOOKALIKE, (letter) => LOOKALIKES.get(letter) ?? letter)
    : fold(text).toLowerCase()

/** The most that is read, in UTF-16 units, before and after folding, which expands some characters to six units. */
const MOST_UNITS = 40_000

export const addressesMachine = (text: string): boolean =>
  isOrder(levelled(withFewWordLetters(text.slice(0, MOST_UNITS))).slice(0, MOST_UNITS))
