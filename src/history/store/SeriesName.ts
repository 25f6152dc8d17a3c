// The names of recorded series, and how long each kind of row is kept. What can be computed from these, such as prices
// in other fiats, is not recorded.

import { OFFICIAL_FIAT } from "../../domain/OfficialRate.ts"
import { usualMarket } from "../../domain/P2pMarket.ts"
import type { Preference } from "../model/choosePoints.ts"
import { OWN_RECORD } from "../model/Point.ts"

/** The official rate of the naira, NGN per 1 USD. */
export const OFFICIAL = "official"

/** USDT against a fiat with a P2P market, units of the fiat per USDT. */
export const p2p = (fiat: string): string =>
  fiat === usualMarket.fiat ? (usualMarket.series ?? P2P + fiat) : P2P + fiat

/** The prefix of the series of P2P markets, except the usual one. */
export const P2P = "p2p/"

export const isP2p = (series: string): boolean => series.startsWith(P2P) || series === p2p(usualMarket.fiat)

/** A coin in USD. */
export const coin = (id: string): string => `coin/${id}`

/** Units of a fiat per 1 USD, as published officially. */
export const fiat = (code: string): string => (code === OFFICIAL_FIAT ? OFFICIAL : FIATS + code)

/** Units of a fiat per 1 USD on the exchanges. */
export const spot = (code: string): string => SPOTS + code

/** The prefixes of coins, of fiats except that of the official rate, and of fiats on the exchanges. */
export const COINS = "coin/"
export const FIATS = "fx/"
export const SPOTS = "spot/"

/** The prefixes of series whose observations and hours are purged. */
export const purged: ReadonlyArray<string> = [COINS, SPOTS]

/** What a series is of: `key` is the id of a coin, or the code of a fiat. */
export interface Parsed {
  readonly kind: "coin" | "market" | "fiat" | "spot"
  readonly key: string
}

/** Every kind of series by the beginning of its names, with an example. */
const kinds = [
  { kind: "market", prefix: P2P, example: p2p("KES") },
  { kind: "fiat", prefix: FIATS, example: FIATS + "EUR" },
  { kind: "spot", prefix: SPOTS, example: spot("EUR") },
  { kind: "coin", prefix: COINS, example: coin("bitcoin") }
] as const

/** A name for each kind of series. The usual market and its official rate have names of their own. */
export const examples: ReadonlyArray<string> = [p2p(usualMarket.fiat), OFFICIAL, ...kinds.map(({ example }) => example)]

/** What the series with this name is of; `undefined` if no series can have it. */
export const parse = (name: string): Parsed | undefined => {
  if (name === p2p(usualMarket.fiat)) return { kind: "market", key: usualMarket.fiat }
  if (name === OFFICIAL) return { kind: "fiat", key: OFFICIAL_FIAT }
  const found = kinds.find(({ prefix }) => name.length > prefix.length && name.startsWith(prefix))
  return found && { kind: found.kind, key: name.slice(found.prefix.length) }
}

/** The series of fiats among `names`, by code. A second naira series, from earlier versions, is ignored. */
export const fiatsIn = (names: ReadonlyArray<string>): ReadonlyMap<string, string> => {
  const codes = names.filter((name) => name.startsWith(FIATS)).map((name) => name.slice(FIATS.length))
  const all = names.includes(OFFICIAL) ? [...codes, OFFICIAL_FIAT] : codes
  return new Map(all.map((code) => [code, fiat(code)]))
}

const MINUTE = 60_000
const DAY = 86_400_000

/** The length of a slot, ms. Only the last observation in a slot is kept. */
export const slotOf = (series: string): number => (isP2p(series) || series.startsWith(SPOTS) ? 5 * MINUTE : 1)

/** How long single observations of these are kept, ms: until the day's bucket is built, and two hours longer. */
export const OBSERVATIONS_KEPT = DAY + 3 * 60 * MINUTE

/** How long hourly points of these are kept, ms. Everything else is kept for ever. */
export const HOURS_KEPT = 90 * DAY

/** The longest pause in a record that is no gap, ms: two intervals of its source. */
export const gaps = { p2p: 10 * MINUTE, slowSource: "CoinPaprika", slow: 20 * MINUTE, coin: 12 * MINUTE } as const

const gapOf = (source: string): number => (source.startsWith(gaps.slowSource) ? gaps.slow : gaps.coin)
const coins = { origins: [OWN_RECORD], heldFor: gapOf }
const spots = { origins: [OWN_RECORD], heldFor: () => gaps.p2p }
const markets = { origins: [OWN_RECORD, "Quidax"], heldFor: () => gaps.p2p }
// As sources are served, so that a day has the served rate.
const fiats: Preference = { origins: ["Frankfurter", "currency-api"], heldFor: () => 0, replaces: "late" }
const official: Preference = {
  origins: [OWN_RECORD, "CBN", "CBN via Frankfurter"],
  heldFor: () => 0,
  replaces: "always"
}

/** The order of a series' origins. */
export const preferenceOf = (series: string): Preference => {
  if (isP2p(series)) return markets
  if (series === OFFICIAL) return official
  if (series.startsWith(SPOTS)) return spots
  return series.startsWith(FIATS) ? fiats : coins
}
