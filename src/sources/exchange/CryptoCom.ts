// Crypto.com's tickers of all instruments: `GET /exchange/v1/public/get-tickers`. Figures are text or null, the time is in milliseconds.
// The members are those of its documentation; there is no recording. The documentation does not say whether the time is that of a trade
// or of the answer. Perpetuals (`BTCUSD-PERP`) and futures have no `_` in their names. Its candles are not used.
import { Schema } from "effect"
import type { Pair } from "../../domain/Pair.ts"
import { catalog } from "../catalog/SourceCatalog.ts"
import * as WireFormat from "../client/WireFormat.ts"
import { ExchangeService } from "./ExchangeService.ts"
import { Name, pairOf } from "./tickers.ts"

const { BlankableDecimal } = WireFormat

const Row = Schema.Struct({
  /** `BTC_USD`. */
  i: Name,
  /** The last trade. */
  a: BlankableDecimal,
  /** Bid and ask. */
  b: BlankableDecimal,
  k: BlankableDecimal,
  /** The volume of 24 hours in the base. */
  v: BlankableDecimal,
  t: WireFormat.Decimal
})

/** `code` is 0 for a success. */
const Envelope = Schema.Struct({ code: Schema.Finite })

const read = ({ a, b, i, k, t, v }: typeof Row.Type): Pair | undefined =>
  pairOf(i.split("_"), { market: i, bid: b, ask: k, last: a, turnover: (v ?? 0) * (a ?? 0), observedAt: t })

/** Its pairs are in USD and USDT. */
export class CryptoCom extends ExchangeService<CryptoCom>()(
  "crypto-data-api/sources/exchange/CryptoCom",
  catalog.CRYPTO_COM,
  {
    datedBy: "answer",
    path: "/exchange/v1/public/get-tickers",
    place: { depth: 2, opens: "[" },
    row: Row,
    envelope: Envelope,
    refusal: ({ code }) => (code === 0 ? undefined : code),
    read
  }
) {}
