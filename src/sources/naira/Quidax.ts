// Quidax, a Nigerian exchange: the top of its USDT/NGN order book, from its public ticker.
// `high` and `low` are not read: they hold ticks such as 729,000. Besides HTTP statuses, `status` may say "444": slow down.
import { type Config, Context, DateTime, Effect, Layer, Schema } from "effect"
import { HttpClientRequest } from "effect/http"
import { OrderBookTop } from "../../domain/OrderBook.ts"
import * as Snapshot from "../../domain/Snapshot.ts"
import * as DataSet from "../dataset/DataSet.ts"
import * as SourceClient from "../client/SourceClient.ts"
import { Rejected, Unusable } from "../client/SourceError.ts"
import type { SourceTerms } from "../catalog/SourceTerms.ts"
import * as WireFormat from "../client/WireFormat.ts"

const terms: SourceTerms = {
  id: "QUIDAX",
  name: "Quidax",
  baseUrl: "https://app.quidax.io/api/v1",
  attribution: "Market data by Quidax",
  link: "https://www.quidax.com",
  licence: "Documented public API; no licence to pass its data on was found",
  redistribution: "unclear"
}

/** The latest second that a date can hold. */
const LAST_SECOND = 8_640_000_000_000

/** The ticker, or nothing but the status it was refused with. */
const Body = Schema.Union([
  Schema.Struct({
    status: Schema.Literal("success"),
    data: Schema.Struct({
      at: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: LAST_SECOND })),
      ticker: Schema.Struct({ buy: WireFormat.BlankableDecimal, sell: WireFormat.BlankableDecimal }),
      market: Schema.Literal("usdtngn")
    })
  }),
  Schema.Struct({ status: Schema.String.check(Schema.isPattern(/^(?!success$)\w{1,16}$/)) })
])

/** Quidax's order book of USDT against NGN. */
export class Quidax extends Context.Service<
  Quidax,
  {
    readonly book: DataSet.DataSet<OrderBookTop>
  }
>()("crypto-data-api/sources/naira/Quidax") {
  static readonly terms = terms

  static readonly layerNoDeps: Layer.Layer<Quidax, Config.ConfigError, SourceClient.Requirements> = Layer.effect(
    Quidax,
    Effect.gen(function* () {
      const client = yield* SourceClient.make({ terms, allowances: [{ calls: 6, per: "1 minute" }], maxBytes: 65_536 })

      const ticker = Effect.gen(function* () {
        const { body, retrievedAt } = yield* client.request(HttpClientRequest.get("/markets/tickers/usdtngn"), Body)
        if (!("data" in body)) return yield* client.error(new Rejected({ code: body.status }))
        const value = toTop(body.data.ticker)
        if (value === null) return yield* client.error(new Unusable({ detail: "a book with an empty side" }))
        const observedAt = DateTime.makeUnsafe(body.data.at * 1000)
        return Snapshot.make({ value, source: client.name, observedAt, retrievedAt })
      })

      return Quidax.of({
        book: yield* client.dataSet("book", { every: "1 minute", fetch: ticker, schema: OrderBookTop })
      })
    })
  )

  static readonly layer: Layer.Layer<Quidax, Config.ConfigError> = this.layerNoDeps.pipe(
    Layer.provide(SourceClient.layerRequirements)
  )

  static readonly layerTest = (service: Quidax["Service"]) => Layer.succeed(Quidax, service)
}

/** The sides are the book's: `buy` is the best bid, at which a customer sells. */
const toTop = (ticker: { readonly buy: number | null; readonly sell: number | null }): OrderBookTop | null => {
  const bid = WireFormat.positive(ticker.buy)
  const ask = WireFormat.positive(ticker.sell)
  return bid === null || ask === null ? null : { bid, ask }
}
