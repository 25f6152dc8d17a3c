// Sources of fiat rates.
import { dayMs, dayOf, hourMs, isNigerianBusinessDay, isoDate, isWeekday } from "../Calendar.ts"
import { currencies, isDollarPeg, publishedRate, rateAt, rateDay } from "../Fiats.ts"
import { failed, listOf, ok, significant, type Wire, type WireReply, type WireRequest } from "../Wire.ts"
import { centralRate, labels } from "./Cbn.ts"

const parameters: ReadonlySet<string> = new Set(["base", "quotes", "providers", "from", "to"])

/** Currencies that these sources do not have. The Bank of Ghana, for example, has no API. */
const unpublished: ReadonlySet<string> = new Set(["GHS"])

const listed: ReadonlyArray<string> = currencies.filter((code) => !unpublished.has(code))

const all: ReadonlyArray<string> = [...listed, "USD"].toSorted()

const cbnCodes: ReadonlySet<string> = new Set(["NGN", "USD", ...labels.map(([, code]) => code)])

/** The longest range of more than five quotes, days: five years. */
const mostDays = 5 * 366

const invalid = (message: string): WireReply => failed(422, { status: 422, message })

/** The rate of a day, if one was published; at weekends only pegs have one. */
const observeDay = ({ world }: WireRequest, code: string, isCbn: boolean, day: number): number | undefined => {
  if (isCbn || code === "NGN") {
    if (!isNigerianBusinessDay(day)) return code === "USD" ? 1 : undefined
    const naira = centralRate(world.seed, "USD", day)
    return code === "NGN" ? naira : naira / centralRate(world.seed, code, day)
  }
  return isWeekday(day) || isDollarPeg(code) || code === "USD" ? publishedRate(world.seed, code, day) : undefined
}

/** Units per 1 USD and the day of the observation. */
const observe = (request: WireRequest, code: string, isCbn: boolean): { rate: number; day: number } => {
  const day = rateDay(isCbn ? "NGN" : code, request.at)
  const rate = observeDay(request, code, isCbn, day) ?? 0
  // A peg always has the day of the request, also at weekends.
  return { rate, day: !isCbn && (isDollarPeg(code) || code === "USD") ? dayOf(request.at) : day }
}

/** The days of a range up to today, oldest first; `undefined` for an invalid date. */
const daysOf = ({ at, query }: WireRequest): ReadonlyArray<number> | undefined => {
  const first = dayOf(Date.parse(query.get("from") ?? ""))
  const last = Math.min(dayOf(at), dayOf(Date.parse(query.get("to") ?? isoDate(dayOf(at)))))
  if (Number.isNaN(first) || Number.isNaN(last)) return undefined
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => first + n)
}

const row = (day: number, quote: string, value: number): object => {
  return { date: isoDate(day), base: "USD", quote, rate: significant(value, quote === "NGN" ? 8 : 6) }
}

const rates = (request: WireRequest): WireReply => {
  for (const name of request.query.keys()) if (!parameters.has(name)) return invalid(`unknown parameter: ${name}`)
  if (request.query.get("base") !== "USD") return invalid("invalid currency")
  const quotes = listOf(request.query, "quotes")
  const unknown = quotes?.find((code) => !all.includes(code))
  if (unknown !== undefined) return invalid(`invalid currency: ${unknown}`)
  const isCbn = request.query.get("providers") === "CBN"
  const offered = isCbn ? all.filter((code) => cbnCodes.has(code) && !isDollarPeg(code)) : all
  const wanted = offered.filter((code) => quotes?.includes(code) ?? true)
  if (request.query.has("from")) {
    const days = daysOf(request)
    if (days === undefined) return invalid("invalid date")
    if (days.length > mostDays && wanted.length > 5) return invalid("range too long for so many quotes")
    return ok(
      days.flatMap((day) =>
        wanted.flatMap((quote) => {
          const rate = observeDay(request, quote, isCbn, day)
          const isPublished = day <= rateDay(quote, request.at) || isDollarPeg(quote)
          return rate === undefined || !isPublished ? [] : [row(day, quote, rate)]
        })
      )
    )
  }
  return ok(
    wanted.map((quote) => {
      const { day, rate } = observe(request, quote, isCbn)
      return row(day, quote, rate)
    })
  )
}

/**
 * Frankfurter v2 at the root of its host, in units per 1 USD: one row per currency, each with the day of its observation. A single unknown code fails the
 * whole call, a provider's rates omit the pegs, and v1's `symbols` is refused. With `from`, a row per published day.
 */
const frankfurter: Wire = (request) =>
  request.method === "GET" && request.path === "/v2/rates"
    ? rates(request)
    : failed(404, { status: 404, message: "not found" })

const coinIds = { btc: "bitcoin", eth: "ethereum", sol: "solana", usdt: "tether", usdc: "usd-coin", doge: "dogecoin" }

/** Units of each for 1 USD at the midnight a version is named after. */
const unitsOf = ({ world }: WireRequest, day: number): ReadonlyMap<string, number> => {
  const at = day * dayMs
  const units = new Map<string, number>([["usd", 1]])
  for (const code of listed) {
    const rate = rateAt(world.seed, code, at) ?? 0
    const value = code === "NGN" ? rate * 0.997 : rate
    units.set(code.toLowerCase(), isDollarPeg(code) ? value : Number(value.toFixed(8)))
  }
  for (const [symbol, id] of Object.entries(coinIds)) {
    units.set(symbol, Number((1 / (world.market.price(id, at) ?? 1)).toPrecision(8)))
  }
  return units
}

/**
 * currency-api below `https://cdn.jsdelivr.net/npm/@fawazahmed0`: one package version a day, available from 04:00 UTC,
 * codes in lower case, coins among the currencies, the naira a little off the CBN's.
 */
const currencyApi: Wire = (request) => {
  const missing = failed(404, "Couldn't find the requested release version or file.")
  const [, version] =
    /^\/currency-api@(latest|\d{4}-\d{2}-\d{2})\/v1\/currencies\/usd\.min\.json$/.exec(request.path) ?? []
  if (request.method !== "GET" || version === undefined) return missing
  const newest = dayOf(request.at - 4 * hourMs)
  const days = Array.from({ length: 400 }, (_, back) => newest - back)
  const day = version === "latest" ? newest : days.find((candidate) => isoDate(candidate) === version)
  if (day === undefined) return missing
  const units = [...unitsOf(request, day)].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return ok({ date: isoDate(day), usd: Object.fromEntries(units) })
}

export const fiatRates = { FRANKFURTER: frankfurter, CURRENCY_API: currencyApi }
