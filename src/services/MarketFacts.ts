// What the market did, as the explanation engine wants it: breadth, hourly series, betas and sectors, from what is held.
import { DateTime } from "effect"
import type { Coin } from "../domain/Coin.ts"
import type { CoinList } from "../domain/CoinList.ts"
import type { GlobalMarket } from "../domain/GlobalMarket.ts"
import type { PriceHistory } from "../domain/PriceHistory.ts"
import type { MarketContext, SectorChange, Series } from "../why/WhyInput.ts"
import categoriesFile from "./data/categories.json" with { type: "json" }

/** What is held of the market at one time. */
export interface MarketFacts {
  readonly coins: CoinList
  readonly global: GlobalMarket | null
  /** By coin id. */
  readonly history: ReadonlyMap<string, PriceHistory>
}

const HOUR = 3_600_000

/** Hourly prices come every few hours, and are read in every run. */
const oncePerHistory = (derive: (history: PriceHistory) => ReadonlyMap<number, number>) => {
  const derived = new WeakMap<PriceHistory, ReadonlyMap<number, number>>()
  return (history: PriceHistory): ReadonlyMap<number, number> => {
    const held = derived.get(history)
    if (held !== undefined) return held
    const value = derive(history)
    derived.set(history, value)
    return value
  }
}

/** A beta needs at least this many pairs of hourly returns: four days. */
const LEAST_RETURNS = 96

const categories = Object.entries(categoriesFile.categories)

const categoriesById = new Map<string, ReadonlyArray<string>>()
for (const [category, ids] of categories) {
  for (const id of ids) categoriesById.set(id, [...(categoriesById.get(id) ?? []), category])
}

/** The categories a coin is in, by CoinGecko's names of them. */
export const categoriesOf = (id: string): ReadonlyArray<string> => categoriesById.get(id) ?? []

/** A coin's hourly prices as an evenly spaced series; `null` where none are held. */
export const seriesOf = (history: PriceHistory | undefined): Series | null =>
  history === undefined
    ? null
    : {
        start: DateTime.subtract(history.end, { hours: history.prices.length - 1 }),
        stepMinutes: 60,
        price: history.prices
      }

/** The market as one coin sees it: its sectors and the median leave the coin itself out. */
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
    btcHourly: seriesOf(bitcoin)
  }
}

const sectorOf = (category: string, without: string, coins: CoinList): SectorChange | undefined => {
  const ids = categories.find(([name]) => name === category)?.[1] ?? []
  const changes = ids.flatMap((id) => (id === without ? [] : (coins.byId.get(id)?.change_24h ?? [])))
  const change24h = median(changes)
  return change24h === null ? undefined : { id: category, change24h, members: changes.length }
}

/** Slope of the coin's hourly log returns on bitcoin's, over the hours that both have; `null` where they are too few. */
export const betaOf = (coin: PriceHistory | undefined, bitcoin: PriceHistory | undefined): number | null =>
  coin === undefined || bitcoin === undefined ? null : slopeOf(returnsByHour(coin), returnsByHour(bitcoin))

/** {@link betaOf} of returns. */
export const slopeOf = (coin: ReadonlyMap<number, number>, market: ReadonlyMap<number, number>): number | null => {
  const pairs = [...coin].flatMap(([hour, own]) => {
    const theirs = market.get(hour)
    return theirs === undefined ? [] : [[theirs, own] as const]
  })
  if (pairs.length < LEAST_RETURNS) return null
  const meanX = mean(pairs.map(([x]) => x))
  const meanY = mean(pairs.map(([, y]) => y))
  const variance = pairs.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
  const covariance = pairs.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0)
  return variance === 0 ? null : covariance / variance
}

/** Prices by the hour (since 1970) that they were those of, oldest first. */
export const pricesByHour = oncePerHistory(({ end, prices }) => {
  const first = Math.floor(end.epochMilliseconds / HOUR) - (prices.length - 1)
  return new Map(prices.map((price, n) => [first + n, price]))
})

/** Hourly log returns by the hour (since 1970) that they end in, oldest first. */
export const returnsByHour = oncePerHistory(({ end, prices }) => {
  const lastHour = Math.floor(end.epochMilliseconds / HOUR)
  return new Map(
    prices.slice(1).map((price, n) => [lastHour - (prices.length - 2 - n), Math.log(price / (prices[n] ?? price))])
  )
})

/** The arithmetic mean. */
export const mean = (values: ReadonlyArray<number>): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** The middle value; `null` of none. */
export const median = (values: ReadonlyArray<number>): number | null => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle]
  const lower = sorted[middle - 1]
  if (upper === undefined) return null
  return sorted.length % 2 === 1 || lower === undefined ? upper : (lower + upper) / 2
}
