// The service of an exchange that lists the tickers of all its pairs in one response, with or without candles.
import type { Pair } from "../../domain/Pair.ts"
import type { DatedBy } from "../../domain/PairAges.ts"
import type { SourceRecord } from "../catalog/SourceRecord.ts"
import { SourceService } from "../client/SourceService.ts"
import type { Wire } from "../client/WireFormat.ts"
import type * as DataSet from "../dataset/DataSet.ts"
import { candleCalls, type CandleFormat, type Candles, candles } from "./candles.ts"
import { fetchList, type Listed, MOST_BYTES, tickers } from "./tickers.ts"

/** The list of tickers, and what its times are those of. */
interface Tickers<S extends Wire, E extends Wire> extends Listed<S, E, Pair> {
  readonly datedBy: DatedBy
}

export const ExchangeService =
  <Self>() =>
  <const Key extends string, const R extends SourceRecord, S extends Wire, E extends Wire>(
    key: Key,
    source: R,
    { datedBy, ...listed }: Tickers<S, E>
  ) =>
    SourceService<Self, { readonly tickers: DataSet.DataSet<ReadonlyArray<Pair>> }>()(key, source, function* (connect) {
      const client = yield* connect({ maxBytes: MOST_BYTES })
      return { tickers: yield* tickers(client, datedBy, fetchList(client, listed)) }
    })

export const CandleExchangeService =
  <Self>() =>
  <
    const Key extends string,
    const R extends SourceRecord,
    S extends Wire,
    E extends Wire,
    CS extends Wire,
    CE extends Wire
  >(
    key: Key,
    source: R,
    { datedBy, ...listed }: Tickers<S, E>,
    format: CandleFormat<CS, CE>
  ) =>
    SourceService<Self, { readonly tickers: DataSet.DataSet<ReadonlyArray<Pair>>; readonly candles: Candles }>()(
      key,
      source,
      function* (connect) {
        const client = yield* connect({ maxBytes: MOST_BYTES })
        return {
          candles: candles(yield* connect(candleCalls(source)), format),
          tickers: yield* tickers(client, datedBy, fetchList(client, listed))
        }
      }
    )
