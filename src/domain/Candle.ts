// Candles of an exchange's pair. Times are epoch milliseconds.

import { derived } from "./Decimal.ts"

/** Prices of a finished hour or UTC day. */
export interface Candle {
  /** The start of the hour or day. */
  readonly bucket: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  /** Turnover, in the currency of the prices; `null` if the exchange does not publish it. */
  readonly volume: number | null
}

/** The candle of one coin in USD. `unit`: coins in one unit of the base; `rate`: USD per unit of the quote currency. */
export const inDollars = ({ bucket, volume, ...prices }: Candle, rate: number, unit: number): Candle => {
  const of = (price: number) => (rate === 1 && unit === 1 ? price : derived((price * rate) / unit))
  const { close, high, low, open } = prices
  return {
    bucket,
    open: of(open),
    high: of(high),
    low: of(low),
    close: of(close),
    volume: volume === null ? null : derived(volume * rate)
  }
}
