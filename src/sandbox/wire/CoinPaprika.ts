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
    beta_value: 1 + index / 1000,
    first_data_at: "2017-09-01T00:00:00Z",
    last_updated: isoSeconds(at),
    quotes: {
      USD: {
        price: coin.id === priceless ? 0 : state.price,
        volume_24h: state.volume,
        volume_24h_change_24h: 3.1,
        market_cap: Math.round(state.marketCap),
        market_cap_change_24h: round(state.change24h),
        percent_change_15m: round(state.change1h / 4),
        percent_change_30m: round(state.change1h / 2),
        percent_change_1h: round(state.change1h),
        percent_change_6h: round(state.change24h / 4),
        percent_change_12h: round(state.change24h / 2),
        percent_change_24h: round(state.change24h),
        percent_change_7d: round(state.change7d),
        percent_change_30d: 0,
        percent_change_1y: 0,
        ath_price: index % 25 === 24 ? null : state.ath,
        ath_date: index % 25 === 24 ? null : isoSeconds(state.athAt),
        percent_from_price_ath: index % 25 === 24 ? null : round((state.price / state.ath - 1) * 100)
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
    market_cap_ath_value: 4_310_000_000_000,
    market_cap_ath_date: "2025-10-07T01:35:00Z",
    volume_24h_ath_value: 500_000_000_000,
    volume_24h_ath_date: "2021-05-19T14:10:00Z",
    volume_24h_percent_from_ath: -69.98,
    volume_24h_percent_to_ath: 233.1,
    market_cap_change_24h: round(sums.change24h),
    volume_change_24h: 2.4,
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
    if (price === undefined) continue
    const market_cap = Math.round(price * coin.circulatingSupply)
    rows.push({ timestamp: isoSeconds(time), price, volume_24h: Math.round(market_cap / 40), market_cap })
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
    return ok([...ranked, { ...tickerOf(unranked, coins.length, at), rank: 0, beta_value: 0, first_data_at: null }])
  }
  const past = /^\/tickers\/([^/]+)\/historical$/.exec(request.path)?.[1]
  const coin = knownCoins.find((one) => paprikaIdOf(one) === past)
  if (request.method === "GET" && coin !== undefined) return pastOf(request, coin)
  return failed(404, { error: "not found" })
}
