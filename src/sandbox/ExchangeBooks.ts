// The spot pairs of the simulated exchanges: the world's price, an exchange's own noise around it, a spread, and a
// share of the coin's turnover. Prices in USDT and USDC are divided by the world's price of that coin, which is not 1.
// One pair is frozen since midnight, one is dead, and one has Bitcoin's symbol without being Bitcoin.
import { knownCoins } from "../domain/CoinRegistry.ts"
import { memoized } from "../domain/rememberEach.ts"
import { dayMs, minuteMs } from "./Calendar.ts"
import { rateAt } from "./Fiats.ts"
import { keyOf, unit, wave } from "./Noise.ts"
import type { World } from "./World.ts"

export type ExchangeName = "kraken" | "bitstamp" | "bitfinex" | "binance" | "okx" | "kucoin" | "cryptocom" | "gate"

type Quote = "USD" | "USDT" | "USDC"

type FiatBase = "BTC" | "ETH" | "USDT"

/** A pair as an exchange shows it. Prices are in the quote currency. */
export interface SpotBook {
  /** Upper case. */
  readonly base: string
  /** One of the quotes of coins, or a fiat. */
  readonly quote: string
  readonly bid: number | null
  readonly ask: number | null
  readonly last: number
  /** Of 24 hours, in the base. */
  readonly volume: number
  /** Epoch milliseconds of its ticker. */
  readonly at: number
}

interface Listing {
  /** How many of the largest coins it lists. */
  readonly coins: number
  /** Its share of a coin's turnover, by quote currency. */
  readonly shares: Readonly<Partial<Record<Quote, number>>>
  /** What it trades against fiats. */
  readonly fiats: Readonly<Record<string, ReadonlyArray<FiatBase>>>
}

/** The share of a coin's turnover that a pair with a fiat has. */
const FIAT_SHARE = 0.004

const listings: Readonly<Record<ExchangeName, Listing>> = {
  kraken: {
    coins: 260,
    shares: { USD: 0.06, USDT: 0.01 },
    fiats: {
      EUR: ["BTC", "ETH", "USDT"],
      GBP: ["BTC", "ETH", "USDT"],
      JPY: ["BTC"],
      CAD: ["BTC", "USDT"],
      AUD: ["BTC", "USDT"],
      CHF: ["BTC"]
    }
  },
  bitstamp: { coins: 90, shares: { USD: 0.03 }, fiats: { EUR: ["BTC", "ETH"], GBP: ["BTC", "ETH"] } },
  bitfinex: {
    coins: 140,
    shares: { USD: 0.025, USDT: 0.01 },
    fiats: { EUR: ["BTC", "ETH"], GBP: ["BTC"], JPY: ["BTC"] }
  },
  binance: {
    coins: 290,
    shares: { USDT: 0.3, USDC: 0.06 },
    fiats: { EUR: ["BTC", "ETH"], TRY: ["BTC", "ETH", "USDT"], BRL: ["BTC", "USDT"], JPY: ["BTC"], ZAR: ["USDT"] }
  },
  okx: {
    coins: 280,
    shares: { USDT: 0.12, USDC: 0.01 },
    fiats: { EUR: ["BTC", "USDT"], TRY: ["BTC", "USDT"], BRL: ["BTC", "USDT"], AUD: ["BTC"] }
  },
  kucoin: { coins: 320, shares: { USDT: 0.07 }, fiats: { EUR: ["USDT"], BRL: ["USDT"] } },
  cryptocom: { coins: 180, shares: { USD: 0.035, USDT: 0.005 }, fiats: { EUR: ["BTC"], CAD: ["BTC"], AUD: ["BTC"] } },
  gate: { coins: 300, shares: { USDT: 0.05 }, fiats: { TRY: ["USDT"] } }
}

/** The id of the coin behind a quote currency; none for USD. */
export const idOf: Readonly<Record<string, string | undefined>> = { USD: undefined, USDT: "tether", USDC: "usd-coin" }

/** The coins that exchanges can name, by size. If several share a symbol, the first counts. */
const named = memoized(() => {
  const plain = knownCoins.filter(({ symbol }) => /^[a-z0-9]{1,12}$/.test(symbol))
  return [...new Map(plain.toReversed().map((coin) => [coin.symbol, coin])).values()].toReversed()
})

export interface Listed extends Pick<SpotBook, "base"> {
  readonly id: string
  readonly quote: Quote
}

/** The share of a coin's turnover that an exchange has in a quote currency. */
export const shareIn = (exchange: ExchangeName, quote: string): number => {
  const shares: Readonly<Record<string, number>> = listings[exchange].shares
  return shares[quote] ?? FIAT_SHARE
}

