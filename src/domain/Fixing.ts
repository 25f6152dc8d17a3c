// The fixing of a P2P market: one rate a day, the mean of the mids that were observed in the hour before 16:00 in the market's time zone.
// It is made once, at 16:05, from the observations that were recorded by then.
import { DateTime } from "effect"
import { mean } from "./Decimal.ts"
import { builtInMarkets } from "./P2pMarket.ts"
import { type Confidence, leastConfidence, type VenueQuote } from "./P2pRate.ts"

/** Local time at which the hour of a fixing ends. */
const HOUR_OF_DAY = 16

/** The length of the window, ms. */
const WINDOW = 3_600_000

/** How long after its window a fixing waits for observations that were made in it, ms. */
const GRACE = 300_000

/** A fixing needs observations in this many of its twelve parts. */
const LEAST_PARTS = 9

/** The time zone of markets without one of their own. */
const USUAL_ZONE = "UTC"

export const zoneOf = (fiat: string): string => builtInMarkets.get(fiat)?.zone ?? USUAL_ZONE

/** The times of one day's fixing, epoch milliseconds. */
export interface FixingTimes {
  /** The window, its end excluded. */
  readonly from: number
  readonly to: number
  /** When it is published. Observations recorded later do not count. */
  readonly due: number
}

/** The times of a day (`YYYY-MM-DD`) in a zone. */
export const fixingTimes = (zone: string, day: string): FixingTimes => {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number)
  const parts = { year, month, day: date, hour: HOUR_OF_DAY }
  const to = DateTime.makeZonedUnsafe(parts, { timeZone: zone, adjustForTimeZone: true }).epochMilliseconds
  return { from: to - WINDOW, to, due: to + GRACE }
}

/** The day (`YYYY-MM-DD`) of a time in a zone. */
export const dayIn = (zone: string, time: number): string =>
  DateTime.formatIsoDate(DateTime.makeZonedUnsafe(time, { timeZone: zone }))

/** The last observation of a part of the window. */
export interface FixingPart {
  /** Epoch milliseconds. */
  readonly observedAt: number
  readonly mid: number
  readonly confidence: Confidence | null
  readonly kind: VenueQuote["kind"] | null
  /** The venues. */
  readonly source: string
  readonly method: string | null
}

/** A fixing's rate, fiat per USDT; null with a reason. */
export interface FixedRate {
  readonly rate: number | null
  readonly reason: "too_few_parts" | "low_confidence" | null
  /** The least of its parts. */
  readonly confidence: Confidence | null
  readonly kind: VenueQuote["kind"] | null
  /** The observations that it was made from, oldest first. */
  readonly parts: ReadonlyArray<FixingPart>
}

export interface Fixing extends Omit<FixedRate, "reason"> {
  /** The start of the day's date in UTC. */
  readonly day: number
  readonly reason: string | null
  readonly method: string
  /** When its first row was written. */
  readonly publishedAt: number
  /** When its newest row was written, if it is a correction. */
  readonly revisedAt: number | null
}

/** The rate of a window from its observations, oldest first. Where there is a P2P rate, an order book's do not count. */
export const fixedRate = (observed: ReadonlyArray<FixingPart>): FixedRate => {
  const kind = observed.some((part) => part.kind === "p2p") ? "p2p" : (observed[0]?.kind ?? null)
  const parts = observed.filter((part) => part.kind === kind)
  const confidence = leastConfidence(parts.map((part) => part.confidence ?? "low")) ?? null
  const reason = parts.length < LEAST_PARTS ? "too_few_parts" : confidence === "low" ? "low_confidence" : null
  return { rate: reason === null ? mean(parts.map(({ mid }) => mid)) : null, reason, confidence, kind, parts }
}
