// The honest sources of coins: exchanges with their pairs, and aggregators with their lists.
import { type Course, MINUTE, SECOND, wandering } from "./Course.ts"
import type { Draw } from "./Draw.ts"
import type { Row, Source } from "./Process.ts"

/** The coins of the world: id, symbol, usual price. Two share a symbol: exchanges trade the first, until the ticker changes hands. */
export const coins = [
  ["bitcoin", "BTC", 60_000],
  ["ethereum", "ETH", 2500],
  ["tether", "USDT", 1],
  ["usd-coin", "USDC", 1],
  ["solana", "SOL", 150],
  ["old-coin", "QCK", 50],
  ["new-coin", "QCK", 0.07],
  ["rare-coin", "RARE", 0.3]
] as const

export type CoinId = (typeof coins)[number][0]

export const isStablecoin = (id: string): boolean => id === "tether" || id === "usd-coin"

/** An exchange: in what it quotes, and whether it dates its pairs or only its answer. */
export interface Exchange {
  readonly name: string
  readonly quotes: ReadonlyArray<"USD" | "USDT" | "USDC">
  readonly isDatingPairs: boolean
}

export const exchanges: ReadonlyArray<Exchange> = [
  { name: "Kraken", quotes: ["USD", "USDT"], isDatingPairs: false },
  { name: "Bitstamp", quotes: ["USD"], isDatingPairs: true },
  { name: "Bitfinex", quotes: ["USD"], isDatingPairs: false },
  { name: "Crypto.com", quotes: ["USD", "USDT"], isDatingPairs: true },
  { name: "Binance", quotes: ["USDT", "USDC"], isDatingPairs: true },
  { name: "OKX", quotes: ["USDT", "USDC"], isDatingPairs: true },
  { name: "KuCoin", quotes: ["USDT"], isDatingPairs: false },
  { name: "Gate", quotes: ["USDT", "USDC"], isDatingPairs: false }
]

export const hasDollars = ({ quotes }: Exchange): boolean => quotes.includes("USD")

/** Whether an exchange has a voice on USDC: a pair of it in dollars, or pairs of bitcoin in it. */
export const hasUsdc = (one: Exchange): boolean => hasDollars(one) || one.quotes.includes("USDC")

/** The most by which the answer of an exchange lags. */
export const LAG = 4 * SECOND

/** A pair that an exchange lists. */
interface Listing {
  readonly of: CoinId
  readonly name: string
  readonly figuresAt: (t: number) => Row["figures"]
}

const listing = (
  draw: Draw,
  exchange: Exchange,
  [of, symbol]: (typeof coins)[number],
  quote: Exchange["quotes"][number],
  truth: (id: string) => Course
): Listing => {
  const [price, dollar] = [truth(of), quote === "USD" ? () => 1 : truth(quote === "USDT" ? "tether" : "usd-coin")]
  const noise = wandering(draw, 1, [90 * SECOND, 0.0004], [11 * MINUTE, 0.0006])
  const turnover = wandering(draw, draw.ofAnySize(2e5, 1e9), [50 * MINUTE, 0.02])
  const spread = draw.ofAnySize(0.0001, 0.004)
  return {
    of,
    name: `${symbol}/${quote}`,
    figuresAt: (t) => {
      const mid = (price(t) / dollar(t)) * noise(t)
      return { bid: mid * (1 - spread / 2), ask: mid * (1 + spread / 2), last: mid, turnover: turnover(t) }
    }
  }
}

/** Which coins an exchange lists in which quote: all but the rare one and the new one. */
const listingsOf = (draw: Draw, exchange: Exchange, truth: (id: string) => Course): ReadonlyArray<Listing> =>
  coins.flatMap((coin) =>
    exchange.quotes.flatMap((quote, n) => {
      const [id, symbol] = coin
      if (id === "rare-coin" || id === "new-coin" || symbol === quote) return []
      const isFirst = n === 0 || id === "bitcoin"
      const isUsual = isStablecoin(id) ? quote === "USD" : isFirst || (id !== "old-coin" && draw.isOneIn(2))
      return isUsual ? [listing(draw, exchange, coin, quote, truth)] : []
    })
  )

/** An exchange as a source. It answers at once, with prices a few seconds old. */
export const exchangeSource = (draw: Draw, exchange: Exchange, truth: (id: string) => Course): Source => {
  const listings = listingsOf(draw, exchange, truth)
  const lag = draw.between(0, LAG)
  return {
    name: exchange.name,
    every: 20 * SECOND,
    memory: 0,
    tells: (t) => {
      const at = t - lag
      return { at, rows: listings.map(({ figuresAt, name, of }) => ({ name, of, at, figures: figuresAt(at) })) }
    }
  }
}

/** The aggregators: how often they are asked, how often they publish, and how old that is then. */
export const aggregators = [
  { name: "CoinGecko", every: MINUTE, publishes: MINUTE, lag: 25 * SECOND },
  { name: "CoinPaprika", every: 10 * MINUTE, publishes: 10 * MINUTE, lag: 30 * SECOND }
] as const

/** An aggregator as a source of prices in USD. */
export const aggregatorSource = (
  draw: Draw,
  { every, lag, name, publishes }: (typeof aggregators)[number],
  truth: (id: string) => Course,
  unlisted: ReadonlyArray<string>
): Source => {
  const listed = coins.flatMap(([id]) => {
    if (unlisted.includes(id)) return []
    return [{ id, price: truth(id), noise: wandering(draw, 1, [20 * MINUTE, 0.0008]) }]
  })
  return {
    name,
    every,
    memory: every,
    tells: (t) => {
      const at = Math.floor(t / publishes) * publishes - lag
      return {
        at,
        rows: listed.map(({ id, noise, price }) => ({
          name: id,
          of: id,
          at,
          figures: { price: price(at) * noise(at) }
        }))
      }
    }
  }
}
