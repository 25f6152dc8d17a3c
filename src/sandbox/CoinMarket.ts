// Coin prices of the simulated world, in steps of a minute: a common factor, a factor for each coin, and jumps by chance or by
// the script. Pegged coins follow their currency, gold or coin. Computed minutes are cached, bounded in number.
import { byId, knownCoins, type KnownCoin } from "../domain/CoinRegistry.ts"
import { rememberEach } from "../domain/rememberEach.ts"
import { dayMs, minuteMs } from "./Calendar.ts"
import { rateAt } from "./Fiats.ts"
import { keyOf, unit, wave, waves } from "./Noise.ts"
import type { Script } from "./Script.ts"

/** One coin at one time, in USD; changes in percent. */
export interface CoinState {
  readonly coin: KnownCoin
  readonly price: number
  readonly marketCap: number
  readonly volume: number
  readonly change1h: number
  readonly change24h: number
  readonly change7d: number
  readonly high24h: number
  readonly low24h: number
  readonly ath: number
  readonly athAt: number
  /** Up to 30 s before the start of the minute. */
  readonly observedAt: number
}

export type CoinMarket = ReturnType<typeof make>

// Periods in minutes.
const octaves = [
  [129_600, 0.07],
  [20_160, 0.045],
  [4320, 0.03],
  [720, 0.014],
  [120, 0.006],
  [20, 0.002],
  [3, 0.0007]
] as const

const indexById: ReadonlyMap<string, number> = new Map(knownCoins.map((coin, index) => [coin.id, index]))

/** A jump of 8 to 30 % within 90 minutes that fades over four days. About 3 % of coins have one on a day. */
const jump = (key: number, minute: number, days: ReadonlyArray<number>): number => {
  let sum = 0
  for (const day of days) {
    if (unit(key, day) >= 0.03) continue
    const age = minute - (day * 1440 + unit(key ^ 1, day) * 1200)
    if (age <= 0 || age >= 5760) continue
    const size = 0.08 + 0.22 * unit(key ^ 2, day)
    const direction = unit(key ^ 3, day) < 0.5 ? -1 : 1
    sum += direction * size * Math.min(1, age / 90) * (1 - age / 5760)
  }
  return sum
}

/** The price of a coin by its index at a minute. */
const pricing = (seed: number, script: Script): ((minute: number, index: number) => number | undefined) => {
  const marketKey = keyOf(seed, "market")
  const keys = knownCoins.map((coin) => keyOf(seed, "coin", coin.id))
  const byChance = knownCoins.map((coin, index) => coin.peg === null && index > 8 && !script.has(coin.id))
  const isReserved = rememberEach(4096, script.isReserved)
  // Cached, because it is the same for all coins.
  const marketAt = rememberEach(16_384, (minute: number) => {
    const today = Math.floor(minute / 1440)
    // The days whose jumps have not faded.
    const days = [4, 3, 2, 1, 0].map((ago) => today - ago).filter((day) => !isReserved(day))
    return { days, market: 0.8 * waves(marketKey, minute, octaves) + script.market(minute) }
  })
  const free = (coin: KnownCoin, index: number, minute: number): number => {
    const key = keys[index] ?? 0
    const { days, market } = marketAt(minute)
    const temper = coin.peg === "xau" ? 0.25 : Math.min(1.3, 0.5 + index / 200)
    const jumps = byChance[index] === true ? jump(key, minute, days) : script.coin(coin.id, minute).move
    return coin.price * Math.exp((coin.peg === null ? market : 0) + temper * waves(key, minute, octaves) + jumps)
  }
  return (minute, index) => {
    const coin = knownCoins[index]
    if (coin === undefined) return undefined
    if (coin.peg === null || coin.peg === "xau") return free(coin, index, minute)
    const tremble = coin.price * (1 + 0.0002 * wave(keys[index] ?? 0, minute, 90))
    if (coin.peg === "usd") return tremble
    if (coin.peg === "eur") return tremble / ((rateAt(seed, "EUR", minute * minuteMs) ?? 1) / 0.8802)
    const followed = byId(coin.peg)
    const at = indexById.get(coin.peg)
    return followed === undefined || at === undefined
      ? tremble
      : (tremble / followed.price) * free(followed, at, minute)
  }
}

/** The candle of an hour or a day, from the prices at `MOMENTS` moments and at its end. */
export interface MarketCandle {
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  /** In coins, of all markets together. */
  readonly volume: number
}

const MOMENTS = 2

const turnover = (coin: KnownCoin, key: number): number => {
  if (coin.id === "figure-heloc") return 0.0000022
  if (coin.id === "tether") return 0.18
  return coin.peg === null ? 0.004 + 0.09 * unit(key, 7) ** 3 : 0.004 + 0.06 * unit(key, 7) ** 2
}

