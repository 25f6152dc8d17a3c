// Candles of exchanges: what a finished hour or UTC day of a pair was. Times are epoch milliseconds.

import { derived } from "./Decimal.ts"

/** Prices of a finished hour or UTC day. */
export interface Candle {
  /** Its start. */
  readonly bucket: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  /** Turnover, in the currency of the prices; `null` where the exchange does not say. */
  readonly volume: number | null
}

/** The candle of one coin in USD: `unit` coins are traded at once, and the quote currency costs `rate` USD. Quoted figures stay as they are. */
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
