// What the market did, as the engine needs it: breadth, betas and sectors, from the latest data of coins and their hourly
// prices.
import type { Coin } from "../domain/Coin.ts"
import type { CoinList } from "../domain/CoinList.ts"
import type { GlobalMarket } from "../domain/GlobalMarket.ts"
import type { PriceHistory } from "../domain/PriceHistory.ts"
import categoriesFile from "./data/categories.json" with { type: "json" }
import { type ByHour, inCommon, median, returnsByHour, slopeOf } from "./Statistics.ts"

export interface MarketFacts {
  /** Coins whose sources disagree about the price by more than 10 %: they are no movers. */
  readonly disputed?: ReadonlySet<string>
  readonly coins: CoinList
  readonly global: GlobalMarket | null
  /** Hourly prices by coin id. */
  readonly history: ReadonlyMap<string, PriceHistory>
}

/** A category and the median 24 h change of its other members: the coin itself is left out. Percent, as all changes. */
export interface SectorChange {
  readonly id: string
  readonly change24h: number
  /** How many other members; under four the category explains nothing. `null` when not counted. */
  readonly members: number | null
}

/** What the market did as one coin sees it; `null` is unknown. */
export interface MarketContext {
  readonly btcChange24h: number | null
  readonly ethChange24h: number | null
  readonly totalCapChange24h: number | null
  readonly top100UpPct: number | null
  readonly top100MedianChange24h: number | null
  /** Slope of the coin's hourly log returns on bitcoin's, 7 to 90 days. */
  readonly betaVsBtc: number | null
  readonly sectors: ReadonlyArray<SectorChange>
  readonly btcHourly: PriceHistory | null
}

/** A beta needs at least this many hours in common: four days. */
const LEAST_RETURNS = 96

const membersOf: ReadonlyMap<string, ReadonlyArray<string>> = new Map(Object.entries(categoriesFile.categories))

/** The categories that a coin is in, by CoinGecko's ids of them. */
export const categoriesOf = (id: string): ReadonlyArray<string> =>
  [...membersOf].flatMap(([category, members]) => (members.includes(id) ? category : []))

/** The market as one coin sees it: median, breadth and sectors leave the coin itself out. */
export const contextOf = (coin: Coin, { coins, global, history }: MarketFacts): MarketContext => {
  const others = coins.coins.slice(0, 100).filter(({ id }) => id !== coin.id)
  const changes = others.flatMap(({ change_24h }) => change_24h ?? [])
  const [own, bitcoin] = [history.get(coin.id), history.get("bitcoin")]
  return {
    btcChange24h: coins.byId.get("bitcoin")?.change_24h ?? null,
    ethChange24h: coins.byId.get("ethereum")?.change_24h ?? null,
    totalCapChange24h: global?.market_cap_change_24h ?? null,
    top100UpPct:
      changes.length === 0 ? null : Math.round((changes.filter((change) => change > 0).length / changes.length) * 100),
    top100MedianChange24h: median(changes),
    betaVsBtc: own && bitcoin && own !== bitcoin ? betaOf(returnsByHour(own), returnsByHour(bitcoin)) : null,
    sectors: categoriesOf(coin.id).flatMap((id) => {
      const members = (membersOf.get(id) ?? []).filter((member) => member !== coin.id)
      const changes = members.flatMap((member) => coins.byId.get(member)?.change_24h ?? [])
      const change24h = median(changes)
      return change24h === null ? [] : { id, change24h, members: changes.length }
    }),
    btcHourly: bitcoin ?? null
  }
}

/** Slope of a coin's hourly log returns on bitcoin's, over the hours that both have; `null` where those are too few. */
export const betaOf = (coin: ByHour, bitcoin: ByHour): number | null => {
  const [market, own] = inCommon(bitcoin, coin)
  return own.length < LEAST_RETURNS ? null : slopeOf(market, own)
}
