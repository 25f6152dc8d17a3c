// Why prices moved across the market, as a headline says it (WHY.md §3.12): "Crypto prices fall as the Fed …", "Tariffs drag bitcoin
// lower". A headline that only says which way prices went gives no reason, and one about a company's shares is not about the market.
import language from "./data/language.json" with { type: "json" }
import { placesOfFall, placesOfRise, reasonAfter, wording } from "./Lexicon.ts"

const { beside, endings, manners, names, verbs } = language.market
const name = `(?:the )?(?:${names.join("|")})`

const others = `(?:(?:${beside.join("|")})(?:,|,? and| &) )*`

/** Bitcoin, ether or crypto, alone or in a list, also after other markets ("stocks and crypto"): the subject of a sentence on prices. */
const subject = `${others}${name}(?:(?:,? and|,| &|/) ${name})*(?:'s?)?(?: (?:${endings.join("|")}))*`

/** The subject at the start of a clause, up to the verb of the price. */
const SUBJECT = new RegExp(`(?:^|[:;|!?.] |, |\\bwhy )${subject}(?: (?:${manners.join("|")}))* $`)

const causes = (list: ReadonlyArray<string>): RegExp =>
  new RegExp(`^(?<reason>.*?) (?:${list.join("|")})(?: (?:in|on|to))? ${subject}(?<rest>.*)$`)

const LIFTS = causes(verbs.up)
const SINKS = causes(verbs.down)
const SENDS = causes(verbs.either)

/** The words that follow a verb of the market's price, "… as the Fed raises rates"; `null` if the headline has none. */
const behindVerb = (title: string, sign: number): string | null => {
  const verb = (sign > 0 ? placesOfRise : placesOfFall)(title).find(([start]) => SUBJECT.test(title.slice(0, start)))
  if (verb === undefined) return null
  const rest = title.slice(verb[1])
  const reason = reasonAfter(rest)
  // "Bitcoin falls, X crashes on paused withdrawals" gives the reason of X.
  return reason === null || wording.way(rest.slice(0, rest.length - reason.length)) !== 0 ? null : reason
}

/** What comes before a clause on the market's price: "Inflation revives fears of a rate hike, stocks and crypto fall". */
const CLAUSE_BEFORE = new RegExp(`^(?<reason>.*), ${subject}(?: (?:${manners.join("|")}))* $`)

/** The clause before the one that states the market's move. */
const clauseBefore = (title: string, sign: number): string | null => {
  const [start] = (sign > 0 ? placesOfRise : placesOfFall)(title).at(-1) ?? []
  return (start !== undefined && CLAUSE_BEFORE.exec(title.slice(0, start))?.groups?.["reason"]) || null
}

/** The words before a verb that moves the market: "Tariffs drag bitcoin lower". */
const beforeVerb = (title: string, sign: number): string | null => {
  const moved = (sign > 0 ? LIFTS : SINKS).exec(title)?.groups
  if (moved !== undefined) return moved["reason"] ?? null
  const sent = SENDS.exec(title)?.groups
  const way = sent?.["rest"] ?? ""
  const isSent = (sign > 0 ? placesOfRise : placesOfFall)(way).length > 0
  return isSent ? (sent?.["reason"] ?? null) : null
}

/**
 * The reason that a lower-case headline gives for a move of the market in this direction; `null` for none. What traders and charts did
 * is none.
 */
export const marketReason = (title: string, sign: number): string | null => {
  const found = behindVerb(title, sign) ?? beforeVerb(title, sign) ?? clauseBefore(title, sign)
  const reason = found?.split(CLAUSE_END)[0] ?? null
  return reason !== null && wording.cause(reason) ? reason : null
}

const CLAUSE_END = /[;:–—]| - | but /

const NAMED = new RegExp(`\\b(?:${names.join("|")})\\b`)

/** Whether a lower-case headline is about crypto at all. */
export const namesMarket = (title: string): boolean => NAMED.test(title)
