// What the venues of the naira have in common: a P2P book has two pages of ads, an order book two best prices, and each is
// fetched every minute.
import { Effect, Schema } from "effect"
import { OrderBookTop } from "../../domain/OrderBook.ts"
import { anonymous, P2pAd } from "../../domain/P2pAd.ts"
import { judgedLater } from "../../domain/PlausibleRates.ts"
import * as Snapshot from "../../domain/Snapshot.ts"
import type { Fetch, SourceClient } from "./SourceClient.ts"
import { type Fetched, Unusable } from "./SourceError.ts"
import * as WireFormat from "./WireFormat.ts"

/** The ads of both sides, asks first; `page` fetches those of one. */
export const p2pBook = (client: SourceClient, page: (side: P2pAd["side"]) => Fetched<ReadonlyArray<P2pAd>>) =>
  client.dataSet("book", {
    every: "1 minute",
    fetch: Effect.zipWith(
      page("ask"),
      page("bid"),
      (asks, bids) => Snapshot.combine(asks, bids, (asks, bids) => anonymous([...asks, ...bids])),
      { concurrent: true }
    ),
    check: judgedLater,
    schema: Schema.Array(P2pAd)
  })

/** The top of an order book. An empty side is written as 0 or as nothing, and makes the book unusable. */
export const orderBookTop = (
  client: SourceClient,
  ticker: Fetch<{ readonly bid: number | null; readonly ask: number | null }>
) =>
  client.dataSet("book", {
    every: "1 minute",
    fetch: Effect.flatMap(ticker, ({ value, ...times }) => {
      const bid = WireFormat.positive(value.bid)
      const ask = WireFormat.positive(value.ask)
      return bid === null || ask === null
        ? Effect.fail(client.error(new Unusable({ detail: "a book with an empty side" })))
        : Effect.succeed({ value: { bid, ask }, ...times })
    }),
    check: judgedLater,
    schema: OrderBookTop
  })
