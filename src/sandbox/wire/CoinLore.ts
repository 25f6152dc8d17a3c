// CoinLore: numbers as strings, sometimes with an exponent; no time per coin.
import { totals } from "../CoinMarket.ts"
import { failed, integerOf, ok, slug, type Wire, type WireRequest } from "../Wire.ts"
import { coinloreIdOf, impostor, type Listed, nameOf, priceless } from "./Aggregators.ts"

const plain = (value: number): string =>
  value >= 1 ? value.toFixed(2) : value >= 0.000_01 ? value.toFixed(8) : value.toExponential(3).toUpperCase()

const rowOf = (state: Listed, index: number, bitcoin: number): object => {
  const { coin } = state
  const supply = (value: number | null, unknown: string | null) =>
    value === null ? unknown : String(Math.round(value))
  return {
    id: coinloreIdOf(coin),
    symbol: coin.symbol.toUpperCase(),
    name: nameOf(coin),
    nameid: slug(nameOf(coin)),
    rank: index + 1,
    price_usd: coin.id === priceless ? "0" : plain(state.price),
    percent_change_24h: state.change24h.toFixed(2),
    percent_change_1h: state.change1h.toFixed(2),
    percent_change_7d: state.change7d.toFixed(2),
    price_btc: plain(state.price / bitcoin),
    market_cap_usd: state.marketCap.toFixed(2),
    csupply: coin.circulatingSupply.toFixed(2),
    tsupply: supply(coin.totalSupply, ""),
    msupply: supply(coin.maxSupply, index % 2 === 0 ? "" : null),
    volume24: state.volume,
    volume24a: state.volume * 0.97
  }
}

const page = ({ query, world, at }: WireRequest): object => {
  const bitcoin = world.market.price("bitcoin", at) ?? 1
  const start = integerOf(query, "start", 0, 1e6)
  const rows = [...world.market.coins(at), impostor].map((state, index) => rowOf(state, index, bitcoin))
  const limit = integerOf(query, "limit", 100, 100)
  return {
    data: rows.slice(start, start + limit),
    info: { coins_num: rows.length, time: Math.floor(at / 1000) }
  }
}

const globalOf = ({ world, at }: WireRequest): ReadonlyArray<object> => {
  const sums = totals(world.market, at)
  return [
    {
      coins_count: 12_189,
      active_markets: 30_608,
      total_mcap: sums.marketCap,
      total_volume: sums.volume,
      btc_d: sums.dominance("bitcoin").toFixed(2),
      eth_d: sums.dominance("ethereum").toFixed(2),
      mcap_change: sums.change24h.toFixed(2),
      volume_change: "-2.58",
      avg_change_percent: "0.21",
      // As absurd as the real one.
      volume_ath: 344_187_126_292_427_800,
      mcap_ath: 8_237_181_118_976.519
    }
  ]
}

/** CoinLore below `/api`; every path with or without its slash at the end. */
export const coinlore: Wire = (request) => {
  const path = request.method === "GET" ? request.path.replace(/\/$/, "") : ""
  if (path === "/tickers") return ok(page(request))
  if (path === "/global") return ok(globalOf(request))
  return failed(404, { error: "not found" })
}
