// The fiats, and the official naira.
import { releaseRates } from "../../src/domain/releaseRates.ts"
import { HOUR, MINUTE } from "./Course.ts"
import { dayScene, type DaySource } from "./DayScene.ts"
import { fiatsDriven, officialDriven } from "./driveDays.ts"

const codes = ["NGN", "EUR", "GBP", "INR", "ZAR", "AED", "CAD", "JPY", "SEK", "TRY", "KES", "EGP", "ETB"]

/** The usual rates, which are those of the release. */
const fiats = Object.fromEntries(codes.map((code) => [code, releaseRates[code] ?? Number.NaN]))

const tables: ReadonlyArray<DaySource> = [
  { name: "Frankfurter", every: HOUR, publishes: 15 * HOUR, codes: codes.filter((code) => code !== "ETB") },
  { name: "currency-api", every: HOUR, publishes: 2 * HOUR, isAlsoAtWeekends: true, codes }
]

export const fiatScene = dayScene({ name: "fiats", sources: tables, usual: fiats, driven: fiatsDriven(tables) })

const banks: ReadonlyArray<DaySource> = [
  { name: "CBN (NFEM)", every: 30 * MINUTE, publishes: 15 * HOUR, codes: ["NGN"] },
  { name: "CBN", every: 12 * HOUR, publishes: 17 * HOUR, codes: ["NGN"] },
  { name: "CBN via Frankfurter", every: HOUR, publishes: 30 * HOUR, codes: ["NGN"] }
]

export const officialScene = dayScene({
  name: "official naira",
  sources: banks,
  usual: { NGN: releaseRates["NGN"] ?? Number.NaN },
  driven: officialDriven(banks)
})
