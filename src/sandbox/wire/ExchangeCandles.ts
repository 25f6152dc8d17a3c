// The candles of one pair of each of four exchanges, each in its own names, units, places and order.
import { dayMs, hourMs, minuteMs } from "../Calendar.ts"
import type { ListedInFiat } from "../ExchangeBooks.ts"
import { type CandleExchange, type ExchangeCandle, exchangeCandles, pairNamed } from "../ExchangeCandles.ts"
import { failed, integerOf, significant, type WireReply, type WireRequest } from "../Wire.ts"
import { at, bitfinexName, dashed, text } from "./exchangeNames.ts"

/** The reply to a request for candles; `undefined` for any other path. */
type MaybeWire = (request: WireRequest) => WireReply | undefined

/** Names of intervals, in milliseconds. */
const lengths: Readonly<Record<string, number>> = {
  "1d": dayMs,
  "1D": dayMs,
  "1day": dayMs,
  "86400": dayMs,
  "1h": hourMs,
  "1hour": hourMs,
  "3600": hourMs,
  "1m": minuteMs,
  "1min": minuteMs,
  "60": minuteMs
}

interface Asked {
  readonly name: string
  readonly nameOf: (pair: ListedInFiat) => string
  readonly length: string | null
  /** The latest start, epoch milliseconds. */
  readonly last?: number
  readonly most: number
}

/** The requested candles, oldest first; `undefined` for a pair or an interval that the exchange does not have. */
const candlesOf = (
  { at, world }: WireRequest,
  exchange: CandleExchange,
  { last = at, length, most, name, nameOf }: Asked
): ReadonlyArray<ExchangeCandle> | undefined => {
  const [pair, millis] = [pairNamed(exchange, name, nameOf), lengths[length ?? ""]]
  if (pair === undefined || millis === undefined) return undefined
  return exchangeCandles(world, exchange, pair, { at, last, length: millis, most })
}

const prices = ({ close, high, low, open }: ExchangeCandle) => [open, high, low, close].map(text)

/** A time parameter as epoch milliseconds. Its own unit is a second divided by `perSecond`. */
const timeIn = (query: URLSearchParams, name: string, perSecond: number): number =>
  (Number(query.get(name) ?? Number.MAX_SAFE_INTEGER / 1000) * 1000) / perSecond

const bitstamp: MaybeWire = (request) => {
  const ohlc = /^\/api\/v2\/ohlc\/(\w+)\/$/.exec(request.path)?.[1]
  if (ohlc === undefined) return undefined
  const nameOf = ({ base, quote }: ListedInFiat) => (base + quote).toLowerCase()
  const [last, most] = [timeIn(request.query, "end", 1), integerOf(request.query, "limit", 100, 1000)]
  const asked = { name: ohlc, nameOf, length: request.query.get("step"), last, most }
  const found = candlesOf(request, "bitstamp", asked)
  if (found === undefined) return failed(404, { status: "error", reason: "Not found" })
  const rows = found.map((one) => {
    const [open, high, low, close] = prices(one)
    return { timestamp: String(one.start / 1000), open, high, low, close, volume: text(one.volume) }
  })
  return at(request, { data: { pair: ohlc, ohlc: rows } })
}

const bitfinex: MaybeWire = (request) => {
  const [, length = null, name = ""] = /^\/v2\/candles\/trade:(\w+):(.+)\/hist$/.exec(request.path) ?? []
  if (length === null) return undefined
  const [last, most] = [timeIn(request.query, "end", 1000), integerOf(request.query, "limit", 100, 10_000)]
  const found = candlesOf(request, "bitfinex", { name, nameOf: bitfinexName, length, last, most }) ?? []
  const rows = found.map(({ close, high, low, open, start, volume }) => [
    start,
    ...[open, close, high, low, volume].map((value) => significant(value, 9))
  ])
  return at(request, rows.toReversed())
}

const binance: MaybeWire = (request) => {
  if (request.path !== "/api/v3/klines") return undefined
  const { query } = request
  const nameOf = ({ base, quote }: ListedInFiat) => base + quote
  const [last, most] = [timeIn(query, "endTime", 1000), integerOf(query, "limit", 500, 1000)]
  const asked = { name: query.get("symbol") ?? "", nameOf, length: query.get("interval"), last, most }
  const found = candlesOf(request, "binance", asked)
  if (found === undefined) return failed(400, { code: -1121, msg: "Invalid symbol." })
  const rows = found.map((one) => {
    const end = one.start + (lengths[query.get("interval") ?? ""] ?? 0) - 1
    return [one.start, ...prices(one), text(one.volume), end, text(one.turnover), 77, "1", "1", "0"]
  })
  return at(request, rows)
}

const kucoin: MaybeWire = (request) => {
  if (request.path !== "/api/v1/market/candles") return undefined
  const { query } = request
  const length = query.get("type")
  const [from, end] = [timeIn(query, "startAt", 1), timeIn(query, "endAt", 1)]
  const asked = { name: query.get("symbol") ?? "", nameOf: dashed, length, last: end - 1, most: 1500 }
  const found = candlesOf(request, "kucoin", asked)
  if (found === undefined) return at(request, { code: "400100", msg: "symbol not exists" })
  const rows = found.map((one) => {
    const [open, high, low, close] = prices(one)
    return [String(one.start / 1000), open, close, high, low, text(one.volume), text(one.turnover)]
  })
  return at(request, { code: "200000", data: rows.filter(([start]) => Number(start) * 1000 >= from).toReversed() })
}

export const candles = { bitstamp, bitfinex, binance, kucoin } satisfies Record<CandleExchange, MaybeWire>
