// The series that are kept, by name, and how long each kind of record is kept. What can be computed from these, such as
// prices in other fiats, is not recorded.

import { OWN_RECORD } from "../model/Point.ts"

/** USDT/NGN. */
export const NAIRA = "naira"

/** The official naira rate, NGN per USD. */
export const OFFICIAL = "official"

/** A coin in USD. */
export const coin = (id: string): string => `coin/${id}`

/** Units of a fiat per 1 USD. */
export const fiat = (code: string): string => `fx/${code}`

/** What the names of all coins and of all fiats begin with. */
export const COINS = "coin/"
export const FIATS = "fx/"

const MINUTE = 60_000
const DAY = 86_400_000

/** At most one observation is kept in each slot of so many ms, the first: naira 5 minutes, others 1 ms. */
export const slotOf = (series: string): number => (series === NAIRA ? 5 * MINUTE : 1)

/** How long single observations of coins are kept: until the day's bucket is built, with an hour to spare twice over. */
export const OBSERVATIONS_KEPT = DAY + 3 * 60 * MINUTE

/** How long hourly points of coins are kept. Everything else is kept for ever. */
export const HOURS_KEPT = 90 * DAY

/** Whose record of a series goes before whose. */
export const originsOf = (series: string): ReadonlyArray<string> => {
  if (series === NAIRA) return [OWN_RECORD, "Quidax"]
  if (series === OFFICIAL) return [OWN_RECORD, "CBN", "CBN via Frankfurter"]
  if (series.startsWith(FIATS)) return ["Frankfurter", "currency-api"]
  return [OWN_RECORD, "CoinGecko", "DefiLlama", "CoinPaprika"]
}
