// CoinGecko's past prices of a coin, `/coins/{id}/market_chart`: hours, or days with `interval=daily`. Stamps are up to 20 s off the
// boundary, the last point is the current price, midnight's point appears at 00:35 UTC, and data older than 365 days needs a paid key.
import { priceless } from "./Aggregators.ts"
import { dayMs, hourMs, minuteMs } from "../Calendar.ts"
import { keyOf, pick } from "../Noise.ts"
import { failed, ok, type WireReply, type WireRequest } from "../Wire.ts"

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

/** Boundaries of a step since a time, each up to 20 s early or late, then the present. */
const stampsOf = ({ at, world }: WireRequest, from: number, step: number) => {
  const key = keyOf(world.seed, "charts")
  const isThere = (boundary: number) => boundary + (step === dayMs ? dayPointAfter : 0) <= at
  const stamps: Array<number> = []
  for (let boundary = Math.ceil(from / step) * step; boundary <= at; boundary += step) {
    const stamp = boundary + pick(key, boundary / (5 * minuteMs), 40_000) - 20_000
    if (isThere(boundary) && stamp < at) stamps.push(stamp)
  }
  return [...stamps, at]
}

/** The reply to a request for past prices in USD; `undefined` for any other path. */
export const chart = (request: WireRequest): WireReply | undefined => {
  const { at, path, query, world } = request
  const [, name] = /^\/coins\/([^/]+)\/market_chart$/.exec(path) ?? []
  if (name === undefined) return undefined
  const id = decodeURIComponent(name)
  const [days, interval] = [query.get("days"), query.get("interval")]
  if (query.get("vs_currency") !== "usd") return failed(400, { error: "invalid vs_currency" })
  if (!(Number(days) > 0)) return failed(400, { error: "invalid days" })
  if (interval !== null && interval !== "daily")
    return failed(401, { status: { error_code: 10_005, error_message: "This interval is exclusive to paid plans." } })
  if (Number(days) > publicDays) return tooFarBack
  if (world.market.coins(at).every(({ coin }) => coin.id !== id)) return failed(404, { error: "coin not found" })
  const from = at - (id === newcomer ? 3 : Number(days)) * dayMs
  const stamps = id === priceless ? [] : stampsOf(request, from, interval === "daily" ? dayMs : hourMs)
  return ok({ prices: stamps.map((stamp) => [stamp, world.market.price(id, stamp) ?? 0]) })
}
