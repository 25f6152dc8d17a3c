// The fiats that prices are quoted in. To add one, add its code.
import { isOtherUnit } from "./otherUnits.ts"

/** The fiats of `/v1/price`, in upper case. */
export const quotedFiats = ["USD", "NGN", "EUR", "GBP", "INR", "ZAR", "AED", "CAD", "JPY"] as const

/** One of {@link quotedFiats}. */
export type QuotedFiat = (typeof quotedFiats)[number]

/** Whether a code, in any case of ASCII letters, is one of them. `GBp` is none: it means pence. */
export const isQuotedFiat = (code: string): boolean =>
  /^[A-Za-z]{3}$/.test(code) && !isOtherUnit(code) && quotedFiats.some((fiat) => fiat === code.toUpperCase())
