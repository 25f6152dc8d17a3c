// CoinGecko v3, the routes the service reads. Its traps are kept: a rank that stands twice, a row fifteen hours old, nulls,
// unknown ids left out without a word, naira at the official rate.
import type { CoinState } from "../CoinMarket.ts"
import { totals } from "../CoinMarket.ts"
import { hourMs, isoTime } from "../Calendar.ts"
import { failed, integerOf, listOf, ok, type Wire, type WireReply, type WireRequest } from "../Wire.ts"
import { detailOf } from "./CoinGeckoDetail.ts"
import { changeIn, exists, perDollar, percent, present, quoted, type Row } from "./CoinGeckoRow.ts"

const staleId = "figure-heloc"

/** The page's rows, ranked: `figure-heloc` is fifteen hours old and shares its rank with the next coin. */
export const rowsOf = ({ at, world }: WireRequest): ReadonlyArray<Row> => {
  const older = world.market.coins(at - 15 * hourMs).find(({ coin }) => coin.id === staleId)
  let isShifted = false
  let rank = 0
  return world.market.coins(at).map((state): Row => {
    const isRehypothecated = state.coin.peg !== null && world.market.price(state.coin.peg, at) !== undefined
    if (!isRehypothecated) {
      rank += isShifted ? 0 : 1
      isShifted = false
    }
    if (state.coin.id === staleId && older !== undefined) {
      isShifted = true
      return { state: older, at: at - 15 * hourMs, rank }
    }
    return { state, at, rank: isRehypothecated ? null : rank }
  })
}

const orders: Readonly<Record<string, (a: CoinState, b: CoinState) => number>> = {
  market_cap_desc: (a, b) => b.marketCap - a.marketCap,
  market_cap_asc: (a, b) => a.marketCap - b.marketCap,
  volume_desc: (a, b) => b.volume - a.volume,
  volume_asc: (a, b) => a.volume - b.volume,
  id_asc: (a, b) => (a.coin.id < b.coin.id ? -1 : 1),
  id_desc: (a, b) => (a.coin.id < b.coin.id ? 1 : -1)
}

/** Seven days by the hour, in USD whatever is asked, the last one at the row's own time. */
const sparkline = ({ world }: WireRequest, { at, state }: Row): ReadonlyArray<number> =>
  Array.from({ length: 168 }, (_, n) => world.market.price(state.coin.id, at - (167 - n) * hourMs) ?? state.price)

const marketRow = (
  request: WireRequest,
  vs: string,
  row: Row,
  index: number,
  windows: ReadonlyArray<string>
): object => {
  const { world, query } = request
  const { state, at, rank } = row
  const { coin } = state
  const money = quoted(world, vs, at, query.get("precision"))
  const has = exists(coin.id)
  const change24h = changeIn(world, vs, at, 24, state.change24h)
  const then = 1 + change24h / 100
  const supply = has.cap ? coin.circulatingSupply : null
  return {
    id: coin.id,
    symbol: coin.symbol,
    name: coin.name,
    image: `https://coin-images.coingecko.com/coins/images/${index + 1}/large/${coin.id}.png`,
    current_price: present(has.price, money(state.price)),
    market_cap: present(has.cap, Math.round(money.exact(state.marketCap))),
    market_cap_rank: has.cap ? rank : null,
    fully_diluted_valuation: present(has.cap, Math.round(money.exact(state.price * (coin.totalSupply ?? 0)))),
    total_volume: present(has.price, Math.round(money.exact(state.volume))),
    high_24h: present(has.history, money(state.high24h)),
    low_24h: present(has.history, money(state.low24h)),
    price_change_24h: present(has.history, money.exact(state.price) - money.exact(state.price) / then),
    price_change_percentage_24h: present(has.history, percent(change24h)),
    market_cap_change_24h: present(has.cap, money.exact(state.marketCap) - money.exact(state.marketCap) / then),
    market_cap_change_percentage_24h: present(has.cap, percent(change24h)),
    circulating_supply: supply,
    total_supply: coin.totalSupply,
    max_supply: coin.maxSupply,
    ath: money(state.ath),
    ath_change_percentage: percent((state.price / state.ath - 1) * 100),
    ath_date: isoTime(state.athAt),
    atl: money(state.atl),
    atl_change_percentage: percent((state.price / state.atl - 1) * 100),
    atl_date: isoTime(state.atlAt),
    roi: coin.id === "ethereum" ? { times: 31.7, currency: "btc", percentage: 3171.4 } : null,
    last_updated: isoTime(state.observedAt),
    market_cap_rank_with_rehypothecated: index + 1,
    ...(query.get("sparkline") === "true" && { sparkline_in_7d: { price: sparkline(request, row) } }),
    ...Object.fromEntries(
      windows.map((window) => {
        const [hours, change] =
          window === "1h" ? [1, state.change1h] : window === "24h" ? [24, state.change24h] : [168, state.change7d]
        const isKnown = has.history && (window !== "7d" || has.week)
        return [
          `price_change_percentage_${window}_in_currency`,
          present(isKnown, changeIn(world, vs, at, hours, change))
        ]
      })
    )
  }
}