/** All pairs that an exchange lists. */
export const listed = (exchange: ExchangeName): ReadonlyArray<Listed> => {
  const { coins, shares } = listings[exchange]
  const quotes = Object.keys(shares) as ReadonlyArray<Quote>
  return named()
    .slice(0, coins)
    .flatMap(({ id, symbol }) =>
      quotes.flatMap((quote) => (id === idOf[quote] ? [] : [{ id, base: symbol.toUpperCase(), quote }]))
    )
}

/** A pair with a fiat. */
export interface ListedInFiat extends Pick<Listed, "base" | "id"> {
  readonly quote: string
}

/** The pairs with fiats that an exchange lists. */
export const listedInFiats = (exchange: ExchangeName): ReadonlyArray<ListedInFiat> =>
  Object.entries(listings[exchange].fiats).flatMap(([quote, bases]) =>
    bases.flatMap((base) =>
      named().flatMap(({ id, symbol }) => (symbol.toUpperCase() === base ? [{ id, base, quote }] : []))
    )
  )

/** Prices change every 5,000 ms, so that every book has moved between two polls. */
const STEP = 5000

/** The price of a coin at an exchange, in USD. */
const priceAt = (world: World, exchange: ExchangeName, id: string, at: number): number | undefined => {
  const price = world.market.price(id, at)
  const key = keyOf(world.seed, exchange, id)
  const step = Math.floor(at / STEP)
  return price && price * (1 + 0.0001 * wave(key, at / minuteMs, 10) + 0.0002 * (unit(key ^ 1, step) - 0.5))
}

const bookOf = (
  world: World,
  exchange: ExchangeName,
  coin: { readonly id: string; readonly symbol: string },
  quote: string,
  turnover: number,
  at: number
): ReadonlyArray<SpotBook> => {
  const unitId = idOf[quote]
  const fiat = quote in idOf ? undefined : rateAt(world.seed, quote, at)
  const rate = fiat !== undefined ? 1 / fiat : unitId === undefined ? 1 : world.market.price(unitId, at)
  const price = priceAt(world, exchange, coin.id, at)
  if (coin.id === unitId || price === undefined || rate === undefined) return []
  const key = keyOf(world.seed, exchange, coin.id, quote)
  const mid = price / rate
  const half = 0.000_05 + 0.0003 * unit(key, 1)
  const side = unit(key, Math.floor(at / STEP)) < 0.5 ? -1 : 1
  return [
    {
      base: coin.symbol.toUpperCase(),
      quote,
      bid: mid * (1 - half),
      ask: mid * (1 + half),
      last: mid * (1 + side * half),
      volume: turnover / price,
      at: at - Math.floor(unit(key, Math.floor(at / STEP)) * 2000)
    }
  ]
}

/** The pairs of an exchange at a time. */
export const spotBooks = (world: World, exchange: ExchangeName, at: number): ReadonlyArray<SpotBook> => {
  const { coins, shares } = listings[exchange]
  const volumes = new Map(world.market.coins(at).map(({ coin, volume }) => [coin.id, volume]))
  const quotes = Object.entries(shares) as ReadonlyArray<[Quote, number]>
  const books = named()
    .slice(0, coins)
    .flatMap((coin) =>
      quotes.flatMap(([quote, share]) => {
        const traded = share * (volumes.get(coin.id) ?? 0)
        const step = Math.floor(at / STEP)
        const turnover = traded * (1 + 0.001 * unit(keyOf(world.seed, exchange, quote, coin.id), step))
        const isFrozen = exchange === "binance" && coin.id === "litecoin" && quote === "USDC"
        return bookOf(world, exchange, coin, quote, turnover, isFrozen ? Math.floor(at / dayMs) * dayMs : at)
      })
    )
  const inFiats = listedInFiats(exchange).flatMap(({ base, id, quote }) =>
    bookOf(world, exchange, { id, symbol: base }, quote, FIAT_SHARE * (volumes.get(id) ?? 0), at)
  )
  return [...books, ...inFiats].map((book) => {
    const isDead = exchange === "bitfinex" && book.base === "ETC" && book.quote === "USD"
    return isDead ? { ...book, bid: null, ask: null, last: book.last * 0.6, volume: 1 } : book
  })
}

/** Batcat Classic, which one exchange lists as `BTC-USDC`. */
export const impostorBook = (at: number): SpotBook => ({
  base: "BTC",
  quote: "USDC",
  bid: 0.000_031_69,
  ask: 0.000_031_71,
  last: 0.000_031_7,
  volume: 3e9,
  at
})
