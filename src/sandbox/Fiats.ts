// Currencies of the simulated world against USD: a smooth trend per currency, published day by day. The naira here is the
// official rate; its P2P rate is in P2pBooks.ts.
import { Schema } from "effect"
import { dayMs, hourMs, isNigerianBusinessDay, isWeekday, lastPublished, minuteMs } from "./Calendar.ts"
import fiats from "./fiats.json" with { type: "json" }
import { keyOf, waves } from "./Noise.ts"

const { levels, ties } = Schema.decodeUnknownSync(
  Schema.Struct({
    /** Units per 1 USD around which each currency moves. */
    levels: Schema.Record(Schema.String, Schema.Finite),
    /** Currencies tied to another: `[anchor, units per unit of the anchor]`. */
    ties: Schema.Record(Schema.String, Schema.Tuple([Schema.String, Schema.Finite]))
  })
)(fiats)

/** Every currency but the dollar itself. */
export const currencies: ReadonlyArray<string> = [...Object.keys(levels), ...Object.keys(ties)].toSorted()

/** Whether a currency is pegged to the dollar. */
export const isDollarPeg = (code: string): boolean => ties[code]?.[0] === "USD"

// Periods in minutes. The rates move about ±2 % over a quarter, ±0.2 % over a day.
const octaves = [
  [129_600, 0.014],
  [20_160, 0.005],
  [4320, 0.002],
  [720, 0.0008]
] as const

/** Milliseconds of the day: the world's banks publish at 15:00 UTC, the CBN at 15:30. */
const bankCutoff = 15 * hourMs
const cbnCutoff = 15.5 * hourMs

/** The last day that has published rates of a currency. */
export const rateDay = (code: string, at: number): number =>
  code === "NGN" ? lastPublished(at, cbnCutoff, isNigerianBusinessDay) : lastPublished(at, bankCutoff, isWeekday)

/** The market's rate at a time, units per 1 USD; `undefined` for a currency that does not exist here. */
export const rateAt = (seed: number, code: string, at: number): number | undefined => {
  if (code === "USD") return 1
  const tie = ties[code]
  if (tie !== undefined) {
    const anchor = rateAt(seed, tie[0], at)
    return anchor === undefined ? undefined : anchor * tie[1]
  }
  const level = levels[code]
  return level === undefined ? undefined : level * Math.exp(waves(keyOf(seed, "fx", code), at / minuteMs, octaves))
}

/** The rate published for a day: the market's at 13:00 UTC. */
export const publishedRate = (seed: number, code: string, day: number): number | undefined =>
  rateAt(seed, code, day * dayMs + 13 * hourMs)
