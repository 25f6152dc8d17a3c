// Frankfurter v2: one row per currency, each with the day of its observation. A single unknown code fails the whole call;
// asking for a provider leaves the pegs out; v1's `symbols` is refused.
import { dayOf, isoDate } from "../Calendar.ts"
import { currencies, isDollarPeg, rateDay } from "../Fiats.ts"
import { failed, listOf, ok, significant, type Wire, type WireReply, type WireRequest } from "../Wire.ts"
import { centralRate, labels } from "./Cbn.ts"

const parameters: ReadonlySet<string> = new Set(["base", "quotes", "providers"])

const all: ReadonlyArray<string> = [...currencies, "USD"].toSorted()

const cbnCodes: ReadonlySet<string> = new Set(["NGN", "USD", ...labels.map(([, code]) => code)])

const invalid = (message: string): WireReply => failed(422, { status: 422, message })

/** Units per 1 USD and the day of the observation. */
const observe = ({ world, at }: WireRequest, code: string, isCbn: boolean): { rate: number; day: number } => {
  const day = rateDay(isCbn ? "NGN" : code, at)
  const naira = centralRate(world.seed, "USD", rateDay("NGN", at))
  if (code === "NGN") return { rate: naira, day }
  if (isCbn) return { rate: naira / centralRate(world.seed, code, day), day }
  // A peg is never old: it carries the day it is asked for, weekends too.
  return { rate: world.fiat(code, at) ?? 0, day: isDollarPeg(code) || code === "USD" ? dayOf(at) : day }
}

const rates = (request: WireRequest): WireReply => {
  for (const name of request.query.keys()) if (!parameters.has(name)) return invalid(`unknown parameter: ${name}`)
  const base = (request.query.get("base") ?? "EUR").toUpperCase()
  const quotes = listOf(request.query, "quotes")?.map((code) => code.toUpperCase())
  const unknown = [base, ...(quotes ?? [])].find((code) => !all.includes(code))
  if (unknown !== undefined) return invalid(`invalid currency: ${unknown}`)
  const providers = listOf(request.query, "providers")
  const isCbn = providers?.some((name) => name.toUpperCase() === "CBN") === true
  if (providers !== undefined && !isCbn) return ok([])
  const offered = isCbn ? all.filter((code) => cbnCodes.has(code) && !isDollarPeg(code)) : all
  const from = observe(request, base, isCbn)
  return ok(
    offered
      .filter((code) => quotes?.includes(code) ?? true)
      .map((quote) => {
        const to = observe(request, quote, isCbn)
        const rate = quote === base ? 1 : significant(to.rate / from.rate, quote === "NGN" ? 8 : 6)
        return { date: isoDate(Math.min(from.day, to.day)), base, quote, rate }
      })
  )
}

/** Frankfurter at the root of its host. */
export const frankfurter: Wire = (request) =>
  request.method === "GET" && request.path === "/v2/rates"
    ? rates(request)
    : failed(404, { status: 404, message: "not found" })
