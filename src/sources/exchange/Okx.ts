// OKX's tickers of all spot pairs: `GET /api/v5/market/tickers?instType=SPOT`. Figures are text, the time is in milliseconds. The members
// are those of its documentation; there is no recording. For spot pairs `volCcy24h` is the turnover in the quote currency. Candles:
// `GET /api/v5/market/history-candles`, 100 per call, newest first, before a time. `1D` would begin at 16:00 UTC, so it uses `1Dutc`.
import { Schema } from "effect"
import type { Pair } from "../../domain/Pair.ts"
import { lengthOf } from "../../history/model/Interval.ts"
import { catalog } from "../catalog/SourceCatalog.ts"
import { SourceService } from "../client/SourceService.ts"
import * as WireFormat from "../client/WireFormat.ts"
import type * as DataSet from "../dataset/DataSet.ts"
import { candleCalls, type Candles, candles, named, type PageQuery, Rows, SevenFigures } from "./candles.ts"
import { fetchList, MOST_BYTES, Name, pairOf, tickers } from "./tickers.ts"

const { BlankableDecimal } = WireFormat

const Row = Schema.Struct({
  /** `BTC-USDT`. */
  instId: Name,
  last: BlankableDecimal,
  bidPx: BlankableDecimal,
  askPx: BlankableDecimal,
  volCcy24h: BlankableDecimal,
  ts: WireFormat.Decimal
})

/** `code` is "0" for a success. */
const Envelope = Schema.Struct({ code: WireFormat.Text })

const read = ({ askPx, bidPx, instId, last, ts, volCcy24h }: typeof Row.Type): Pair | undefined =>
  pairOf(instId.split("-"), { market: instId, bid: bidPx, ask: askPx, last, turnover: volCcy24h ?? 0, observedAt: ts })

/** `[start in milliseconds, open, high, low, close, volume, turnover in the quote currency, …, "1" if finished]`. */
const CandleRow = SevenFigures

const CandlesBody = Schema.Struct({ code: WireFormat.Text, data: Schema.optionalKey(Rows) })

const history = {
  path: () => "/api/v5/market/history-candles",
  query: ({ count, interval, last, market }: PageQuery) => ({
    instId: market,
    bar: named("1Dutc", "1H")(interval),
    after: last + lengthOf(interval),
    limit: count
  }),
  envelope: CandlesBody,
  rows: ({ code, data = [] }: typeof CandlesBody.Type) => (code === "0" ? data : code),
  row: CandleRow,
  read: ([bucket, open, high, low, close, , volume, ...rest]: typeof CandleRow.Type) =>
    rest.at(-1) === "0" ? undefined : { bucket, open, high, low, close, volume },
  full: 100
}

/** Its pairs are mostly in USDT. */
export class Okx extends SourceService<
  Okx,
  {
    readonly tickers: DataSet.DataSet<ReadonlyArray<Pair>>
    readonly candles: Candles
  }
>()("crypto-data-api/sources/exchange/Okx", catalog.OKX_SPOT, function* (connect) {
  const client = yield* connect({ maxBytes: MOST_BYTES })
  return {
    candles: candles(yield* connect(candleCalls(catalog.OKX_SPOT)), history),
    tickers: yield* tickers(
      client,
      fetchList(client, {
        path: "/api/v5/market/tickers?instType=SPOT",
        place: { depth: 1, opens: "[" },
        row: Row,
        envelope: Envelope,
        refusal: ({ code }) => (code === "0" ? undefined : code),
        read
      })
    )
  }
}) {}
