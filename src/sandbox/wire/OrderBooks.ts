// The order books of Quidax, Luno and VALR. Quidax: strings, the time in seconds. Luno: strings, the time in milliseconds. VALR: strings, the time in ISO 8601.
import { minuteMs } from "../Calendar.ts"
import { keyOf, pick } from "../Noise.ts"
import { digitsOf, quote } from "../P2pBooks.ts"
import { failed, integerOf, ok, type Wire, type WireReply, type WireRequest } from "../Wire.ts"

/** Minutes of a candle. */
const periods: ReadonlySet<number> = new Set([1, 5, 15, 30, 60, 120, 240, 360, 720, 1440, 4320, 10_080])

/**
 * Candles, newest first, including the running one: `[start in ms, "open", "high", "low", "close", "volume"]`. Without
 * a trade the last close is repeated with volume 0. Now and then a high is absurd.
 */
const candles = ({ at, query, world }: WireRequest, fiat: string): WireReply => {
  const minutes = Number(query.get("period") ?? "1")
  if (!periods.has(minutes)) return failed(400, { status: "error", message: "period is invalid", data: null })
  const length = minutes * minuteMs
  const key = keyOf(world.seed, "candles", String(minutes), ...(fiat === "NGN" ? [] : [fiat]))
  const newest = Math.floor(at / length)
  const isTraded = (step: number) => pick(key, step, 15) !== 0
  const lastAt = (time: number) => quote(world.seed, "quidax", fiat, Math.min(at, time)).last
  const closeOf = (step: number) => {
    let traded = step
    while (!isTraded(traded)) traded--
    return lastAt((traded + 1) * length - 1)
  }
  const candle = (step: number): ReadonlyArray<number | string> => {
    const close = closeOf(step)
    const digits = digitsOf(close)
    const flat = close.toFixed(digits)
    if (!isTraded(step)) return [step * length, flat, flat, flat, flat, "0.0"]
    const seen = [0, 0.25, 0.5, 0.75].map((part) => lastAt((step + part) * length)).concat(close)
    const high = pick(key ^ 1, step, 20) === 0 ? "729000.0" : Math.max(...seen).toFixed(digits)
    const volume = ((20 + 500 * pick(key ^ 2, step, 100)) / 100).toFixed(4)
    return [step * length, (seen[0] ?? close).toFixed(digits), high, Math.min(...seen).toFixed(digits), flat, volume]
  }
  const limit = integerOf(query, "limit", 30, 10_000)
  return ok({
    status: "success",
    message: "Successful",
    data: Array.from({ length: limit }, (_, back) => candle(newest - back))
  })
}

/** The fiats of each venue's markets. */
const fiatsOf = { quidax: ["NGN", "GHS"], luno: ["NGN", "ZAR"], valr: ["ZAR"] } as const

/** The fiat of a market, by its name at a venue. */
const fiatIn = (venue: keyof typeof fiatsOf, market: string | null | undefined): string | undefined =>
  fiatsOf[venue].find((fiat) => market?.toUpperCase() === `USDT${fiat}`)

/** Quidax below its API's path: the customer sells at `buy` and buys at `sell`. */
const quidax: Wire = (request) => {
  const { world, at, method, path, isInverted } = request
  const [, market = "", kind] = /^\/markets\/(?:tickers\/)?([a-z]+)(\/k)?$/.exec(path) ?? []
  const fiat = method === "GET" ? fiatIn("quidax", market) : undefined
  if (fiat === undefined) return failed(404, { status: "error", message: "Market not found", data: null })
  if (kind !== undefined) return candles(request, fiat)
  const book = quote(world.seed, "quidax", fiat, at)
  const digits = digitsOf(book.last)
  const [buy, sell] = isInverted ? [book.ask, book.bid] : [book.bid, book.ask]
  return ok({
    status: "success",
    message: "Successful",
    data: {
      at: Math.floor(book.observedAt / 1000),
      ticker: {
        buy: buy.toFixed(digits),
        sell: sell.toFixed(digits)
      },
      market
    }
  })
}

/** api.luno.com. */
const luno: Wire = ({ world, at, method, path, query, isInverted }) => {
  if (method !== "GET" || path !== "/api/1/ticker")
    return failed(404, { error: "Not found", error_code: "ErrNotFound" })
  const fiat = fiatIn("luno", query.get("pair"))
  if (fiat === undefined) return failed(400, { error: "Invalid pair", error_code: "ErrInvalidPair" })
  const book = quote(world.seed, "luno", fiat, at)
  const [bid, ask] = isInverted ? [book.ask, book.bid] : [book.bid, book.ask]
  return ok({
    pair: `USDT${fiat}`,
    timestamp: book.observedAt,
    bid: bid.toFixed(4),
    ask: ask.toFixed(4),
    status: "ACTIVE"
  })
}

/** api.valr.com. */
const valr: Wire = ({ world, at, method, path, isInverted }) => {
  const [, market] = /^\/v1\/public\/([A-Z]+)\/marketsummary$/.exec(path) ?? []
  const fiat = method === "GET" ? fiatIn("valr", market) : undefined
  if (fiat === undefined) return failed(404, { code: -21, message: "Unsupported Currency Pair" })
  const book = quote(world.seed, "valr", fiat, at)
  const [bid, ask] = isInverted ? [book.ask, book.bid] : [book.bid, book.ask]
  return ok({
    currencyPair: market,
    askPrice: ask.toFixed(4),
    bidPrice: bid.toFixed(4),
    created: new Date(book.observedAt).toISOString()
  })
}

export const orderBooks = { QUIDAX: quidax, LUNO: luno, VALR: valr }
