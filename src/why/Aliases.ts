// Who acts for a coin, learned from the items themselves: "Helium builder Nova Labs", "Suji Yan, founder of Mask
// Network". A company or person that one report names so may stand alone in another report. No list could hold these names.
import { isOrdinary, named } from "./CoinNames.ts"
import type { PoolItem } from "./Pool.ts"
import { isCoin, type Field, type Scanned } from "./Scanning.ts"

const ROLE =
  "(?:developer|builder|maker|issuer|creator|co-?founder|founder|inventor|parent|publisher|operator|studio|steward|sponsor|lab|chief|ceo|boss|architect|company|firm|team|startup|group|foundation|provider)s?"

const NAME = "((?:\\p{Lu}[\\p{L}\\d()&.’'-]*)(?: (?:\\p{Lu}|\\d)[\\p{L}\\d()&.’'-]*){0,2})"

/** How a text names who acts for a coin, and a word without which it does not: few texts have one. */
interface Form {
  readonly needs: RegExp
  readonly form: RegExp
}

/** What follows the coin's name. */
const AFTER: ReadonlyArray<Form> = [
  { needs: new RegExp(ROLE), form: new RegExp(`^(?:['’]s)?[ -](?:[\\p{Ll}-]+ ){0,2}${ROLE},? ${NAME}`, "u") },
  {
    needs: / by /,
    form: new RegExp(
      `^(?:['’]s)?,? (?:[\\p{Ll}-]+ ){0,3}(?:built|developed|run|issued|made|maintained|operated|created|founded) by ${NAME}`,
      "u"
    )
  }
]

/** What stands before it. */
const BEFORE: ReadonlyArray<Form> = [
  {
    needs: / (?:of|behind|at) (?:the )?$/,
    form: new RegExp(`${NAME},? (?:the |a |an |its )?(?:[\\p{L}-]+ ){0,4}${ROLE} (?:of|behind|at) (?:the )?$`, "u")
  },
  {
    needs: / (?:which|that|who) /,
    form: new RegExp(
      `${NAME},? (?:which|that|who) (?:[\\p{Ll}-]+ )?(?:builds|built|develops|developed|runs|ran|issues|issued|creates|created|founded|maintains|stewards|operates|makes|made|oversees) (?:the )?$`,
      "u"
    )
  }
]

const nameIn = (text: string, forms: ReadonlyArray<Form>): ReadonlyArray<string> =>
  forms.flatMap(({ form, needs }) => (needs.test(text) ? (form.exec(text)?.[1] ?? []) : []))

const MOST_NAMES = 8

/** Names that a field gives to who acts for the coin. */
const namesIn = ({ names, text }: Field, coinId: string): ReadonlyArray<string> =>
  names
    .filter(({ value }) => value.coinId === coinId && isCoin(value))
    .flatMap(({ end, start }) => [
      ...nameIn(text.slice(end, end + 90), AFTER),
      ...nameIn(text.slice(Math.max(0, start - 90), start), BEFORE)
    ])

/** A name of one word must be no word of the language. */
const isName = (name: string): boolean => name.length >= 4 && (name.includes(" ") || !isOrdinary(name))

/** The names that items which are surely about the coin give to who acts for it. */
export const aliasesIn = (sure: ReadonlyArray<PoolItem>, coinId: string): ReadonlyArray<string> => {
  const found = sure.flatMap(({ scanned }) =>
    [scanned.title, scanned.summary].flatMap((field) =>
      field.isTitleCase() ? [] : namesIn(field, coinId).map((name) => name.replace(/(?:['’]s|[.,'’-])+$/, ""))
    )
  )
  if (found.length === 0) return found
  const known = new Set(
    sure.flatMap(({ scanned: { summary, title } }) =>
      [...title.names, ...summary.names].map(({ value }) => value.surface.toLowerCase())
    )
  )
  return [...new Set(found)].filter((name) => isName(name) && !known.has(name.toLowerCase())).slice(0, MOST_NAMES)
}

const withAliasesIn = (field: Field, aliases: ReadonlyArray<string>, coinId: string): Field => {
  const more = aliases.flatMap((alias) => {
    const start = field.text.indexOf(alias)
    const end = start + alias.length
    const isWhole =
      start >= 0 && !/[\p{L}\d]/u.test(field.text[end] ?? " ") && !/[\p{L}\d]/u.test(field.text[start - 1] ?? " ")
    const isTaken = field.names.some((match) => match.start < end && start < match.end)
    return isWhole && !isTaken ? [{ start, end, value: named(coinId, alias, "behind", () => false) }] : []
  })
  return more.length === 0
    ? field
    : { ...field, names: [...field.names, ...more].toSorted((a, b) => a.start - b.start) }
}

/** An item with these names found in it; the item itself where it has none. */
export const withAliases = (scanned: Scanned, aliases: ReadonlyArray<string>, coinId: string): Scanned => {
  const title = withAliasesIn(scanned.title, aliases, coinId)
  const summary = withAliasesIn(scanned.summary, aliases, coinId)
  return title === scanned.title && summary === scanned.summary ? scanned : { ...scanned, title, summary }
}
