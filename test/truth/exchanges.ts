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

/** A coin: id, symbol, usual price in USD. */
export type CoinRow = readonly [id: string, symbol: string, price: number]

/** What exchanges trade in a world. `rates`: units of a fiat for 1 USD, by code. */
export interface Traded {
  readonly coins: ReadonlyArray<CoinRow>
  readonly truth: (id: string) => Course
  readonly rates?: ReadonlyMap<string, Course>
}

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
  readonly of: string
  readonly name: string
  readonly figuresAt: (t: number) => Row["figures"]
}

/** `unit`: units of the quote currency for about 1 USD. */
const listing = (draw: Draw, of: string, name: string, mid: Course, unit: Course = () => 1): Listing => {
  const noise = wandering(draw, 1, [90 * SECOND, 0.0004], [11 * MINUTE, 0.0006])
  const turnover = wandering(draw, draw.ofAnySize(2e5, 1e9), [50 * MINUTE, 0.02])
  const spread = draw.ofAnySize(0.0001, 0.004)
  return {
    of,
    name,
    figuresAt: (t) => {
      const price = mid(t) * noise(t)
      return {
        bid: price * (1 - spread / 2),
        ask: price * (1 + spread / 2),
        last: price,
        turnover: turnover(t) * unit(t)
      }
    }
  }
}

const symbols = { USD: undefined, USDT: "tether", USDC: "usd-coin" } as const

/** Which coins an exchange lists in which quote: all but the rare one and the new one. */
const listingsOf = (draw: Draw, exchange: Exchange, { coins, truth }: Traded): ReadonlyArray<Listing> =>
  coins.flatMap(([id, symbol]) =>
    exchange.quotes.flatMap((quote, n) => {
      if (id === "rare-coin" || id === "new-coin" || symbol === quote) return []
      const isFirst = n === 0 || id === "bitcoin"
      const isUsual = isStablecoin(id) ? quote === "USD" : isFirst || (id !== "old-coin" && draw.isOneIn(2))
      if (!isUsual) return []
      const [price, dollar] = [truth(id), symbols[quote] === undefined ? () => 1 : truth(symbols[quote])]
      return [listing(draw, id, `${symbol}/${quote}`, (t) => price(t) / dollar(t))]
    })
  )

/** What stands on the other side of pairs with fiats. */
const fiatBases = [
  ["BTC", "bitcoin"],
  ["ETH", "ethereum"],
  ["USDT", "tether"]
] as const

/** Which fiats an exchange lists: two of three, each against one or more of those. */
const fiatListingsOf = (draw: Draw, { rates = new Map(), truth }: Traded): ReadonlyArray<Listing> =>
  Array.from(rates).flatMap(([fiat, rate]) => {
    const bases = draw.shuffled(fiatBases).slice(0, draw.isOneIn(3) ? 0 : draw.whole(1, 3))
    return bases.map(([symbol, id]) => listing(draw, fiat, `${symbol}/${fiat}`, (t) => truth(id)(t) * rate(t), rate))
  })

/** An exchange as a source. It answers at once, with prices a few seconds old. */
export const exchangeSource = (draw: Draw, exchange: Exchange, traded: Traded): Source => {
  const listings = [...listingsOf(draw, exchange, traded), ...fiatListingsOf(draw, traded)]
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
  { coins, truth }: Traded,
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
