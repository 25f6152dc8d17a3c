// Bitstamp's tickers of all spot pairs: `GET /api/v2/ticker/`. Figures are text, the time is in seconds. The members are those of its
// documentation; there is no recording. Candles: `GET /api/v2/ohlc/btcusd/`, only those with trades, with the volume in the base.
import { Schema } from "effect"
import type { Pair } from "../../domain/Pair.ts"
import { lengthOf } from "../../history/model/Interval.ts"
import { catalog } from "../catalog/SourceCatalog.ts"
import * as WireFormat from "../client/WireFormat.ts"
import { type PageQuery, Rows } from "./candles.ts"
import { CandleExchangeService } from "./ExchangeService.ts"
import { Name, pairOf } from "./tickers.ts"

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
  timestamp: WireFormat.Decimal,
  open: WireFormat.Decimal,
  high: WireFormat.Decimal,
  low: WireFormat.Decimal,
  close: WireFormat.Decimal,
  volume: WireFormat.Decimal
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
export class Bitstamp extends CandleExchangeService<Bitstamp>()(
  "crypto-data-api/sources/exchange/Bitstamp",
  catalog.BITSTAMP,
  {
    datedBy: "pair",
    path: "/api/v2/ticker/",
    place: { depth: 0, opens: "[" },
    row: Row,
    envelope: Envelope,
    refusal: (body) => ("status" in body ? body.status : undefined),
    read
  },
  ohlc
) {}
