// Which way words lean, with what they do to each other: "probe" is bad news, "probe ends without charges" is good. What
// undoes a thing turns it around where both stand in one phrase; a preposition or a comma ends the phrase.
import words from "./data/words.json" with { type: "json" }
import { type Token, tokenize } from "./Tokens.ts"

const GOOD = words.good.split(" ")
const BAD = words.bad.split(" ")
const UNDOES = words.undoes.split(" ")

const NEGATORS: ReadonlySet<string> = new Set(
  "no not without never nothing none neither nor cannot zero avoid avoids avoided avert averts averted".split(" ")
)

/** Words that end a phrase: what stands before them does nothing to what follows. */
const BARRIERS: ReadonlySet<string> = new Set(
  "after as amid following over when while since because by from with in at on upon before despite but and or to into for".split(
    " "
  )
)

/** The most words between what undoes and what is undone. */
const REACH = 4

const isAny = ({ classes }: Token, names: ReadonlyArray<string>): boolean => names.some((name) => classes.has(name))

const ownLeaning = (token: Token): number => {
  // Whether less of a thing is good depends on the thing.
  if (token.classes.has("REDUCE")) return 0
  const good = isAny(token, GOOD)
  return good === isAny(token, BAD) ? 0 : good ? 1 : -1
}

/** The place of what undoes the word at `at`; -1 for none. */
const undoneBy = (tokens: ReadonlyArray<Token>, at: number): number => {
  for (let before = at - 1; before >= Math.max(0, at - REACH); before--) {
    const token = tokens[before]
    if (token === undefined || token.ends || BARRIERS.has(token.word)) break
    if (NEGATORS.has(token.word) || isAny(token, UNDOES)) return before
  }
  // "The probe ends", "the ban is lifted": only of matters of law, since an attack that stops a chain is no relief.
  const own = tokens[at]
  if (own === undefined || own.ends || !isAny(own, ["SUE", "LEGAL"])) return -1
  for (let after = at + 1; after <= Math.min(tokens.length - 1, at + 2); after++) {
    const token = tokens[after]
    if (token === undefined || BARRIERS.has(token.word)) break
    if (isAny(token, ["REVERSE"])) return after
    if (token.ends) break
  }
  return -1
}

/** Above 0 for good news, below 0 for bad, 0 where the words do not tell. */
export const polarityOf = (text: string): number => {
  const tokens = tokenize(text)
  const used = new Set<number>()
  const leanings = tokens.map((token, at) => {
    const own = ownLeaning(token)
    if (own === 0) return 0
    const by = undoneBy(tokens, at)
    if (by < 0) return own
    used.add(by)
    return -own
  })
  return leanings.reduce((sum, leaning, at) => sum + (used.has(at) ? 0 : leaning), 0)
}
