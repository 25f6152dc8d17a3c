// DefiLlama's past prices of coins by CoinGecko's ids, without a key and older than CoinGecko gives. Wire format:
// https://api-docs.defillama.com (`/chart/{coins}`). A price is the recorded one nearest to the moment asked for, which may
// be minutes away. Coins that it does not know are left out.
import { DateTime, Duration, Effect, Option, Ref, Schema } from "effect"
import { type Close, bucketCloses } from "../../history/model/Close.ts"
import { bucketOf, type Interval, lengthOf } from "../../history/model/Interval.ts"
import { closes as closesCheck } from "../../history/model/PlausiblePast.ts"
import type { Snapshot } from "../../domain/Snapshot.ts"
import { catalog } from "../catalog/SourceCatalog.ts"
import type { Urgency } from "../client/Budget.ts"
import { SourceService } from "../client/SourceService.ts"
import * as WireFormat from "../client/WireFormat.ts"
import type { DataSet } from "../dataset/DataSet.ts"
import * as DataSetStatus from "../dataset/DataSetStatus.ts"
import type { Fetched } from "../client/SourceError.ts"

const ChartBody = Schema.Struct({
  coins: Schema.Record(Schema.String, Schema.Struct({ prices: WireFormat.Rows(2_000) }))
})

const PriceRow = Schema.Struct({ timestamp: WireFormat.EpochSeconds, price: Schema.Finite })

/** DefiLlama's past prices of coins, which reach further back than those of CoinGecko's public plans. */
export class DefiLlamaCoins extends SourceService<
  DefiLlamaCoins,
  {
    /** The closes in USD of up to 500 hours or days, from one's start to another's, both included. */
    readonly closes: (
      id: string,
      interval: Interval,
      first: number,
      last: number,
      urgency: Urgency
    ) => Fetched<ReadonlyArray<Close>>
    /** When a look-up last succeeded and last failed. `get` asks for yesterday's close of bitcoin. */
    readonly past: Pick<DataSet<ReadonlyArray<Close>>, "source" | "every" | "status" | "get">
  }
>()("crypto-data-api/sources/market/DefiLlamaCoins", catalog.DEFILLAMA_COINS, function* (connect) {
  const client = yield* connect()
  const last = yield* Ref.make(Option.none<Snapshot<ReadonlyArray<Close>>>())
  const { noting, status } = DataSetStatus.make(Ref.get(last))

  const closes = (id: string, interval: Interval, from: number, to: number, urgency: Urgency) => {
    const name = `coingecko:${id}`
    const length = lengthOf(interval)
    const fetch = Effect.gen(function* () {
      const { body, retrievedAt } = yield* client.get(`/chart/${encodeURIComponent(name)}`, ChartBody, {
        // A close is the price at the start of the next hour or day.
        query: {
          start: (from + length) / 1000,
          span: (to - from) / length + 1,
          period: interval === "day" ? "1d" : "1h"
        },
        urgency
      })
      const found = WireFormat.rows(PriceRow, body.coins[name]?.prices ?? [])
      const points = (yield* client.usable("past prices", found)).map(
        ({ price, timestamp }) => [timestamp * 1000, price] as const
      )
      return { value: bucketCloses(interval, points, retrievedAt.epochMilliseconds), retrievedAt }
    }).pipe(Effect.withSpan("DefiLlamaCoins.closes"))
    return noting(client.lookUp("past", closesCheck, fetch)).pipe(
      Effect.tap((snapshot) => Ref.set(last, Option.some(snapshot)))
    )
  }

  return {
    closes,
    past: {
      source: client.name,
      every: Duration.hours(1),
      status,
      get: Effect.flatMap(DateTime.now, ({ epochMilliseconds }) => {
        const yesterday = bucketOf("day", epochMilliseconds) - lengthOf("day")
        return closes("bitcoin", "day", yesterday, yesterday, "on_demand")
      })
    }
  }
}) {}
