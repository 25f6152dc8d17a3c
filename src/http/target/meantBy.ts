// Parameters of a query that an endpoint of `/v1` does not take, but by which a caller may have meant something that counts: a
// guard that is misspelt, or one that only other endpoints take, would else be ignored, and the caller relies on it.
import { asciiLower } from "../../domain/asciiCase.ts"
import { LONGEST_WORD, spelledLike } from "../../domain/spelledLike.ts"

/** Names of so many letters are compared with typing errors, and known as the beginning of a longer name. */
const SHORTEST_MISSPELT = 3
const SHORTEST_BEGINNING = 4

const folded = (name: string): string => asciiLower(name).replaceAll(/[_-]/g, "")

/** A test of whether a name may mean this parameter: but for case, `_` and `-`, one typing error, or what follows it. */
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
 * Makes the look-up of the parameter that a name may mean: one of `taken` before others. `own`: the parameters of all endpoints of
 * `/v1`. `others`: those of other endpoints, which are only meant by their very names.
 */
export const make = (own: Iterable<string>, others: ReadonlySet<string>) => {
  const known = Array.from(new Set(own), (name) => ({ name, isMeantBy: meaning(name) }))
  return (name: string, taken: { readonly has: (name: string) => boolean }): string | undefined => {
    if (name.length > LONGEST_WORD) return undefined
    const meant = known.filter(({ isMeantBy }) => isMeantBy(name)).map((one) => one.name)
    return meant.find((one) => taken.has(one)) ?? meant[0] ?? (others.has(name) ? name : undefined)
  }
}