const markets = (request: WireRequest): WireReply => {
  const { query, world, at } = request
  const vs = query.get("vs_currency")?.toLowerCase()
  if (vs === undefined) return failed(422, { error: "Missing parameter vs_currency" })
  if (perDollar(world, vs, at) === undefined) return failed(400, { error: "invalid vs_currency" })
  const ids = listOf(query, "ids")
  const order = orders[query.get("order") ?? "market_cap_desc"] ?? orders["market_cap_desc"]
  const perPage = integerOf(query, "per_page", 100, 250) || 100
  const start = (Math.max(1, integerOf(query, "page", 1, 1e6)) - 1) * perPage
  const windows = (listOf(query, "price_change_percentage") ?? []).filter((window) =>
    ["1h", "24h", "7d"].includes(window)
  )
  const all = rowsOf(request).map((row, index) => ({ row, index }))
  const wanted = ids === undefined ? all : all.filter(({ row }) => ids.includes(row.state.coin.id))
  const sorted = order === undefined ? wanted : wanted.toSorted((a, b) => order(a.row.state, b.row.state))
  const page = sorted.slice(start, start + perPage)
  return ok(page.map(({ row, index }) => marketRow(request, vs, row, index, windows)))
}

const simpleQuotes = (
  request: WireRequest,
  { state, at }: Row,
  vs: string
): Readonly<Record<string, number | null>> => {
  const { query, world } = request
  const has = exists(state.coin.id)
  if (!has.price || perDollar(world, vs, at) === undefined) return {}
  const money = quoted(world, vs, at, query.get("precision"))
  const quotes: Record<string, number | null> = { [vs]: money(state.price) }
  if (query.get("include_market_cap") === "true")
    quotes[`${vs}_market_cap`] = present(has.cap, money.exact(state.marketCap))
  if (query.get("include_24hr_vol") === "true") quotes[`${vs}_24h_vol`] = money.exact(state.volume)
  if (query.get("include_24hr_change") === "true")
    quotes[`${vs}_24h_change`] = changeIn(world, vs, at, 24, state.change24h)
  return quotes
}

const simplePrice = (request: WireRequest): WireReply => {
  const { query } = request
  const currencies = listOf(query, "vs_currencies")
  const ids = listOf(query, "ids")
  if (ids === undefined || currencies === undefined) {
    return failed(422, { error: `Missing parameter ${ids === undefined ? "ids" : "vs_currencies"}` })
  }
  const wantsTime = query.get("include_last_updated_at") === "true"
  const entries = rowsOf(request).flatMap((row) => {
    const { coin, observedAt } = row.state
    if (!ids.includes(coin.id)) return []
    const quotes = currencies.flatMap((code) => Object.entries(simpleQuotes(request, row, code.toLowerCase())))
    const stamp = wantsTime && exists(coin.id).price ? { last_updated_at: Math.floor(observedAt / 1000) } : {}
    return [[coin.id, { ...Object.fromEntries(quotes), ...stamp }] as const]
  })
  return ok(Object.fromEntries(entries))
}

const global = (request: WireRequest): WireReply => {
  const { world, at } = request
  const sums = totals(world.market, at)
  const inEach = (value: number) =>
    Object.fromEntries(
      ["btc", "eth", "usd", "ngn", "eur", "gbp"].map((vs) => [vs, value * (perDollar(world, vs, at) ?? 1)])
    )
  const largest = rowsOf(request)
    .filter((row) => row.rank !== null)
    .slice(0, 10)
  return ok({
    data: {
      active_cryptocurrencies: 17_397,
      upcoming_icos: 0,
      ongoing_icos: 49,
      ended_icos: 3376,
      markets: 1476,
      total_market_cap: inEach(sums.marketCap),
      total_volume: inEach(sums.volume),
      market_cap_percentage: Object.fromEntries(
        largest.map(({ state }) => [state.coin.symbol, sums.dominance(state.coin.id)])
      ),
      market_cap_change_percentage_24h_usd: sums.change24h,
      volume_change_percentage_24h_usd: 4.2,
      updated_at: Math.floor((world.market.coins(at)[0]?.observedAt ?? at) / 1000)
    }
  })
}

const list = (request: WireRequest): WireReply => {
  const hasPlatforms = request.query.get("include_platform") === "true"
  const coins = request.world.market
    .coins(request.at)
    .map(({ coin: { id, symbol, name } }) =>
      hasPlatforms ? { id, symbol, name, platforms: {} } : { id, symbol, name }
    )
  return ok(coins.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
}

const detail = (request: WireRequest, id: string): WireReply => {
  const row = rowsOf(request).find(({ state }) => state.coin.id === id)
  return row === undefined ? failed(404, { error: "coin not found" }) : ok(detailOf(request.world, row))
}

/** CoinGecko below `/api/v3`. */
export const coingecko: Wire = (request) => {
  if (request.method !== "GET") return failed(404, { error: "Not Found" })
  switch (request.path) {
    case "/ping":
      return ok({ gecko_says: "(V3) To the Moon!" })
    case "/coins/markets":
      return markets(request)
    case "/simple/price":
      return simplePrice(request)
    case "/global":
      return global(request)
    case "/coins/list":
      return list(request)
    default: {
      const id = /^\/coins\/([^/]+)$/.exec(request.path)?.[1]
      return id === undefined
        ? failed(404, { error: "Incorrect path. Please check https://www.coingecko.com/api/" })
        : detail(request, id)
    }
  }
}
