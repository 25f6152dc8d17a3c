// The Central Bank of Nigeria's two lists. All numbers are strings. NFEM: in no order, one row twice, blanks. All rates:
// newest first, the naira per unit of each currency, blanks, and one day on which the rand carries the riyal's rate.
import { isNigerianBusinessDay, isoDate, monthDate } from "../Calendar.ts"
import { publishedRate, rateDay } from "../Fiats.ts"
import { keyOf, unit } from "../Noise.ts"
import { failed, ok, type Wire, type WireRequest } from "../Wire.ts"

/** How many business days each list goes back. */
const history = { nfem: 60, all: 522 }

/** The CBN's label of a currency and what it means. */
export const labels: ReadonlyArray<readonly [string, string]> = [
  ["CFA", "XOF"],
  ["YUAN/RENMINBI", "CNY"],
  ["DANISH KRONA", "DKK"],
  ["EURO", "EUR"],
  ["YEN", "JPY"],
  ["RIYAL", "SAR"],
  ["SOUTH AFRICAN RAND", "ZAR"],
  ["SDR", "XDR"],
  ["SWISS FRANC", "CHF"],
  ["POUNDS STERLING", "GBP"],
  ["UAE DIRHAM", "AED"],
  ["US DOLLAR", "USD"]
]

/** The central rate of a day, NGN per unit: for the dollar half a naira below the NFEM average. */
export const centralRate = (seed: number, code: string, day: number): number => {
  const dollar = (publishedRate(seed, "NGN", day) ?? 0) - 0.5
  return dollar / (publishedRate(seed, code, day) ?? 1)
}

/** The last business days with rates, newest first. */
const businessDays = (at: number, count: number): ReadonlyArray<number> => {
  const days: Array<number> = []
  for (let day = rateDay("NGN", at); days.length < count; day--) if (isNigerianBusinessDay(day)) days.push(day)
  return days
}

const nfem = ({ world, at }: WireRequest): ReadonlyArray<object> => {
  const key = keyOf(world.seed, "nfem")
  const rows = businessDays(at, history.nfem).map((day) => {
    const average = publishedRate(world.seed, "NGN", day) ?? 0
    return {
      id: String(day - 20_000),
      ratedate: monthDate(day),
      weightedAvgRate: average.toFixed(4)
    }
  })
  const shuffled = rows.toSorted((a, b) => unit(key ^ 7, Number(a.id)) - unit(key ^ 7, Number(b.id)))
  const twice = shuffled[5]
  return twice === undefined ? shuffled : [...shuffled, twice]
}

const exchangeRates = ({ world, at }: WireRequest): ReadonlyArray<object> =>
  businessDays(at, history.all).flatMap((day, back) =>
    // Older days have only the dollar's rate: the service reads no other.
    labels.slice(back < history.nfem ? 0 : -1).map(([currency, code]) => {
      const isMislabelled = back === 7 && code === "ZAR"
      const central = centralRate(world.seed, isMislabelled ? "SAR" : code, day)
      return {
        currency,
        ratedate: isoDate(day),
        centralrate: back === 13 && code === "XDR" ? "" : central.toFixed(4)
      }
    })
  )

/** www.cbn.gov.ng. */
export const cbn: Wire = (request) => {
  if (request.method === "GET" && request.path === "/api/GetAllNFEM_Rates") return ok(nfem(request))
  if (request.method === "GET" && request.path === "/api/GetAllExchangeRates") return ok(exchangeRates(request))
  return failed(404, "The resource cannot be found.")
}
