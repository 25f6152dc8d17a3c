// CoinGecko's `/coins/{id}`: maps by currency beside plain USD-based percentages.
import { isoTime } from "../Calendar.ts"
import type { World } from "../World.ts"
import { changeIn, exists, percent, present, quoted, type Row, vsCurrencies } from "./CoinGeckoRow.ts"

/** One coin in full, with `market_data`. */
export const detailOf = (world: World, { state, at, rank }: Row): object => {
  const { coin } = state
  const has = exists(coin.id)
  const image = (size: string) => `https://coin-images.coingecko.com/coins/images/1/${size}/${coin.id}.png`
  const inEach = <A>(isKnown: boolean, value: (vs: string) => A): Readonly<Record<string, A>> =>
    isKnown ? Object.fromEntries(vsCurrencies.map((vs) => [vs, value(vs)])) : {}
  const money = (isKnown: boolean, dollars: number) => inEach(isKnown, (vs) => quoted(world, vs, at, null)(dollars))
  const changes = (hours: number, change: number, isKnown: boolean) =>
    inEach(isKnown, (vs) => percent(changeIn(world, vs, at, hours, change)))
  const yesterday = state.price / (1 + state.change24h / 100)
  return {
    id: coin.id,
    symbol: coin.symbol,
    name: coin.name,
    web_slug: coin.id,
    asset_platform_id: coin.peg === null ? null : "ethereum",
    platforms: { "": "" },
    block_time_in_minutes: 0,
    hashing_algorithm: null,
    categories: coin.peg === "usd" ? ["Stablecoins"] : ["Cryptocurrency"],
    preview_listing: false,
    public_notice: null,
    additional_notices: [],
    description: { en: `${coin.name} in the sandbox.` },
    links: { homepage: [`https://example.com/${coin.id}`], whitepaper: "", subreddit_url: null },
    image: { thumb: image("thumb"), small: image("small"), large: image("large") },
    country_origin: "",
    genesis_date: coin.id === "bitcoin" ? "2009-01-03" : null,
    market_cap_rank: has.cap ? rank : null,
    market_data: {
      current_price: money(has.price, state.price),
      total_value_locked: null,
      roi: null,
      ath: money(true, state.ath),
      ath_change_percentage: inEach(true, () => percent((state.price / state.ath - 1) * 100)),
      ath_date: inEach(true, () => isoTime(state.athAt)),
      atl: money(true, state.atl),
      atl_change_percentage: inEach(true, () => percent((state.price / state.atl - 1) * 100)),
      atl_date: inEach(true, () => isoTime(state.atlAt)),
      market_cap: money(has.cap, state.marketCap),
      fully_diluted_valuation: money(has.cap && coin.totalSupply !== null, state.price * (coin.totalSupply ?? 0)),
      market_cap_rank: has.cap ? rank : null,
      total_volume: money(has.price, state.volume),
      high_24h: money(has.history, state.high24h),
      low_24h: money(has.history, state.low24h),
      price_change_24h: present(has.history, state.price - yesterday),
      price_change_percentage_24h: present(has.history, percent(state.change24h)),
      price_change_percentage_7d: present(has.history && has.week, percent(state.change7d)),
      market_cap_change_24h: present(has.cap, (state.price - yesterday) * coin.circulatingSupply),
      market_cap_change_percentage_24h: present(has.cap, percent(state.change24h)),
      price_change_percentage_1h_in_currency: changes(1, state.change1h, has.history),
      price_change_percentage_24h_in_currency: changes(24, state.change24h, has.history),
      price_change_percentage_7d_in_currency: changes(168, state.change7d, has.history && has.week),
      total_supply: coin.totalSupply,
      max_supply: coin.maxSupply,
      max_supply_infinite: coin.maxSupply === null,
      circulating_supply: has.cap ? coin.circulatingSupply : null,
      last_updated: isoTime(state.observedAt)
    },
    last_updated: isoTime(state.observedAt)
  }
}
