// KuCoin's tickers of all pairs: `GET /api/v1/market/allTickers`. Figures are text; one time in milliseconds is for all. The members are
// those of its documentation; there is no recording. `symbol` never changes, `symbolName` follows a coin's new symbol. Candles:
// `GET /api/v1/market/candles`, newest first, with the close before the high and times in seconds.
import { Schema } from "effect"
import type { Pair } from "../../domain/Pair.ts"
import { lengthOf } from "../../history/model/Interval.ts"
import { catalog } from "../catalog/SourceCatalog.ts"
import * as WireFormat from "../client/WireFormat.ts"
import { named, type PageQuery, rowOf, Rows } from "./candles.ts"
import { CandleExchangeService } from "./ExchangeService.ts"
import { Name, pairOf } from "./tickers.ts"

const { BlankableDecimal, Decimal } = WireFormat

const Row = Schema.Struct({
  /** `BTC-USDT`. */
  symbol: Name,
  symbolName: Schema.optionalKey(Schema.NullOr(Name)),
  buy: BlankableDecimal,
  sell: BlankableDecimal,
  last: BlankableDecimal,
  /** The turnover of 24 hours in the quote currency. */
  volValue: BlankableDecimal
})

/** `code` is "200000" for a success. */
const Envelope = Schema.Struct({
  code: WireFormat.Text,
  data: Schema.optionalKey(Schema.NullOr(Schema.Struct({ time: Decimal })))
})

const ANSWERED = "200000"

const read = (
  { buy, last, sell, symbol, symbolName, volValue }: typeof Row.Type,
  { at, envelope }: { readonly at: number; readonly envelope: typeof Envelope.Type }
): Pair | undefined =>
  pairOf((symbolName ?? symbol).split("-"), {
    market: symbol,
    bid: buy,
    ask: sell,
    last,
    turnover: volValue ?? 0,
    observedAt: envelope.data?.time ?? at
  })

/** `[start in seconds, open, close, high, low, volume, turnover in the quote currency]`. */
const CandleRow = rowOf(Decimal, Decimal, Decimal, Decimal, Decimal, Decimal, Decimal)

const CandlesBody = Schema.Struct({ code: WireFormat.Text, data: Schema.optionalKey(Schema.NullOr(Rows)) })

const history = {
  path: () => "/api/v1/market/candles",
  query: ({ count, interval, last, market }: PageQuery) => ({
    symbol: market,
    type: named("1day", "1hour", "1min")(interval),
    startAt: Math.max(0, (last - (count - 1) * lengthOf(interval)) / 1000),
    // After the start of the last candle.
    endAt: (last + lengthOf(interval)) / 1000
  }),
  envelope: CandlesBody,
  rows: ({ code, data }: typeof CandlesBody.Type) => (code === ANSWERED ? (data ?? []) : code),
  row: CandleRow,
  read: ([start, open, close, high, low, , volume]: typeof CandleRow.Type) => {
    return { bucket: start * 1000, open, high, low, close, volume }
  },
  full: 1500,
  isSpan: true
}

/** Its pairs are mostly in USDT. */
export class KuCoin extends CandleExchangeService<KuCoin>()(
  "crypto-data-api/sources/exchange/KuCoin",
  catalog.KUCOIN_SPOT,
  {
    datedBy: "answer",
    path: "/api/v1/market/allTickers",
    place: { depth: 2, opens: "[" },
    row: Row,
    envelope: Envelope,
    refusal: ({ code }) => (code === ANSWERED ? undefined : code),
    read
  },
  history
) {}
