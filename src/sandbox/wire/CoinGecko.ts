// CoinGecko v3, the routes and members the service reads, with its traps: a rank that occurs twice, a row half an hour old, nulls,
// unknown ids silently left out.
import { priceless } from "./Aggregators.ts"
import { chart, newcomer } from "./CoinGeckoCharts.ts"
import { totals } from "../CoinMarket.ts"
import { hourMs, isoTime } from "../Calendar.ts"
import { failed, integerOf, listOf, ok, type Wire, type WireReply, type WireRequest } from "../Wire.ts"

const staleId = "figure-heloc"

/** Which figures a coin has: one has no price, one no cap, and one was listed three days ago. */
const exists = (id: string) => ({
  price: id !== priceless,
  cap: id !== priceless && id !== "kadena",
  week: id !== priceless && id !== newcomer
})

const present = (isKnown: boolean, value: number): number | null => (isKnown ? value : null)

const percent = (value: number): number => Number(value.toFixed(5))

/** A coin of a page, as of `at`; the rank is `null` for a coin that wraps another one. */
type Row = ReturnType<typeof rowsOf>[number]

/** How far the row of one coin lags behind the page, ms: less than the age at which it is no longer served. */
const LAG = 30 * 60_000

/** The page's rows, ranked: `figure-heloc` lags behind and shares its rank with the next coin. */
const rowsOf = ({ at, world }: WireRequest) => {
  const older = world.market.coins(at - LAG).find(({ coin }) => coin.id === staleId)
  let isShifted = false
  let rank = 0
  return world.market.coins(at).map((state) => {
    const isRehypothecated = state.coin.peg !== null && world.market.price(state.coin.peg, at) !== undefined
    if (!isRehypothecated) {
      rank += isShifted ? 0 : 1
      isShifted = false
    }
    if (state.coin.id === staleId && older !== undefined) {
      isShifted = true
      return { state: older, at: at - LAG, rank }
    }
    return { state, at, rank: isRehypothecated ? null : rank }
  })
}

/** Prices of seven days by the hour, the last one at the row's own time. */
const sparkline = ({ world }: WireRequest, { at, state }: Row): ReadonlyArray<number> =>
  Array.from({ length: 168 }, (_, n) => world.market.price(state.coin.id, at - (167 - n) * hourMs) ?? state.price)

const marketRow = (request: WireRequest, row: Row, index: number): object => {
  const { query } = request
  const { state, rank } = row
  const { coin } = state
  const has = exists(coin.id)
  return {
    id: coin.id,
    symbol: coin.symbol,
    name: coin.name,
    image: `https://coin-images.coingecko.com/coins/images/${index + 1}/large/${coin.id}.png`,
    current_price: present(has.price, state.price),
    market_cap: present(has.cap, Math.round(state.marketCap)),
    market_cap_rank: has.cap ? rank : null,
    total_volume: present(has.price, Math.round(state.volume)),
    high_24h: present(has.price, state.high24h),
    low_24h: present(has.price, state.low24h),
    price_change_percentage_24h: present(has.price, percent(state.change24h)),
    circulating_supply: has.cap ? coin.circulatingSupply : null,
    total_supply: coin.totalSupply,
    max_supply: coin.maxSupply,
    ath: state.ath,
    ath_date: isoTime(state.athAt),
    last_updated: isoTime(state.observedAt),
    ...(query.get("sparkline") === "true" && { sparkline_in_7d: { price: sparkline(request, row) } }),
    ...(query.has("price_change_percentage") && {
      price_change_percentage_1h_in_currency: present(has.price, state.change1h),
      price_change_percentage_7d_in_currency: present(has.week, state.change7d)
    })
  }
}

const markets = (request: WireRequest): WireReply => {
  const { query } = request
  const vs = query.get("vs_currency")
  if (vs === null) return failed(422, { error: "Missing parameter vs_currency" })
  if (vs !== "usd") return failed(400, { error: "invalid vs_currency" })
  const ids = listOf(query, "ids")
  const perPage = integerOf(query, "per_page", 100, 250) || 100
  const start = (Math.max(1, integerOf(query, "page", 1, 1e6)) - 1) * perPage
  const all = rowsOf(request).map((row, index) => ({ row, index }))
  const wanted = ids === undefined ? all : all.filter(({ row }) => ids.includes(row.state.coin.id))
  return ok(wanted.slice(start, start + perPage).map(({ row, index }) => marketRow(request, row, index)))
}

const global = (request: WireRequest): WireReply => {
  const { world, at } = request
  const sums = totals(world.market, at)
  const largest = rowsOf(request)
    .filter((row) => row.rank !== null)
    .slice(0, 10)
  return ok({
    data: {
      active_cryptocurrencies: 17_397,
      total_market_cap: { usd: sums.marketCap },
      total_volume: { usd: sums.volume },
      market_cap_percentage: Object.fromEntries(
        largest.map(({ state }) => [state.coin.symbol, sums.dominance(state.coin.id)])
      ),
      market_cap_change_percentage_24h_usd: sums.change24h,
      updated_at: Math.floor((world.market.coins(at)[0]?.observedAt ?? at) / 1000)
    }
  })
}

/** Contracts of some coins, as on the real chains; base58 addresses are case-sensitive. */
const platforms: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  tether: {
    ethereum: "0xdac17f958d2ee523a2206206994597c13d831ec7",
    tron: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
    solana: "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB",
    "": ""
  },
  "usd-coin": {
    ethereum: "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
    solana: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
  },
  chainlink: { ethereum: "0x514910771af9ca656af840dff83e8264ecf986ca" },
  "shiba-inu": { ethereum: "0x95ad61b0a150d79219dcf64e1e6cc01f0b64c4ce" },
  uniswap: { ethereum: "0x1f9840a85d5af5bf1d1762f925bdaddc4201f984" },
  dai: { ethereum: "0x6b175474e89094c44da98b954eedeac495271d0f" },
  bitcoin: {}
}

const list = (request: WireRequest): WireReply => {
  const coins = request.world.market
    .coins(request.at)
    .map(({ coin: { id, symbol, name } }) => ({ id, symbol, name, platforms: platforms[id] ?? { "": "" } }))
  return ok(coins.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
}

/** CoinGecko below `/api/v3`. */
export const coingecko: Wire = (request) => {
  if (request.method !== "GET") return failed(404, { error: "Not Found" })
  switch (request.path) {
    case "/coins/markets":
      return markets(request)
    case "/global":
      return global(request)
    case "/coins/list":
      return list(request)
    default:
      return chart(request) ?? failed(404, { error: "Incorrect path. Please check https://www.coingecko.com/api/" })
  }
}
