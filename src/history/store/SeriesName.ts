// The series that are kept, by name, and how long each kind of record is kept. What can be computed from these, such as
// prices in other fiats, is not recorded.

import { OFFICIAL_FIAT } from "../../domain/OfficialRate.ts"
import { usualMarket } from "../../domain/P2pMarket.ts"
import type { Preference } from "../model/choosePoints.ts"
import { OWN_RECORD } from "../model/Point.ts"

/** The official rate that has sources of its own, units per 1 USD. */
export const OFFICIAL = "official"

/** USDT against a fiat with a P2P market, units of the fiat per USDT. */
export const p2p = (fiat: string): string =>
  fiat === usualMarket.fiat ? (usualMarket.series ?? P2P + fiat) : P2P + fiat

/** What the series of P2P markets begin with, but that of the usual one. */
export const P2P = "p2p/"

/** Whether a series is of a P2P market. */
export const isP2p = (series: string): boolean => series.startsWith(P2P) || series === p2p(usualMarket.fiat)

/** A coin in USD. */
export const coin = (id: string): string => `coin/${id}`

/** Units of a fiat per 1 USD, as published officially. */
export const fiat = (code: string): string => (code === OFFICIAL_FIAT ? OFFICIAL : FIATS + code)

/** What the names of all coins, and of all fiats but that of the official rate, begin with. */
export const COINS = "coin/"
export const FIATS = "fx/"

/** The series of fiats among some, by code. Earlier versions recorded a second one of the naira, which is not read. */
export const fiatsIn = (names: ReadonlyArray<string>): ReadonlyMap<string, string> => {
  const codes = names.filter((name) => name.startsWith(FIATS)).map((name) => name.slice(FIATS.length))
  const all = names.includes(OFFICIAL) ? [...codes, OFFICIAL_FIAT] : codes
  return new Map(all.map((code) => [code, fiat(code)]))
}

const MINUTE = 60_000
const DAY = 86_400_000

/** At most one observation is kept in each slot of so many ms, the first: P2P markets 5 minutes, others 1 ms. */
export const slotOf = (series: string): number => (isP2p(series) ? 5 * MINUTE : 1)

/** How long single observations of coins are kept: until the day's bucket is built, with an hour to spare twice over. */
export const OBSERVATIONS_KEPT = DAY + 3 * 60 * MINUTE

/** How long hourly points of coins are kept. Everything else is kept for ever. */
export const HOURS_KEPT = 90 * DAY

/** The longest gap of a record that covers its time: two intervals, a market's 5 minutes, a list's by its source. */
export const gaps = { p2p: 10 * MINUTE, slowSource: "CoinPaprika", slow: 20 * MINUTE, coin: 12 * MINUTE } as const

const gapOf = (source: string): number => (source.startsWith(gaps.slowSource) ? gaps.slow : gaps.coin)
const exchanges = ["Kraken", "Bitstamp", "Bitfinex", "Binance", "OKX", "KuCoin"]
const coins = { origins: [OWN_RECORD, ...exchanges, "CoinGecko", "CoinPaprika"], heldFor: gapOf }
const markets = { origins: [OWN_RECORD, "Quidax"], heldFor: () => gaps.p2p }
const fiats = { origins: ["Frankfurter", "currency-api"], heldFor: () => 0 }
const official = { origins: [OWN_RECORD, "CBN", "CBN via Frankfurter"], heldFor: () => 0 }

/** Whose record of a series goes before whose. */
export const preferenceOf = (series: string): Preference => {
  if (isP2p(series)) return markets
  if (series === OFFICIAL) return official
  return series.startsWith(FIATS) ? fiats : coins
}
