// Bitstamp's tickers of all spot pairs: `GET /api/v2/ticker/`. Figures are text, the time is in seconds. The members are those of its
// documentation; there is no recording. Candles: `GET /api/v2/ohlc/btcusd/`, only those with trades, with the volume in the base.
import { Schema } from "effect"
import type { Pair } from "../../domain/Pair.ts"
import { lengthOf } from "../../history/model/Interval.ts"
import { catalog } from "../catalog/SourceCatalog.ts"
import { SourceService } from "../client/SourceService.ts"
import * as WireFormat from "../client/WireFormat.ts"
import type * as DataSet from "../dataset/DataSet.ts"
import { candleCalls, CandleFigure, type Candles, candles, type PageQuery, Rows } from "./candles.ts"
import { fetchList, MOST_BYTES, Name, pairOf, tickers } from "./tickers.ts"

const { BlankableDecimal } = WireFormat

const Row = Schema.Struct({
  /** `BTC/USD`. */
  pair: Name,
  last: BlankableDecimal,
  bid: BlankableDecimal,
  ask: BlankableDecimal,
  vwap: BlankableDecimal,
  /** 24 hours, in the base. */
  volume: BlankableDecimal,
  timestamp: WireFormat.Decimal,
  market_type: Schema.optionalKey(Schema.NullOr(WireFormat.Text))
})

/** The list, or an error: `{ status: "error", … }`. Its other members are not documented. */
const Envelope = Schema.Union([Schema.Array(Schema.Unknown), Schema.Struct({ status: WireFormat.Text })])

const read = ({ ask, bid, last, market_type, pair, timestamp, volume, vwap }: typeof Row.Type): Pair | undefined =>
  (market_type ?? "SPOT") === "SPOT"
    ? pairOf(pair.split("/"), {
        market: pair,
        bid,
        ask,
        last,
        turnover: (volume ?? 0) * (vwap ?? last ?? 0),
        observedAt: timestamp * 1000
      })
    : undefined

const CandleRow = Schema.Struct({
  timestamp: CandleFigure,
  open: CandleFigure,
  high: CandleFigure,
  low: CandleFigure,
  close: CandleFigure,
  volume: CandleFigure
})

const CandlesBody = Schema.Union([
  Schema.Struct({ data: Schema.Struct({ ohlc: Rows }) }),
  Schema.Struct({ status: WireFormat.Text })
])

const ohlc = {
  path: (market: string) => `/api/v2/ohlc/${market.replace("/", "").toLowerCase()}/`,
  query: ({ count, interval, last }: PageQuery) => ({
    step: lengthOf(interval) / 1000,
    limit: count,
    end: (last + lengthOf(interval)) / 1000 - 1
  }),
  envelope: CandlesBody,
  rows: (body: typeof CandlesBody.Type) => ("status" in body ? body.status : body.data.ohlc),
  row: CandleRow,
  read: ({ close, high, low, open, timestamp, volume }: typeof CandleRow.Type) => {
    return { bucket: timestamp * 1000, open, high, low, close, volume: volume * close }
  },
  full: 1000
}

/** Its pairs are mostly in USD. */
export class Bitstamp extends SourceService<
  Bitstamp,
  {
    readonly tickers: DataSet.DataSet<ReadonlyArray<Pair>>
    readonly candles: Candles
  }
>()("crypto-data-api/sources/exchange/Bitstamp", catalog.BITSTAMP, function* (connect) {
  const client = yield* connect({ maxBytes: MOST_BYTES })
  return {
    candles: candles(yield* connect(candleCalls(catalog.BITSTAMP)), ohlc),
    tickers: yield* tickers(
      client,
      "pair",
      fetchList(client, {
        path: "/api/v2/ticker/",
        place: { depth: 0, opens: "[" },
        row: Row,
        envelope: Envelope,
        refusal: (body) => ("status" in body ? body.status : undefined),
        read
      })
    )
  }
}) {}
