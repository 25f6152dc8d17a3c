// The candles of the simulated exchanges: the world's prices without an exchange's own noise, from the day on which it
// listed the coin. Bitstamp lacks days without a trade, and a pair of KuCoin was once another coin.
import { dayMs, minuteMs } from "./Calendar.ts"
import { type ExchangeName, idOf, listed, type ListedInFiat, listedInFiats, shareIn } from "./ExchangeBooks.ts"
import { rateAt } from "./Fiats.ts"
import { keyOf, unit } from "./Noise.ts"
import type { World } from "./World.ts"

/** A candle in the quote currency; `start` is in epoch milliseconds. */
export interface ExchangeCandle {
  readonly start: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  /** `volume` in the base, `turnover` in the quote currency. */
  readonly volume: number
  readonly turnover: number
  readonly isFinished: boolean
}

/** The exchanges whose candles the service reads. */
export type CandleExchange = Extract<ExchangeName, "bitstamp" | "bitfinex" | "binance" | "kucoin">

/** The first day of bitcoin's candles at each exchange. */
const opened: Readonly<Record<CandleExchange, number>> = {
  bitstamp: Date.UTC(2013, 0, 1),
  bitfinex: Date.UTC(2013, 3, 1),
  binance: Date.UTC(2017, 7, 17),
  kucoin: Date.UTC(2017, 9, 24)
}

/** The first days of other coins are within `SPREAD` days after `FIRST_COIN`. */
const FIRST_COIN = Date.UTC(2014, 0, 1)
const SPREAD = 3650

const stablecoins: ReadonlySet<string> = new Set(["tether", "usd-coin"])

/** The first day of a coin at an exchange: the coin's own, or up to half a year later. Stablecoins are never later. */
export const listedSince = (world: World, exchange: CandleExchange, id: string): number => {
  if (id === "bitcoin") return opened[exchange]
  const born = stablecoins.has(id)
    ? FIRST_COIN
    : FIRST_COIN + Math.floor(unit(keyOf(world.seed, "born", id), 0) * SPREAD) * dayMs
  const later = stablecoins.has(id) ? 0 : Math.floor(unit(keyOf(world.seed, "listed", exchange, id), 0) * 180) * dayMs
  return Math.max(opened[exchange], born + later)
}

/** Before `until`, KuCoin's `LTC-USDT` was another coin, at this share of litecoin's price. */
export const former = { exchange: "kucoin", id: "litecoin", until: Date.UTC(2021, 5, 1), share: 1 / 40 } as const

const isMissing = (world: World, exchange: CandleExchange, id: string, start: number): boolean =>
  exchange === "bitstamp" &&
  id !== "bitcoin" &&
  !stablecoins.has(id) &&
  unit(keyOf(world.seed, "idle", id), start / dayMs) < 0.005

/** Up to `most` candles of a pair that begin at or before `last`, oldest first, including the running one. */
export const exchangeCandles = (
  world: World,
  exchange: CandleExchange,
  { id, quote }: ListedInFiat,
  {
    at,
    last,
    length,
    most
  }: { readonly at: number; readonly last: number; readonly length: number; readonly most: number }
): ReadonlyArray<ExchangeCandle> => {
  const newest = Math.floor(Math.min(at, last) / length) * length
  const first = Math.max(Math.ceil(listedSince(world, exchange, id) / length) * length, newest - (most - 1) * length)
  const starts = Array.from({ length: Math.max(0, (newest - first) / length + 1) }, (_, n) => first + n * length)
  const share = shareIn(exchange, quote)
  const unitId = idOf[quote]
  return starts.flatMap((start): ReadonlyArray<ExchangeCandle> => {
    // A running candle closes now.
    const span = Math.min(length, Math.max(minuteMs, at - start))
    const coin = world.market.candle(id, start, span)
    if (coin === undefined || isMissing(world, exchange, id, start)) return []
    const fiat = quote in idOf ? undefined : rateAt(world.seed, quote, start + span)
    const ofUnit = unitId === undefined ? 1 : (world.market.candle(unitId, start, span)?.close ?? 1)
    const rate = fiat === undefined ? ofUnit : 1 / fiat
    const isFormer = exchange === former.exchange && id === former.id && start < former.until
    const inQuote = (price: number) => (price * (isFormer ? former.share : 1)) / rate
    const [open, high, low, close] = [coin.open, coin.high, coin.low, coin.close].map(inQuote) as [
      number,
      number,
      number,
      number
    ]
    const volume = coin.volume * share
    return [{ start, open, high, low, close, volume, turnover: volume * close, isFinished: start + length <= at }]
  })
}

export const pairNamed = (
  exchange: CandleExchange,
  name: string,
  nameOf: (pair: ListedInFiat) => string
): ListedInFiat | undefined => [...listed(exchange), ...listedInFiats(exchange)].find((pair) => nameOf(pair) === name)
