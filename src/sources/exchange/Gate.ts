// Gate's tickers of all spot pairs: `GET /api/v4/spot/tickers`, without a time. Figures are text. The members are those of its
// documentation; there is no recording. Leveraged tokens (`BTC3L_USDT`) have a net value. Its candles are not used.
import { Schema } from "effect"
import type { Pair } from "../../domain/Pair.ts"
import { catalog } from "../catalog/SourceCatalog.ts"
import * as WireFormat from "../client/WireFormat.ts"
import { ExchangeService } from "./ExchangeService.ts"
import { Name, pairOf } from "./tickers.ts"

const { BlankableDecimal } = WireFormat

const Row = Schema.Struct({
  /** `BTC_USDT`. */
  currency_pair: Name,
  last: BlankableDecimal,
  lowest_ask: BlankableDecimal,
  highest_bid: BlankableDecimal,
  /** The turnover of 24 hours in the quote currency. */
  quote_volume: BlankableDecimal,
  etf_net_value: Schema.optionalKey(BlankableDecimal)
})

/** The list, or an error: `{ label: "TOO_MANY_REQUESTS", message }`. */
const Envelope = Schema.Union([Schema.Array(Schema.Unknown), Schema.Struct({ label: WireFormat.Text })])

const read = (
  { currency_pair, etf_net_value, highest_bid, last, lowest_ask, quote_volume }: typeof Row.Type,
  { at }: { readonly at: number }
): Pair | undefined =>
  (etf_net_value ?? null) === null
    ? pairOf(currency_pair.split("_"), {
        market: currency_pair,
        bid: highest_bid,
        ask: lowest_ask,
        last,
        turnover: quote_volume ?? 0,
        observedAt: at
      })
    : undefined

/** Its pairs are mostly in USDT. */
export class Gate extends ExchangeService<Gate>()("crypto-data-api/sources/exchange/Gate", catalog.GATE, {
  datedBy: "answer",
  path: "/api/v4/spot/tickers",
  place: { depth: 0, opens: "[" },
  row: Row,
  envelope: Envelope,
  refusal: (body) => ("label" in body ? body.label : undefined),
  read
}) {}
