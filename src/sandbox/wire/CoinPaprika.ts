// CoinPaprika v1: refreshed every ten minutes, 0 for "no maximum" and "not ranked", circulating supply missing in places.
import { dayMs, isoTime, minuteMs } from "../Calendar.ts"
import { type KnownCoin, knownCoins } from "../../domain/CoinRegistry.ts"
import { totals } from "../CoinMarket.ts"
import { failed, ok, type Wire, type WireReply, type WireRequest } from "../Wire.ts"
import { impostor, type Listed, nameOf, paprikaIdOf, priceless } from "./Aggregators.ts"

const round = (value: number): number => Number(value.toFixed(2))

const refreshed = (at: number): number => Math.floor(at / (10 * minuteMs)) * 10 * minuteMs

const isoSeconds = (at: number): string => isoTime(Math.floor(at / 1000) * 1000).replace(".000Z", "Z")

const tickerOf = (state: Listed, index: number, at: number): object => {
  const { coin } = state
  return {
    id: paprikaIdOf(coin),
    name: nameOf(coin),
    symbol: coin.symbol.toUpperCase(),
    rank: index + 1,
    // Newer responses omit it for some coins.
    ...(index % 40 === 39 ? {} : { circulating_supply: Math.round(coin.circulatingSupply) }),
    total_supply: Math.round(coin.totalSupply ?? 0),
    max_supply: Math.round(coin.maxSupply ?? 0),
    last_updated: isoSeconds(at),
    quotes: {
      USD: {
        price: coin.id === priceless ? 0 : state.price,
        volume_24h: state.volume,
        market_cap: Math.round(state.marketCap),
        percent_change_1h: round(state.change1h),
        percent_change_24h: round(state.change24h),
        percent_change_7d: round(state.change7d),
        ath_price: index % 25 === 24 ? null : state.ath,
        ath_date: index % 25 === 24 ? null : isoSeconds(state.athAt)
      }
    }
  }
}

const unranked = { ...impostor, marketCap: 0, coin: { ...impostor.coin, circulatingSupply: 0, totalSupply: 0 } }

const globalOf = ({ world, at }: WireRequest): object => {
  const sums = totals(world.market, refreshed(at))
  return {
    market_cap_usd: Math.round(sums.marketCap),
    volume_24h_usd: Math.round(sums.volume),
    bitcoin_dominance_percentage: round(sums.dominance("bitcoin")),
    cryptocurrencies_number: 2435,
    market_cap_change_24h: round(sums.change24h),
    last_updated: Math.floor(refreshed(at) / 1000)
  }
}

/** Prices at the start of each day of a range, for a year back. */
const pastOf = ({ at, query, world }: WireRequest, coin: KnownCoin): WireReply => {
  const [start, end] = ["start", "end"].map((name) => Date.parse(query.get(name) ?? ""))
  if (start === undefined || end === undefined || Number.isNaN(start)) return failed(400, { error: "Invalid start" })
  if (at - start > 366 * dayMs) return failed(402, { error: "Getting historical data before a year requires a plan" })
  const rows = []
  for (let time = start; time <= (Number.isNaN(end) ? at : Math.min(end, at)); time += dayMs) {
    const price = world.market.price(coin.id, time)
    if (price !== undefined) rows.push({ timestamp: isoSeconds(time), price })
  }
  return ok(rows)
}

/** CoinPaprika below `/v1`. */
export const coinpaprika: Wire = (request) => {
  const at = refreshed(request.at)
  const coins = request.world.market.coins(at)
  if (request.method === "GET" && request.path === "/global") return ok(globalOf(request))
  if (request.method === "GET" && request.path === "/tickers") {
    const ranked = coins.map((state, index) => tickerOf(state, index, at))
    return ok([...ranked, { ...tickerOf(unranked, coins.length, at), rank: 0 }])
  }
  const past = /^\/tickers\/([^/]+)\/historical$/.exec(request.path)?.[1]
  const coin = knownCoins.find((one) => paprikaIdOf(one) === past)
  if (request.method === "GET" && coin !== undefined) return pastOf(request, coin)
  return failed(404, { error: "not found" })
}
