// Luno, an exchange in Africa: the best prices of its USDT order books, from its public ticker. The books are thin. A market
// in the state POSTONLY has prices at which nobody can trade, so only ACTIVE markets count. The only recording is of USDTNGN.
import { DateTime, Effect, Schema } from "effect"
import type { OrderBookTop } from "../../domain/OrderBook.ts"
import type { P2pMarket } from "../../domain/P2pMarket.ts"
import { SourceService } from "../client/SourceService.ts"
import { Undecodable, Unusable } from "../client/SourceError.ts"
import { catalog } from "../catalog/SourceCatalog.ts"
import * as WireFormat from "../client/WireFormat.ts"
import { type Books, orderBooks } from "./p2pBooks.ts"

/** The latest millisecond that a date can hold. */
const LAST_MILLISECOND = 8_640_000_000_000_000

const Ticker = Schema.Struct({
  pair: WireFormat.Text,
  timestamp: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: LAST_MILLISECOND })),
  bid: WireFormat.BlankableDecimal,
  ask: WireFormat.BlankableDecimal,
  status: WireFormat.Text
})

/** The best bid and ask of USDT on Luno, by market. */
export class Luno extends SourceService<
  Luno,
  {
    readonly order_book: Books<OrderBookTop>
  }
>()("crypto-data-api/sources/p2p/Luno", catalog.LUNO, function* (connect) {
  const client = yield* connect({ maxBytes: 65_536 })

  const ticker = Effect.fn("Luno.ticker")(function* ({ fiat }: P2pMarket) {
    const pair = `USDT${fiat}`
    const { body, retrievedAt } = yield* client.get("/api/1/ticker", Ticker, { query: { pair } })
    if (body.pair !== pair) return yield* client.error(new Undecodable({ detail: "another pair" }))
    if (body.status !== "ACTIVE") {
      return yield* client.error(new Unusable({ detail: "a market that is not open for trading" }))
    }
    return { value: body, observedAt: DateTime.makeUnsafe(body.timestamp), retrievedAt }
  })

  return { order_book: yield* orderBooks(client, "LUNO", ticker) }
}) {}
