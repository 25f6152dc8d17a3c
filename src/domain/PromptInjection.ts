// Recognises text that gives orders to a machine ("ignore previous instructions"). No machine reads the items here, but
// a publisher that plants such text is no witness: an item that carries it, in the open or hidden in its markup, is
// never evidence.
import { fold } from "./FoldedText.ts"
import list from "./promptInjection.json" with { type: "json" }

const ORDERS = new RegExp(list.patterns.map((pattern) => `(?:${pattern})`).join("|"))

/** Letters of other scripts that look Latin, by the Latin letter: they slip past a word list. */
const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  [..."аеорсухіѕјԁɡӏո"].map((letter, at) => [letter, "aeopcyxisjdgln"[at] ?? letter] as const)
)

const FORMAT_CHARACTERS = /[\p{Cf}\u{E0000}-\u{E007F}]/gu

/** Whether a text addresses a machine. */
export const addressesMachine = (text: string): boolean =>
  ORDERS.test(
    [...fold(text.replaceAll(FORMAT_CHARACTERS, "")).toLowerCase()]
      .map((letter) => LOOKALIKES.get(letter) ?? letter)
      .join("")
  )
