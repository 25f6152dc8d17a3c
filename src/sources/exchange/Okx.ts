// OKX's tickers of all spot pairs: `GET /api/v5/market/tickers?instType=SPOT`. Figures are text, the time is in milliseconds. The members
// are those of its documentation; there is no recording. For spot pairs `volCcy24h` is the turnover in the quote currency. Its candles are
// not used: a call brings 100 of them.
import { Schema } from "effect"
import type { Pair } from "../../domain/Pair.ts"
import { catalog } from "../catalog/SourceCatalog.ts"
import * as WireFormat from "../client/WireFormat.ts"
import { ExchangeService } from "./ExchangeService.ts"
import { Name, pairOf } from "./tickers.ts"

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

/** Its pairs are mostly in USDT. */
export class Okx extends ExchangeService<Okx>()("crypto-data-api/sources/exchange/Okx", catalog.OKX_SPOT, {
  datedBy: "pair",
  path: "/api/v5/market/tickers?instType=SPOT",
  place: { depth: 1, opens: "[" },
  row: Row,
  envelope: Envelope,
  refusal: ({ code }) => (code === "0" ? undefined : code),
  read
}) {}
