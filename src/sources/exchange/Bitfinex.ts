// Bitfinex's tickers: `GET /v2/tickers?symbols=ALL`. Rows are lists of numbers without names and without a time, in the order of its
// documentation; there is no recording. `tBTCUSD` is a pair, `tDOGE:USD` one with a longer name, `fUSD` is lending, `UST` is USDT.
// Candles: `GET /v2/candles/trade:1D:tBTCUSD/hist`, newest first, with the close before the high and the volume in the base.
import { Schema } from "effect"
import { type CandleInterval, lengthOf } from "../../history/model/Interval.ts"
import { catalog } from "../catalog/SourceCatalog.ts"
import { Decimal } from "../client/WireFormat.ts"
import { named, type PageQuery, rowOf, Rows } from "./candles.ts"
import { CandleExchangeService } from "./ExchangeService.ts"
import { Name, pairOf } from "./tickers.ts"

const Figure = Schema.NullOr(Schema.Finite)

/** `[name, bid, its size, ask, its size, change, change as a share, last, volume in the base, high, low]`. */
const Row = Schema.TupleWithRest(Schema.Tuple([Name, Figure, Figure, Figure, Figure, Figure, Figure, Figure, Figure]), [
  Schema.Unknown
])

/** The usual symbols of its own ones. */
const symbols: Readonly<Record<string, string>> = {
  UST: "USDT",
  UDC: "USDC",
  ALG: "ALGO",
  ATO: "ATOM",
  DSH: "DASH",
  IOT: "IOTA",
  MNA: "MANA",
  QTM: "QTUM"
}

const symbolsOf = (name: string): ReadonlyArray<string> => {
  const [, base = "", quote = ""] =
    /^t(?:([A-Z0-9]{3})([A-Z0-9]{3})|([A-Z0-9]+):([A-Z0-9]+))$/.exec(name)?.filter((part) => part !== undefined) ?? []
  return [base, quote].map((symbol) => symbols[symbol] ?? symbol)
}

const read = ([market, bid, , ask, , , , last, volume]: typeof Row.Type, { at }: { readonly at: number }) =>
  pairOf(symbolsOf(market), { market, bid, ask, last, turnover: (volume ?? 0) * (last ?? 0), observedAt: at })

/** `[start in milliseconds, open, close, high, low, volume in the base]`. */
const CandleRow = rowOf(Decimal, Decimal, Decimal, Decimal, Decimal, Decimal)

const hist = {
  path: (market: string, interval: CandleInterval) =>
    `/v2/candles/trade:${named("1D", "1h", "1m")(interval)}:${market}/hist`,
  query: ({ count, interval, last }: PageQuery) => ({ limit: count, end: last + lengthOf(interval) - 1, sort: -1 }),
  envelope: Rows,
  rows: (body: ReadonlyArray<unknown>) => (body[0] === "error" ? "error" : body),
  row: CandleRow,
  read: ([bucket, open, close, high, low, volume]: typeof CandleRow.Type) => {
    return { bucket, open, high, low, close, volume: volume * close }
  },
  full: 10_000
}

/** Its pairs are mostly in USD. */
export class Bitfinex extends CandleExchangeService<Bitfinex>()(
  "crypto-data-api/sources/exchange/Bitfinex",
  catalog.BITFINEX,
  {
    datedBy: "answer",
    path: "/v2/tickers?symbols=ALL",
    place: { depth: 0, opens: "[" },
    row: Row,
    envelope: Schema.Array(Schema.Unknown),
    // `["error", 10020, "…"]`
    refusal: (_, first) => (first === "error" ? "error" : undefined),
    read
  },
  hist
) {}
