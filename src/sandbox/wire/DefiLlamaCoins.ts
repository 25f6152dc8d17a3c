// DefiLlama's past prices of coins by CoinGecko's ids: `/chart/coingecko:{id},…`. Times in seconds, each the recorded price
// nearest to what was asked for: some seconds off, now and then minutes. Unknown coins are left out without a word.
import { priceless } from "./Aggregators.ts"
import { dayMs, hourMs, minuteMs } from "../Calendar.ts"
import { keyOf, pick } from "../Noise.ts"
import { failed, integerOf, ok, significant, type Wire, type WireRequest } from "../Wire.ts"

/** The most points of one reply, over all coins. */
const mostPoints = 500

const periods: Readonly<Record<string, number>> = { "1h": hourMs, "1d": dayMs }

/** Where the price nearest to a boundary was recorded: at most 30 s off, one of 40 three to nine minutes late. */
const offset = (key: number, boundary: number): number => {
  const step = Math.floor(boundary / minuteMs)
  return pick(key, step, 40) === 0 ? (3 + pick(key ^ 1, step, 6)) * minuteMs : (pick(key ^ 2, step, 60) - 30) * 1000
}

const pricesOf = ({ at, world }: WireRequest, id: string, boundaries: ReadonlyArray<number>) => {
  const key = keyOf(world.seed, "llama")
  return boundaries.flatMap((boundary) => {
    const stamp = Math.min(at, boundary + offset(key, boundary))
    const price = world.market.price(id, stamp)
    return price === undefined ? [] : [{ timestamp: Math.floor(stamp / 1000), price: significant(price, 8) }]
  })
}

/** coins.llama.fi. */
export const defillamaCoins: Wire = (request) => {
  const { at, method, path, query, world } = request
  const asked = /^\/chart\/(.+)$/.exec(path)?.[1]
  if (method !== "GET" || asked === undefined) return failed(404, { message: "Not found" })
  const step = periods[query.get("period") ?? "1d"]
  const start = Number(query.get("start") ?? Number.NaN) * 1000
  if (step === undefined || !Number.isFinite(start)) return failed(400, { message: "invalid parameters" })
  const span = integerOf(query, "span", 10, 10_000)
  const ids = decodeURIComponent(asked)
    .split(",")
    .flatMap((name) => (name.startsWith("coingecko:") ? [name.slice("coingecko:".length)] : []))
  if (ids.length * span > mostPoints) return failed(400, { message: `at most ${mostPoints} points` })
  const boundaries = Array.from({ length: span }, (_, n) => start + n * step).filter((boundary) => boundary <= at)
  const coins = world.market.coins(at).filter(({ coin: { id } }) => ids.includes(id) && id !== priceless)
  return ok({
    coins: Object.fromEntries(
      coins.map(({ coin: { id, symbol } }) => [
        `coingecko:${id}`,
        { symbol: symbol.toUpperCase(), confidence: 0.99, prices: pricesOf(request, id, boundaries) }
      ])
    )
  })
}
