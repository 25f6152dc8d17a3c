// Candles of exchanges: what a finished hour or UTC day of a pair was. Times are epoch milliseconds.

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

/** The candle of one coin in USD: `unit` coins are traded at once, and the quote currency costs `rate` USD. */
export const inDollars = ({ bucket, close, high, low, open, volume }: Candle, rate: number, unit: number): Candle => ({
  bucket,
  open: (open * rate) / unit,
  high: (high * rate) / unit,
  low: (low * rate) / unit,
  close: (close * rate) / unit,
  volume: volume === null ? null : volume * rate
})
