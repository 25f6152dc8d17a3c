// Binance's tickers of all spot pairs: `GET /api/v3/ticker/24hr` on its host for market data. Figures are text, the time is in
// milliseconds. The call weighs 80 of 6,000 a minute. The only recording is a row in its documentation. A pair that is no longer open
// keeps its last time. Candles: `GET /api/v3/klines`.
import { Schema } from "effect"
import type { Pair } from "../../domain/Pair.ts"
import { lengthOf } from "../../history/model/Interval.ts"
import { catalog } from "../catalog/SourceCatalog.ts"
import * as WireFormat from "../client/WireFormat.ts"
import { named, type PageQuery, rowOf, Rows } from "./candles.ts"
import { CandleExchangeService } from "./ExchangeService.ts"
import { joinedPair, Name, pairOf } from "./tickers.ts"

const { BlankableDecimal, Decimal } = WireFormat

const Row = Schema.Struct({
  /** `BTCUSDT`. */
  symbol: Name,
  lastPrice: BlankableDecimal,
  bidPrice: BlankableDecimal,
  askPrice: BlankableDecimal,
  quoteVolume: BlankableDecimal,
  closeTime: Decimal
})

/** The list, or an error: `{ code: -1003, msg }`. */
const Envelope = Schema.Union([Schema.Array(Schema.Unknown), Schema.Struct({ code: Schema.Finite })])

const read = ({ askPrice, bidPrice, closeTime, lastPrice, quoteVolume, symbol }: typeof Row.Type): Pair | undefined =>
  pairOf(joinedPair(symbol), {
    market: symbol,
    bid: bidPrice,
    ask: askPrice,
    last: lastPrice,
    turnover: quoteVolume ?? 0,
    observedAt: closeTime
  })

/** `[start in milliseconds, open, high, low, close, volume, end, turnover in the quote currency, …]`. */
const CandleRow = rowOf(Decimal, Decimal, Decimal, Decimal, Decimal, Decimal, Decimal, Decimal)

const klines = {
  path: () => "/api/v3/klines",
  query: ({ count, interval, last, market }: PageQuery) => ({
    symbol: market,
    interval: named("1d", "1h", "1m")(interval),
    endTime: last + lengthOf(interval) - 1,
    limit: count
  }),
  envelope: Schema.Union([Rows, Schema.Struct({ code: Schema.Finite })]),
  rows: (body: ReadonlyArray<unknown> | { readonly code: number }) => ("code" in body ? body.code : body),
  row: CandleRow,
  read: ([bucket, open, high, low, close, , , volume]: typeof CandleRow.Type) => {
    return { bucket, open, high, low, close, volume }
  },
  full: 1000
}

/** Its pairs are mostly in USDT. */
export class Binance extends CandleExchangeService<Binance>()(
  "crypto-data-api/sources/exchange/Binance",
  catalog.BINANCE,
  {
    datedBy: "pair",
    path: "/api/v3/ticker/24hr",
    place: { depth: 0, opens: "[" },
    row: Row,
    envelope: Envelope,
    refusal: (body) => ("code" in body ? body.code : undefined),
    read
  },
  klines
) {}
