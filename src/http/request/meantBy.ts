// Finds the parameter that a caller may have meant by an unknown name on an endpoint of `/v1`. Otherwise a misspelt guard, or one
// that only other endpoints take, would be ignored although the caller relies on it.
import { asciiLower } from "../../domain/asciiCase.ts"
import { LONGEST_WORD, spelledLike } from "../../domain/spelledLike.ts"

/** The fewest letters of a name that is matched with one typing error, or as the beginning of a longer name. */
const SHORTEST_MISSPELT = 3
const SHORTEST_BEGINNING = 4

const folded = (name: string): string => asciiLower(name).replaceAll(/[_-]/g, "")

/** Tests whether a name may mean this parameter. Ignores case, `_`, `-`, one typing error, and letters after the name. */
const meaning = (known: string): ((name: string) => boolean) => {
  const word = folded(known)
  const isNearly = word.length < SHORTEST_MISSPELT ? () => false : spelledLike(word, 1)
  const isBeginning = (text: string) => word.length >= SHORTEST_BEGINNING && text.startsWith(word)
  return (name) => {
    const text = folded(name)
    return text === word || (text.length >= SHORTEST_MISSPELT && isNearly(text)) || isBeginning(text)
  }
}

/**
 * Returns the look-up of the parameter that a name may mean; it prefers those in `taken`. `own`: the parameters of all endpoints of
 * `/v1`. `others`: those of the compat APIs, which match only exactly.
 */
export const make = (own: Iterable<string>, others: ReadonlySet<string>) => {
  const known = Array.from(new Set(own), (name) => ({ name, isMeantBy: meaning(name) }))
  return (name: string, taken: { readonly has: (name: string) => boolean }): string | undefined => {
    if (name.length > LONGEST_WORD) return undefined
    const meant = known.filter(({ isMeantBy }) => isMeantBy(name)).map((one) => one.name)
    return meant.find((one) => taken.has(one)) ?? meant[0] ?? (others.has(name) ? name : undefined)
  }
}
