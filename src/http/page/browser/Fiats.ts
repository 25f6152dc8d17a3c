// The fiats that prices are quoted in, as the page offers them: the naira first.
import type { PriceHistory } from "./Answers.ts"

type Fiat = PriceHistory["fiat"]

export const fiats: ReadonlySet<Fiat> = new Set(["NGN", "USD", "EUR", "GBP", "INR", "ZAR", "AED", "CAD", "JPY"])

/** Whether a code, in any case, is one of them. */
export const isFiat = (code: string): boolean => [...fiats].some((fiat) => fiat === code.toUpperCase())
