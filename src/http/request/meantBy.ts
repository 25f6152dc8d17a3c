// Finds the parameter that a caller may have meant by an unknown name on an endpoint of `/v1`. Otherwise a misspelt guard, or one
// that only other endpoints take, would be ignored although the caller relies on it.
import { asciiLower } from "../../domain/asciiCase.ts"
import { rememberEach } from "../../domain/rememberEach.ts"
import { LONGEST_WORD, spelledLike } from "../../domain/spelledLike.ts"

/** The fewest letters of a name that is matched with one typing error, or as the beginning of a longer name. */
const SHORTEST_MISSPELT = 3
const SHORTEST_BEGINNING = 4

/** Other words for parameters, folded. They count on the endpoints that take the parameter. */
const MOMENT = ["date", "day", "when", "time", "timestamp", "asof"]
const otherWords: Readonly<Record<string, ReadonlyArray<string>>> = {
  amount: ["value", "qty", "quantity", "sum"],
  fiats: ["vs", "in", "convert", "currency", "currencies"],
  at: MOMENT,
  on: MOMENT,
  from: ["since", "start"],
  to: ["until", "end"]
}

/**
 * A name without what programs add to it: `at[]` and `at[0]` of PHP and jQuery, `at.0`, `?at` of a doubled question mark, `amp;at` of
 * a link copied from HTML.
 */
const bare = (name: string): string => name.replace(/^(?:amp;|[^a-z0-9_-])+/i, "").replace(/[^a-z0-9_-].*$/is, "")

const folded = (name: string): string => asciiLower(bare(name)).replaceAll(/[_-]/g, "")

/** The parameters of endpoints, folded once. */
const foldedKnown = rememberEach(1000, folded)

/** Tests whether a parameter has the same letters and digits as the name, whatever case, signs and brackets that is written with. */
export const isSameAs = (name: string): ((known: string) => boolean) => {
  const text = folded(name)
  return (known) => text === foldedKnown(known)
}

/**
 * Tests whether a folded name may mean this parameter: with one typing error, or with letters after the name. Of names with two letters,
 * an error counts only where the endpoint takes the parameter (`isTaken`), because some short word is near every one of them.
 */
const meaning = (known: string): ((text: string, isTaken: boolean) => boolean) => {
  const word = folded(known)
  const isNearly = word.length < 2 ? () => false : spelledLike(word, 1)
  const isBeginning = (text: string) => word.length >= SHORTEST_BEGINNING && text.startsWith(word)
  return (text, isTaken) => {
    const fewest = isTaken ? 2 : SHORTEST_MISSPELT
    return text === word || (Math.min(text.length, word.length) >= fewest && isNearly(text)) || isBeginning(text)
  }
}

/**
 * Returns the look-up of the parameter that a name may mean; it prefers those in `taken`. `own`: the parameters of all endpoints of
 * `/v1`. `others`: those of the compat APIs, which match only exactly.
 */
export const make = (own: Iterable<string>, others: ReadonlySet<string>) => {
  const known = Array.from(new Set(own), (name) => ({ name, isMeantBy: meaning(name) }))
  return (name: string, taken: { readonly has: (name: string) => boolean }): string | undefined => {
    const text = folded(name)
    if (text.length > LONGEST_WORD) return undefined
    const meant = known.filter((one) => one.isMeantBy(text, taken.has(one.name))).map((one) => one.name)
    const isSame = isSameAs(name)
    const takenOnes = meant.filter((one) => taken.has(one))
    const isWordFor = (one: string) => taken.has(one) && otherWords[one]?.includes(text) === true
    return (
      takenOnes.find(isSame) ??
      Object.keys(otherWords).find(isWordFor) ??
      takenOnes[0] ??
      meant[0] ??
      (others.has(name) ? name : undefined)
    )
  }
}
