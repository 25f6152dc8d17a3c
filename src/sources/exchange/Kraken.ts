// Kraken's tickers of all pairs: `GET /0/public/Ticker`, by its own names (`XXBTZUSD`) and without a time. `GET /0/public/AssetPairs`,
// fetched every six hours, has the meaning of the names and whether a pair is open. Figures are text. Errors have status 200. The only
// recording is XXBTZUSD. Its candles are not used: it returns the last 720 alone.
import { Clock, Effect, Result, Schema } from "effect"
import type { Pair } from "../../domain/Pair.ts"
import { catalog } from "../catalog/SourceCatalog.ts"
import { SourceService } from "../client/SourceService.ts"
import * as WireFormat from "../client/WireFormat.ts"
import type * as DataSet from "../dataset/DataSet.ts"
import { fetchList, MOST_BYTES, Name, pairOf, tickers } from "./tickers.ts"

/** How long the names of pairs are cached, in milliseconds, and how long after a failure they are asked for again. */
const NAMES_FOR = 6 * 60 * 60_000
const NAMES_AGAIN = 10 * 60_000

const Figures = Schema.NonEmptyArray(WireFormat.Decimal)

const Row = Schema.Tuple([
  Name,
  Schema.Struct({
    /** Ask, bid and last trade, each with the price first. */
    a: Figures,
    b: Figures,
    c: Figures,
    /** Volume in the base, and average price: each of today, then of 24 hours. */
    v: Schema.TupleWithRest(Schema.Tuple([WireFormat.Decimal, WireFormat.Decimal]), [Schema.Unknown]),
    p: Schema.TupleWithRest(Schema.Tuple([WireFormat.Decimal, WireFormat.Decimal]), [Schema.Unknown])
  })
])

/** `wsname`: such as `XBT/USD`; a synthetic market has a longer one. */
const NameRow = Schema.Tuple([
  Name,
  Schema.Struct({
    wsname: Schema.optionalKey(Schema.NullOr(Name)),
    status: Schema.optionalKey(Schema.NullOr(WireFormat.Text))
  })
])

/** `error` has the codes of an error, and sometimes a warning beside a result. */
const Envelope = Schema.Struct({ error: WireFormat.Texts, result: Schema.optionalKey(Schema.Unknown) })

const refusal = ({ error, result }: typeof Envelope.Type): string | undefined =>
  result === undefined ? (error[0] ?? "no result") : undefined

/** The usual symbols of its own ones. */
const symbols: Readonly<Record<string, string>> = { XBT: "BTC", XDG: "DOGE" }

const place = { depth: 1, opens: "{" } as const

/** Its pairs are mostly in USD. */
export class Kraken extends SourceService<
  Kraken,
  {
    readonly tickers: DataSet.DataSet<ReadonlyArray<Pair>>
  }
>()("crypto-data-api/sources/exchange/Kraken", catalog.KRAKEN, function* (connect) {
  const client = yield* connect({ maxBytes: MOST_BYTES })
  let names: ReadonlyMap<string, string> = new Map()
  let namesUntil = -Infinity

  const fetchNames = fetchList(client, {
    path: "/0/public/AssetPairs",
    place,
    row: NameRow,
    envelope: Envelope,
    refusal,
    read: ([key, { status, wsname }]) =>
      (status ?? "online") === "online" && typeof wsname === "string" ? ([key, wsname] as const) : undefined
  })

  const fetchTickers = fetchList(client, {
    path: "/0/public/Ticker",
    place,
    row: Row,
    envelope: Envelope,
    refusal,
    read: ([market, { a, b, c, p, v }], { at }) =>
      pairOf(
        (names.get(market) ?? "").split("/").map((symbol) => symbols[symbol] ?? symbol),
        {
          market,
          bid: b[0],
          ask: a[0],
          last: c[0],
          turnover: v[1] * p[1],
          observedAt: at
        }
      )
  })

  const fetch = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    // The second condition: the clock was set back.
    if (now >= namesUntil || namesUntil - now > NAMES_FOR) {
      const found = yield* Effect.result(fetchNames)
      if (Result.isSuccess(found)) names = new Map(found.success.value)
      // Without new names the former ones serve.
      else if (names.size === 0) return yield* found.failure
      namesUntil = now + (Result.isSuccess(found) ? NAMES_FOR : NAMES_AGAIN)
    }
    return yield* fetchTickers
  })

  return {
    tickers: yield* tickers(client, "answer", fetch)
  }
}) {}
