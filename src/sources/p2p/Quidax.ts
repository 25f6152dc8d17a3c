// Quidax, a Nigerian exchange: the best prices of its USDT order books, from its public ticker, and their candles. The ticker's `high`
// and `low` are not read, because they contain errors such as 729,000. With HTTP 200, `status` may be "444": too many requests.
import { DateTime, Effect, Schema } from "effect"
import type { OrderBookTop } from "../../domain/OrderBook.ts"
import type { P2pMarket } from "../../domain/P2pMarket.ts"
import { WICK } from "../../domain/Thresholds.ts"
import { type Close } from "../../history/model/Close.ts"
import { bucketOf, type Interval, lengthOf } from "../../history/model/Interval.ts"
import { marketCloses } from "../../history/model/PlausiblePast.ts"
import type { Urgency } from "../client/Budget.ts"
import { SourceService } from "../client/SourceService.ts"
import { type Fetched, rejected, Undecodable } from "../client/SourceError.ts"
import { catalog } from "../catalog/SourceCatalog.ts"
import * as WireFormat from "../client/WireFormat.ts"
import { type Books, orderBooks } from "./p2pBooks.ts"

/** The latest second that a date can hold. */
const LAST_SECOND = 8_640_000_000_000

const At = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: LAST_SECOND }))

const Ticker = Schema.Struct({ buy: WireFormat.BlankableDecimal, sell: WireFormat.BlankableDecimal })

/** The status of an error, sent with HTTP 200. */
const Refusal = Schema.Struct({ status: Schema.String.check(Schema.isPattern(/^(?!success$)\w{1,16}$/)) })

/** A single ticker (older host), the ticker under its market's name (newer host, mostly without a time), or an error's status. */
const Body = Schema.Union([
  Schema.Struct({
    status: Schema.Literal("success"),
    data: Schema.Struct({ at: At, ticker: Ticker, market: WireFormat.Text })
  }),
  Schema.Struct({
    status: Schema.Literal("success"),
    data: Schema.Record(Schema.String, Schema.Struct({ at: Schema.optionalKey(At), ticker: Ticker }))
  }),
  Refusal
])

type Markets = Extract<typeof Body.Type, { readonly data: object }>["data"]

/** Whether the body has a single ticker beside the name of its market. */
const isAlone = (data: Markets): data is Extract<Markets, { readonly market: string }> =>
  typeof data.market === "string"

const tickerOf = (data: Markets, market: string) =>
  isAlone(data) ? (data.market === market ? data : undefined) : data[market]

/** Candles per request. */
const CANDLES = 1000

const CandlesBody = Schema.Union([
  Schema.Struct({ status: Schema.Literal("success"), data: WireFormat.Rows(2 * CANDLES) }),
  Refusal
])

const { Decimal } = WireFormat

/** `[start, open, high, low, close, volume]`; the start in milliseconds, in seconds on older hosts. */
const CandleRow = Schema.Tuple([Schema.Finite, Decimal, Decimal, Decimal, Decimal, Decimal])

/** Quidax's name of a market. */
const marketOf = ({ fiat }: Pick<P2pMarket, "fiat">): string => `usdt${fiat.toLowerCase()}`

/** The best bid and ask of USDT on Quidax, by market, and candles. */
export class Quidax extends SourceService<
  Quidax,
  {
    readonly order_book: Books<OrderBookTop>
    /** Candles of finished hours or days with trades, among the last 1,000. */
    readonly candles: (market: P2pMarket, interval: Interval, urgency: Urgency) => Fetched<ReadonlyArray<Close>>
  }
>()("crypto-data-api/sources/p2p/Quidax", catalog.QUIDAX, function* (connect) {
  const client = yield* connect({ maxBytes: 262_144 })

  const top = Effect.fn("Quidax.top")(function* (market: P2pMarket) {
    const name = marketOf(market)
    const { body, ...times } = yield* client.get(`/markets/tickers/${name}`, Body)
    if (!("data" in body)) return yield* client.error(rejected(body.status))
    const found = tickerOf(body.data, name)
    if (found === undefined) return yield* client.error(new Undecodable({ detail: "another market" }))
    const { at, ticker } = found
    // The sides are the book's: `buy` is the best bid, at which a customer sells.
    return {
      value: { bid: ticker.buy, ask: ticker.sell },
      ...times,
      ...(at !== undefined && { observedAt: DateTime.makeUnsafe(at * 1000) })
    }
  })

  const fetchCandles = Effect.fn("Quidax.candles")(function* (market: P2pMarket, interval: Interval, urgency: Urgency) {
    const { body, ...times } = yield* client.get(`/markets/${marketOf(market)}/k`, CandlesBody, {
      query: { period: lengthOf(interval) / 60_000, limit: CANDLES },
      urgency
    })
    if (!("data" in body)) return yield* client.error(rejected(body.status))
    const good = yield* client.usable("candles", WireFormat.rows(CandleRow, body.data))
    const value = good
      .flatMap((row) => toClose(interval, row))
      .filter(({ observedAt }) => observedAt < times.observedAt.epochMilliseconds)
      .toReversed()
    return { value, ...times }
  })

  return {
    candles: (market, interval, urgency) =>
      client.lookUp("past", marketCloses(market), fetchCandles(market, interval, urgency)),
    order_book: yield* orderBooks(client, "QUIDAX", top)
  }
}) {}

/** Empty for a candle without trades, which only repeats the close before. */
const toClose = (
  interval: Interval,
  [start, open, high, low, close, volume]: typeof CandleRow.Type
): ReadonlyArray<Close> => {
  if (!(volume > 0) || !(close > 0)) return []
  const bucket = bucketOf(interval, start < 1e11 ? start * 1000 : start)
  const near = (value: number) => (Math.abs(value / close - 1) <= WICK ? value : null)
  return [
    {
      bucket,
      open: near(open),
      high: near(high),
      low: near(low),
      close,
      volume: null,
      observedAt: bucket + lengthOf(interval) - 1
    }
  ]
}
