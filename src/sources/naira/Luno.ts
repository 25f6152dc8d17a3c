// Luno, an exchange open to Nigerians: the top of its USDT/NGN order book, from its public ticker. The book is thin.
// Only an ACTIVE market counts: in a POSTONLY one nobody can take the prices shown.
import { type Config, Context, DateTime, Effect, Layer, Schema } from "effect"
import { HttpClientRequest } from "effect/http"
import { OrderBookTop } from "../../domain/OrderBook.ts"
import * as Snapshot from "../../domain/Snapshot.ts"
import * as DataSet from "../dataset/DataSet.ts"
import * as SourceClient from "../client/SourceClient.ts"
import { Unusable } from "../client/SourceError.ts"
import type { SourceTerms } from "../catalog/SourceTerms.ts"
import * as WireFormat from "../client/WireFormat.ts"

const terms: SourceTerms = {
  id: "LUNO",
  name: "Luno",
  baseUrl: "https://api.luno.com",
  attribution: "Market data by Luno",
  link: "https://www.luno.com",
  licence: "Documented public API; no licence to pass its data on was found",
  redistribution: "unclear"
}

/** The latest millisecond that a date can hold. */
const LAST_MILLISECOND = 8_640_000_000_000_000

const Ticker = Schema.Struct({
  pair: Schema.Literal("USDTNGN"),
  timestamp: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: LAST_MILLISECOND })),
  bid: WireFormat.BlankableDecimal,
  ask: WireFormat.BlankableDecimal,
  status: Schema.String
})

/** Luno's order book of USDT against NGN. */
export class Luno extends Context.Service<
  Luno,
  {
    readonly book: DataSet.DataSet<OrderBookTop>
  }
>()("crypto-data-api/sources/naira/Luno") {
  static readonly terms = terms

  static readonly layerNoDeps: Layer.Layer<Luno, Config.ConfigError, SourceClient.Requirements> = Layer.effect(
    Luno,
    Effect.gen(function* () {
      const client = yield* SourceClient.make({ terms, allowances: [{ calls: 6, per: "1 minute" }], maxBytes: 65_536 })

      const ticker = Effect.gen(function* () {
        const { body, retrievedAt } = yield* client.request(
          HttpClientRequest.get("/api/1/ticker", { urlParams: { pair: "USDTNGN" } }),
          Ticker
        )
        if (body.status !== "ACTIVE") {
          return yield* client.error(new Unusable({ detail: "a market that is not open for trading" }))
        }
        const value = toTop(body)
        if (value === null) return yield* client.error(new Unusable({ detail: "a book with an empty side" }))
        const observedAt = DateTime.makeUnsafe(body.timestamp)
        return Snapshot.make({ value, source: client.name, observedAt, retrievedAt })
      })

      return Luno.of({
        book: yield* client.dataSet("book", { every: "1 minute", fetch: ticker, schema: OrderBookTop })
      })
    })
  )

  static readonly layer: Layer.Layer<Luno, Config.ConfigError> = this.layerNoDeps.pipe(
    Layer.provide(SourceClient.layerRequirements)
  )

  static readonly layerTest = (service: Luno["Service"]) => Layer.succeed(Luno, service)
}

/** An empty side is written as 0. */
const toTop = (ticker: typeof Ticker.Type): OrderBookTop | null => {
  const bid = WireFormat.positive(ticker.bid)
  const ask = WireFormat.positive(ticker.ask)
  return bid === null || ask === null ? null : { bid, ask }
}
