// Checks of the answers of fiat rate sources and P2P venues.
import { DateTime } from "effect"
import { quotedFiats } from "./QuotedFiat.ts"
import type { FxRates } from "./FxRates.ts"
import type { OfficialRate } from "./OfficialRate.ts"
import { bounds, type Check, isWithin, isWithinFactor, Tally } from "./Plausibility.ts"
import { PAST_RATE } from "./Thresholds.ts"

/** Whether a rate, units per 1 USD, is possible, also after another one of its past. */
export const isPossibleRate = (rate: number, former: number = rate): boolean =>
  isWithin(rate, bounds.fiatRate) && isWithinFactor(rate, former, PAST_RATE)

/** The last plausible day of a rate. Some banks publish for the next day, and the earliest time zone is 14 hours ahead of UTC. */
const lastDay = (now: DateTime.Utc): string => DateTime.formatIsoDateUtc(DateTime.add(now, { hours: 24 + 14 }))

/** Fiat rates: refused if half or more of the quoted fiats are missing. */
export const fxRates: Check<FxRates> = ({ observed, rates }, { now }) => {
  const tally = new Tally()
  const credible = Object.entries(rates).filter(([code, rate]) => {
    const isDue = (observed[code] ?? "") <= lastDay(now)
    const isPossible = isPossibleRate(rate)
    if (!isDue) tally.add("date")
    if (!isPossible) tally.add("fiat_rate")
    return isDue && isPossible
  })
  const codes = new Set(credible.map(([code]) => code))
  const value = {
    rates: Object.fromEntries(credible),
    observed: Object.fromEntries(Object.entries(observed).filter(([code]) => codes.has(code)))
  }
  const quoted = quotedFiats.filter((fiat) => codes.has(fiat)).length
  return { value: 2 * quoted > quotedFiats.length ? value : null, leftOut: tally.leftOut }
}

/** The official rate of a fiat with its own sources: accepted or refused as a whole. */
export const officialRate: Check<OfficialRate> = (received, { now }) => {
  const tally = new Tally()
  const isPossible = isPossibleRate(received.rate)
  const isDue = received.date <= lastDay(now)
  if (!isPossible) tally.add("official_rate")
  if (!isDue) tally.add("date")
  return { value: isPossible && isDue ? received : null, leftOut: tally.leftOut }
}
