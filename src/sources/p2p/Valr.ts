// VALR, a South African exchange: the best prices of its USDT order books, from its public market summary. The members are those of its
// documentation, where all figures are text; there is no recording.
import { Effect, Schema } from "effect"
import type { OrderBookTop } from "../../domain/OrderBook.ts"
import type { P2pMarket } from "../../domain/P2pMarket.ts"
import { SourceService } from "../client/SourceService.ts"
import { Undecodable } from "../client/SourceError.ts"
import { catalog } from "../catalog/SourceCatalog.ts"
import * as WireFormat from "../client/WireFormat.ts"
import { type Books, orderBooks } from "./p2pBooks.ts"

const Summary = Schema.Struct({
  currencyPair: Schema.optionalKey(WireFormat.Text),
  askPrice: WireFormat.BlankableDecimal,
  bidPrice: WireFormat.BlankableDecimal,
  created: Schema.optionalKey(WireFormat.Instant)
})

/** The best bid and ask of USDT on VALR, by market. */
export class Valr extends SourceService<
  Valr,
  {
    readonly order_book: Books<OrderBookTop>
  }
>()("crypto-data-api/sources/p2p/Valr", catalog.VALR, function* (connect) {
  const client = yield* connect({ maxBytes: 65_536 })

  const summary = Effect.fn("Valr.summary")(function* ({ fiat }: P2pMarket) {
    const pair = `USDT${fiat}`
    const { body, ...times } = yield* client.get(`/v1/public/${pair}/marketsummary`, Summary)
    if ((body.currencyPair ?? pair) !== pair) return yield* client.error(new Undecodable({ detail: "another pair" }))
    return {
      value: { bid: body.bidPrice, ask: body.askPrice },
      ...times,
      ...(body.created !== undefined && { observedAt: body.created })
    }
  })

  return { order_book: yield* orderBooks(client, "VALR", summary) }
}) {}
