// Currencies of the simulated world against USD: a smooth trend per currency, and what is published of it day by day.
// The naira has two lives: the official one here, and the street's in NairaBooks.ts.
import { dayMs, hourMs, isNigerianBusinessDay, isWeekday, lastPublished, minuteMs } from "./Calendar.ts"
import { keyOf, waves } from "./Noise.ts"

/** Units per 1 USD around which each currency moves. */
const levels: Readonly<Record<string, number>> = {
  EUR: 0.8802,
  GBP: 0.7554,
  INR: 96.09,
  ZAR: 16.44,
  CAD: 1.4188,
  JPY: 157.48,
  NGN: 1370,
  CNY: 6.7078,
  AUD: 1.4912,
  NZD: 1.7104,
  CHF: 0.8021,
  SEK: 9.452,
  NOK: 9.981,
  PLN: 3.731,
  CZK: 21.35,
  HUF: 341.2,
  RON: 4.481,
  TRY: 45.62,
  BRL: 5.317,
  MXN: 17.84,
  ARS: 1462,
  CLP: 921.4,
  COP: 3871,
  KRW: 1441,
  IDR: 16_640,
  MYR: 4.072,
  PHP: 58.71,
  SGD: 1.2846,
  THB: 32.18,
  TWD: 31.91,
  VND: 26_240,
  PKR: 280.9,
  BDT: 122.1,
  LKR: 306.4,
  EGP: 48.31,
  MAD: 9.124,
  GHS: 11.646,
  KES: 129.67,
  TZS: 2561,
  UGX: 3612,
  ETB: 151.8,
  ILS: 3.287,
  UAH: 42.36,
  HKD: 7.7861,
  KWD: 0.30641,
  XDR: 0.7281
}

/** Currencies tied to another: `[anchor, units per unit of the anchor]`. */
const ties: Readonly<Record<string, readonly [string, number]>> = {
  AED: ["USD", 3.6725],
  SAR: ["USD", 3.75],
  QAR: ["USD", 3.64],
  JOD: ["USD", 0.709],
  BHD: ["USD", 0.376],
  DKK: ["EUR", 7.4612],
  XOF: ["EUR", 655.957],
  XAF: ["EUR", 655.957],
  BGN: ["EUR", 1.95583],
  NAD: ["ZAR", 1]
}

/** Every currency but the dollar itself. */
export const currencies: ReadonlyArray<string> = [...Object.keys(levels), ...Object.keys(ties)].toSorted()

/** Whether a currency stands still against the dollar. */
export const isDollarPeg = (code: string): boolean => ties[code]?.[0] === "USD"

// In minutes: about ±2 % over a quarter, ±0.2 % over a day.
const octaves = [
  [129_600, 0.014],
  [20_160, 0.005],
  [4320, 0.002],
  [720, 0.0008]
] as const

/** Published 15:00 UTC by the banks of the world, 15:30 by the CBN. */
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
