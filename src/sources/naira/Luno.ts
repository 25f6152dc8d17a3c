// Luno, an exchange open to Nigerians: the top of its USDT/NGN order book, from its public ticker. The book is thin.
// Only an ACTIVE market is used: in a POSTONLY one the prices cannot be taken.
import { DateTime, Effect, Schema } from "effect"
import { OrderBookTop } from "../../domain/OrderBook.ts"
import * as DataSet from "../dataset/DataSet.ts"
import { SourceService } from "../client/SourceService.ts"
import { Unusable } from "../client/SourceError.ts"
import { records } from "../catalog/SourceCatalog.ts"
import * as WireFormat from "../client/WireFormat.ts"
import { orderBookTop } from "../client/p2pBooks.ts"

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
export class Luno extends SourceService<
  Luno,
  {
    readonly book: DataSet.DataSet<OrderBookTop>
  }
>()("crypto-data-api/sources/naira/Luno", records.LUNO, function* (connect) {
  const client = yield* connect({ maxBytes: 65_536 })

  const ticker = Effect.gen(function* () {
    const { body, retrievedAt } = yield* client.get("/api/1/ticker", Ticker, { query: { pair: "USDTNGN" } })
    if (body.status !== "ACTIVE") {
      return yield* client.error(new Unusable({ detail: "a market that is not open for trading" }))
    }
    return { value: body, observedAt: DateTime.makeUnsafe(body.timestamp), retrievedAt }
  })

  return { book: yield* orderBookTop(client, ticker) }
}) {}
