// fawazahmed0's currency-api on a CDN: one package version a day, there from 04:00 UTC, codes in lower case, coins among the
// currencies, the naira a little off the CBN's.
import { dayOf, dayMs, hourMs, isoDate } from "../Calendar.ts"
import { currencies, isDollarPeg, rateAt } from "../Fiats.ts"
import { failed, ok, type Wire, type WireRequest } from "../Wire.ts"

const coins: ReadonlyArray<readonly [string, string]> = [
  ["btc", "bitcoin"],
  ["eth", "ethereum"],
  ["sol", "solana"],
  ["usdt", "tether"],
  ["usdc", "usd-coin"],
  ["doge", "dogecoin"]
]

/** Units of each for 1 USD at the midnight a version is named after. */
const unitsOf = ({ world }: WireRequest, day: number): ReadonlyMap<string, number> => {
  const at = day * dayMs
  const units = new Map<string, number>([["usd", 1]])
  for (const code of currencies) {
    const rate = rateAt(world.seed, code, at) ?? 0
    const value = code === "NGN" ? rate * 0.997 : rate
    units.set(code.toLowerCase(), isDollarPeg(code) ? value : Number(value.toFixed(8)))
  }
  for (const [symbol, id] of coins) units.set(symbol, Number((1 / (world.market.price(id, at) ?? 1)).toPrecision(8)))
  return units
}

/** Below `https://cdn.jsdelivr.net/npm/@fawazahmed0`. */
export const currencyApi: Wire = (request) => {
  const missing = failed(404, "Couldn't find the requested release version or file.")
  const match =
    /^\/currency-api@(latest|\d{4}-\d{2}-\d{2}|\d{4}\.\d{1,2}\.\d{1,2})\/v1\/currencies\/([a-z0-9]+)(\.min)?\.json$/.exec(
      request.path
    )
  if (request.method !== "GET" || match === null) return missing
  const newest = dayOf(request.at - 4 * hourMs)
  const asked = (match[1] ?? "").replace(/^(\d{4})\.(\d+)\.(\d+)$/, (_, year, month: string, day: string) =>
    [year, month.padStart(2, "0"), day.padStart(2, "0")].join("-")
  )
  const days = Array.from({ length: 400 }, (_, back) => newest - back)
  const day = asked === "latest" ? newest : days.find((candidate) => isoDate(candidate) === asked)
  if (day === undefined) return missing
  const units = unitsOf(request, day)
  const base = match[2] ?? ""
  const perDollar = units.get(base)
  if (perDollar === undefined) return missing
  const codes = [...units.keys()].toSorted()
  const rates = codes.map((code): [string, number] => {
    const value = units.get(code) ?? 0
    return [code, base === "usd" ? value : Number((value / perDollar).toPrecision(9))]
  })
  return ok({ date: isoDate(day), [base]: Object.fromEntries(rates) })
}
