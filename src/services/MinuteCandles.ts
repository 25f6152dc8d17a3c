// The price of a coin at a minute of the past, from the one-minute candles of the exchanges that list it. Candles are fetched for half a day at
// once, because rows of one file are often near each other.
import { Cache, type Config, Clock, Context, Effect, Exit, Layer } from "effect"
import { inDollars } from "../domain/Candle.ts"
import { isWithinFactor } from "../domain/Plausibility.ts"
import { TICKER_BREAK } from "../domain/Thresholds.ts"
import { lengthOf } from "../history/model/Interval.ts"
import type { SourceError } from "../sources/client/SourceError.ts"
import { layerWith, type SourcesWith } from "../sources/Sources.ts"
import { candlesByExchange } from "./CoinCandles.ts"
import type { Market } from "./coinMarkets.ts"
import { SpotPrices } from "./SpotPrices.ts"

const MINUTE = lengthOf("minute")
const BLOCK = 12 * lengthOf("hour")

/** Half days in memory. */
const KEPT = 200

/** A minute without a trade has no candle: so many minutes before it count too. */
const MOST_IDLE = 10

/** A price in USD at the end of a minute, epoch milliseconds. */
export interface MinutePrice {
  readonly price: number
  /** The exchange. */
  readonly source: string
  readonly observedAt: number
}

/** What is known of the time of a question: prices of the coin and of USDT, in USD. */
export interface Known {
  readonly coin: number
  readonly usdt: number | null
}

/** Prices of coins at a minute. */
export class MinuteCandles extends Context.Service<
  MinuteCandles,
  {
    /**
     * The close of the last minute that ended at or before a time, epoch milliseconds, at the first exchange that has it; `undefined` if none
     * has. A symbol may have been another coin's: a price far from the known one is not used.
     */
    readonly at: (id: string, time: number, known: Known) => Effect.Effect<MinutePrice | undefined>
    /** Whether the pairs of coins are known yet. */
    readonly isReady: Effect.Effect<boolean>
  }
>()("crypto-data-api/services/MinuteCandles") {
  static readonly layerNoDeps: Layer.Layer<MinuteCandles, never, SpotPrices | SourcesWith<"tickers">> = Layer.effect(
    MinuteCandles,
    Effect.gen(function* () {
      const spot = yield* SpotPrices
      const exchanges = yield* candlesByExchange

      /** The closes of half a day by minute, of an exchange's pair. */
      const blocks = yield* Cache.makeWith(
        Effect.fnUntraced(function* (key: string): Effect.fn.Return<ReadonlyMap<number, number>, SourceError> {
          const [start = "", exchange = "", ...market] = key.split(" ")
          const first = Number(start)
          const last = Math.min(first + BLOCK, yield* Clock.currentTimeMillis) - MINUTE
          const candles = exchanges.get(exchange)
          if (candles === undefined) return new Map()
          const asked = { market: market.join(" "), interval: "minute", first, last, urgency: "backfill" } as const
          const { value } = yield* candles(asked)
          return new Map(value.map(({ bucket, close }) => [bucket, close]))
        }),
        { capacity: KEPT, timeToLive: (exit) => (Exit.isSuccess(exit) ? "1 hour" : "30 seconds") }
      )

      const atMarket = Effect.fnUntraced(function* (
        { exchange, market, quote, unit }: Market,
        time: number,
        { coin, usdt }: Known
      ) {
        const rate = quote === "USD" ? 1 : quote === "USDT" ? usdt : null
        if (rate === null || !exchanges.has(exchange)) return undefined
        const ended = Math.floor(time / MINUTE) * MINUTE - MINUTE
        const closes = yield* Cache.get(blocks, `${ended - (ended % BLOCK)} ${exchange} ${market}`)
        for (let bucket = ended; bucket > ended - MOST_IDLE * MINUTE; bucket -= MINUTE) {
          const close = closes.get(bucket)
          if (close === undefined) continue
          const candle = { bucket, open: close, high: close, low: close, close, volume: null }
          const price = inDollars(candle, rate, unit).close
          const isOfCoin = isWithinFactor(price, coin, 1 + TICKER_BREAK)
          return isOfCoin ? { price, source: exchange, observedAt: bucket + MINUTE } : undefined
        }
        return undefined
      })

      return MinuteCandles.of({
        isReady: Effect.map(spot.markets, ({ size }) => size > 0),
        at: Effect.fn("MinuteCandles.at")(function* (id, time, known) {
          for (const market of (yield* spot.markets).get(id) ?? []) {
            const found = yield* Effect.orElseSucceed(atMarket(market, time, known), () => undefined)
            if (found !== undefined) return found
          }
          return undefined
        })
      })
    })
  )

  static readonly layer: Layer.Layer<MinuteCandles, Config.ConfigError> = this.layerNoDeps.pipe(
    Layer.provide([SpotPrices.layer, layerWith("tickers")])
  )
}
