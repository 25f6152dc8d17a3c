// What the market did, as the engine needs it: breadth, betas and sectors, from the latest data of coins and their hourly
// prices.
import type { Coin } from "../domain/Coin.ts"
import type { CoinList } from "../domain/CoinList.ts"
import type { GlobalMarket } from "../domain/GlobalMarket.ts"
import type { PriceHistory } from "../domain/PriceHistory.ts"
import categoriesFile from "./data/categories.json" with { type: "json" }
import { type ByHour, inCommon, returnsByHour } from "./HourlyPrices.ts"
import { median, slopeOf } from "./Statistics.ts"
import type { MarketContext, SectorChange } from "./WhyInput.ts"

/** The latest data of the market. */
export interface MarketFacts {
  /** Coins whose sources disagree about the price by more than 10 %: they are no movers. */
  readonly disputed?: ReadonlySet<string>
  readonly coins: CoinList
  readonly global: GlobalMarket | null
  /** Hourly prices by coin id. */
  readonly history: ReadonlyMap<string, PriceHistory>
}

/** A beta needs at least this many hours in common: four days. */
const LEAST_RETURNS = 96

const membersOf: ReadonlyMap<string, ReadonlyArray<string>> = new Map(Object.entries(categoriesFile.categories))

const categoriesById = new Map<string, ReadonlyArray<string>>()
for (const [category, ids] of membersOf) {
  for (const id of ids) categoriesById.set(id, [...(categoriesById.get(id) ?? []), category])
}

/** The categories that a coin is in, by CoinGecko's ids of them. */
export const categoriesOf = (id: string): ReadonlyArray<string> => categoriesById.get(id) ?? []

/** The market as one coin sees it: median, breadth and sectors leave the coin itself out. */
export const contextOf = (coin: Coin, { coins, global, history }: MarketFacts): MarketContext => {
  const others = coins.coins.slice(0, 100).filter(({ id }) => id !== coin.id)
  const changes = others.flatMap(({ change_24h }) => change_24h ?? [])
  const bitcoin = history.get("bitcoin")
  return {
    btcChange24h: coins.byId.get("bitcoin")?.change_24h ?? null,
    ethChange24h: coins.byId.get("ethereum")?.change_24h ?? null,
    totalCapChange24h: global?.market_cap_change_24h ?? null,
    top100UpPct:
      changes.length === 0 ? null : Math.round((changes.filter((change) => change > 0).length / changes.length) * 100),
    top100MedianChange24h: median(changes),
    betaVsBtc: coin.id === "bitcoin" ? null : betaOf(history.get(coin.id), bitcoin),
    sectors: categoriesOf(coin.id).flatMap((category) => sectorOf(category, coin.id, coins) ?? []),
    btcHourly: bitcoin ?? null
  }
}

const sectorOf = (category: string, without: string, coins: CoinList): SectorChange | undefined => {
  const others = (membersOf.get(category) ?? []).filter((id) => id !== without)
  const changes = others.flatMap((id) => coins.byId.get(id)?.change_24h ?? [])
  const change24h = median(changes)
  return change24h === null ? undefined : { id: category, change24h, members: changes.length }
}

/** Slope of a coin's hourly log returns on bitcoin's, over the hours that both have; `null` where those are too few. */
export const betaOf = (coin: PriceHistory | undefined, bitcoin: PriceHistory | undefined): number | null =>
  coin === undefined || bitcoin === undefined ? null : betaOfReturns(returnsByHour(coin), returnsByHour(bitcoin))

/** {@link betaOf} of returns by the hour. */
export const betaOfReturns = (coin: ByHour, bitcoin: ByHour): number | null => {
  const [market, own] = inCommon(bitcoin, coin)
  return own.length < LEAST_RETURNS ? null : slopeOf(market, own)
}
