// The fiats that prices are quoted in. To add one, add a row.
import { isOtherUnit } from "./otherUnits.ts"

/** Each in upper case, with its units per 1 USD in 2026. */
const fiats = [
  ["USD", 1],
  ["NGN", 1370],
  ["EUR", 0.88],
  ["GBP", 0.76],
  ["INR", 96],
  ["ZAR", 16.4],
  ["AED", 3.6725],
  ["CAD", 1.42],
  ["JPY", 157]
] as const

/** One of {@link quotedFiats}. */
export type QuotedFiat = (typeof fiats)[number][0]

/** The fiats of `/v1/price`, in upper case. */
export const quotedFiats: ReadonlyArray<QuotedFiat> = fiats.map(([code]) => code)

/** Whether a code, in any case of ASCII letters, is one of them. `GBp` is none: it means pence. */
export const isQuotedFiat = (code: string): boolean =>
  /^[A-Za-z]{3}$/.test(code) && !isOtherUnit(code) && quotedFiats.some((fiat) => fiat === code.toUpperCase())

/** Units per 1 USD in 2026 by fiat. */
export const knownRates: Readonly<Record<string, number>> = Object.fromEntries(fiats)