export const make = (seed: number, script: Script) => {
  // Two years of midnights and some hours more, cached for all coins together.
  const priceAt = pricing(seed, script)
  const prices = rememberEach(2048, (minute: number) =>
    knownCoins.map((coin, index) => priceAt(minute, index) ?? coin.price)
  )

  /** The turnover of 24 hours in coins. */
  const volumeAt = (coin: KnownCoin, minute: number): number => {
    const key = keyOf(seed, "facts", coin.id)
    const share = turnover(coin, key) * Math.exp(0.5 * wave(key, minute, 720))
    return coin.circulatingSupply * (share + script.coin(coin.id, minute).turnover)
  }

  const statesAt = (minute: number): ReadonlyArray<CoinState> => {
    const now = prices(minute)
    const before = (minutes: number) => prices(minute - minutes)
    const [hourAgo, dayAgo, weekAgo] = [before(60), before(1440), before(10_080)]
    const hour = Math.floor(minute / 60)
    const grid = Array.from({ length: 24 }, (_, hours) => prices((hour - hours) * 60))
    const change = (price: number, then: number | undefined) => (price / (then ?? price) - 1) * 100
    return knownCoins
      .map((coin, index): CoinState => {
        const key = keyOf(seed, "facts", coin.id)
        const price = now[index] ?? coin.price
        const day = [...grid.map((hourly) => hourly[index] ?? price), dayAgo[index] ?? price, price]
        const isBitcoin = coin.id === "bitcoin"
        const peak = isBitcoin
          ? 126_080
          : coin.price * (coin.peg !== null ? 1.05 + unit(key, 1) : 1.4 + 12 * unit(key, 1) ** 2)
        return {
          coin,
          price,
          marketCap: price * coin.circulatingSupply,
          volume: price * volumeAt(coin, minute),
          change1h: change(price, hourAgo[index]),
          change24h: change(price, dayAgo[index]),
          change7d: change(price, weekAgo[index]),
          high24h: Math.max(...day),
          low24h: Math.min(...day),
          ath: Math.max(peak, price),
          athAt: isBitcoin ? 1_759_777_062_558 : 1_620_000_000_000 + Math.floor(unit(key, 3) * 1600) * dayMs,
          observedAt: minute * minuteMs - Math.floor(unit(key, minute) * 30_000)
        }
      })
      .sort((a, b) => b.marketCap - a.marketCap)
  }

  const states = rememberEach(32, statesAt)

  /** Cached, because several exchanges return the same days. Computes one coin's price only: there are thousands of days. */
  const candles = rememberEach(16_384, (name: string): MarketCandle | null => {
    const [start = "", length = "", id = ""] = name.split(" ")
    const coin = byId(id)
    const index = indexById.get(id)
    if (coin === undefined || index === undefined) return null
    const minutes = Array.from({ length: MOMENTS + 1 }, (_, n) =>
      Math.floor((Number(start) + (n * Number(length)) / MOMENTS) / minuteMs)
    )
    const seen = minutes.map((minute) => priceAt(minute, index) ?? coin.price)
    const [first = coin.price] = seen
    const [begin = 0] = minutes
    const volume = (volumeAt(coin, begin) * Number(length)) / dayMs
    return { open: first, high: Math.max(...seen), low: Math.min(...seen), close: seen.at(-1) ?? first, volume }
  })

  return {
    /** Every coin by market cap descending, at the minute of `at`. */
    coins: (at: number) => states(Math.floor(at / minuteMs)),
    price: (id: string, at: number) => {
      const index = indexById.get(id)
      return index === undefined ? undefined : prices(Math.floor(at / minuteMs))[index]
    },
    /** The candle of the hour or day of `length` ms from `start`. */
    candle: (id: string, start: number, length: number): MarketCandle | undefined =>
      candles(`${start} ${length} ${id}`) ?? undefined
  }
}

/** Totals over all coins except wrapped ones, in USD; the change in percent. */
export const totals = (market: CoinMarket, at: number) => {
  const sum = (values: ReadonlyArray<number>) => values.reduce((total, value) => total + value, 0)
  const own = market.coins(at).filter(({ coin }) => coin.peg === null || byId(coin.peg) === undefined)
  const marketCap = sum(own.map((state) => state.marketCap))
  const yesterday = sum(own.map((state) => state.marketCap / (1 + state.change24h / 100)))
  return {
    marketCap,
    volume: sum(own.map((state) => state.volume)),
    change24h: (marketCap / yesterday - 1) * 100,
    dominance: (id: string) => ((own.find(({ coin }) => coin.id === id)?.marketCap ?? 0) / marketCap) * 100
  }
}
