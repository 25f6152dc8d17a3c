// CoinGecko's past prices of a coin: `/coins/{id}/market_chart` and `/market_chart/range`. The step depends on the
// span, except with `interval=daily`. Stamps are up to 20 s off the boundary, the last point is the current price,
// midnight's point appears at 00:35 UTC, and data older than 365 days needs a paid key.
import { priceless } from "./Aggregators.ts"
import { dayMs, hourMs, minuteMs } from "../Calendar.ts"
import { keyOf, pick } from "../Noise.ts"
import { failed, ok, type WireReply, type WireRequest } from "../Wire.ts"
import type { World } from "../World.ts"

/** Units of a currency for 1 USD; `undefined` if CoinGecko does not quote in it. The naira is the official one. */
export const perDollar = (world: World, vs: string, at: number): number | undefined => {
  if (vs !== "btc" && vs !== "eth") return world.fiat(vs.toUpperCase(), at)
  return 1 / (world.market.price(vs === "btc" ? "bitcoin" : "ethereum", at) ?? 1)
}

export const newcomer = "zama"

const publicDays = 365

/** When the point of a finished day appears. */
const dayPointAfter = 35 * minuteMs

const tooFarBack = failed(401, {
  error: {
    status: {
      error_code: 10_012,
      error_message:
        "Your request exceeds the allowed time range. Public API users are limited to querying historical data within the past 365 days."
    }
  }
})

const stepOf = (span: number): number => {
  if (span <= dayMs) return 5 * minuteMs
  return span <= 90 * dayMs ? hourMs : dayMs
}

/** Boundaries of a step within a span, each up to 20 s early or late, then the present if the span reaches it. */
const stampsOf = ({ at, world }: WireRequest, from: number, to: number, step: number) => {
  const key = keyOf(world.seed, "charts")
  const isThere = (boundary: number) => boundary + (step === dayMs ? dayPointAfter : 0) <= at
  const stamps: Array<number> = []
  for (let boundary = Math.ceil(from / step) * step; boundary <= Math.min(to, at); boundary += step) {
    const stamp = boundary + pick(key, boundary / (5 * minuteMs), 40_000) - 20_000
    if (isThere(boundary) && stamp < at) stamps.push(stamp)
  }
  return to < at ? stamps : [...stamps, at]
}

const chart = (request: WireRequest, id: string, from: number, to: number, step: number): WireReply => {
  const { at, query, world } = request
  const vs = query.get("vs_currency")?.toLowerCase()
  if (vs === undefined) return failed(422, { error: "Missing parameter vs_currency" })
  if (perDollar(world, vs, at) === undefined) return failed(400, { error: "invalid vs_currency" })
  const coin = world.market.coins(at).find((state) => state.coin.id === id)?.coin
  if (coin === undefined) return failed(404, { error: "coin not found" })
  if (from < at - (publicDays + 1) * dayMs) return tooFarBack
  const first = id === newcomer ? Math.max(from, at - 3 * dayMs) : from
  const points = (id === priceless ? [] : stampsOf(request, first, to, step)).map((stamp) => ({
    stamp,
    price: (world.market.price(id, stamp) ?? 0) * (perDollar(world, vs, stamp) ?? 1)
  }))
  return ok({
    prices: points.map(({ price, stamp }) => [stamp, price]),
    market_caps: points.map(({ price, stamp }) => [stamp, price * coin.circulatingSupply]),
    total_volumes: points.map(({ price, stamp }) => [stamp, price * coin.circulatingSupply * 0.03])
  })
}

const marketChart = (request: WireRequest, id: string): WireReply => {
  const { at, query } = request
  const days = query.get("days")
  const interval = query.get("interval")
  if (days === null) return failed(422, { error: "Missing parameter days" })
  if (days === "max") return tooFarBack
  if (!(Number(days) > 0)) return failed(400, { error: "invalid days" })
  if (interval !== null && interval !== "daily")
    return failed(401, { status: { error_code: 10_005, error_message: "This interval is exclusive to paid plans." } })
  const span = Number(days) * dayMs
  if (span > publicDays * dayMs) return tooFarBack
  return chart(request, id, at - span, at, interval === "daily" ? dayMs : stepOf(span))
}

/** Epoch seconds, or an ISO date. */
const timeOf = (text: string | null): number =>
  /^\d+$/.test(text ?? "") ? Number(text) * 1000 : Date.parse(text ?? "")

const chartRange = (request: WireRequest, id: string): WireReply => {
  const from = timeOf(request.query.get("from"))
  const to = timeOf(request.query.get("to"))
  if (Number.isNaN(from) || Number.isNaN(to) || from > to) return failed(400, { error: "invalid from or to" })
  const isDaily = request.query.get("interval") === "daily"
  return chart(request, id, from, to, isDaily ? dayMs : stepOf(to - from))
}

/** The reply to a path of charts; `undefined` for any other path. */
export const charts = (request: WireRequest): WireReply | undefined => {
  const [, id = "", range] = /^\/coins\/([^/]+)\/market_chart(\/range)?$/.exec(request.path) ?? []
  if (id === "") return undefined
  return range === undefined
    ? marketChart(request, decodeURIComponent(id))
    : chartRange(request, decodeURIComponent(id))
}
