// What all venues of P2P markets have in common: one book for each followed market of the venue, polled at the market's
// interval. A P2P book has two pages of ads, an order book has two best prices.
import { Clock, type Config, DateTime, Duration, Effect, Schema, type Scope } from "effect"
import { OrderBookTop } from "../../domain/OrderBook.ts"
import { anonymous, P2pAd } from "../../domain/P2pAd.ts"
import type { OrderBookId, P2pMarket, P2pVenueId } from "../../domain/P2pMarket.ts"
import type { DataSet } from "../dataset/DataSet.ts"
import { followedMarkets } from "./followedMarkets.ts"
import type { Fetch, SourceClient } from "../client/SourceClient.ts"
import { Suspended, Unusable } from "../client/SourceError.ts"
import * as WireFormat from "../client/WireFormat.ts"

/**
 * The most ads of one page. We request 20 or 50; more would slow the estimate, which compares each ad with every other.
 */
export const MOST_ADS = 100

/** A venue's books by fiat. */
export type Books<A> = ReadonlyMap<string, DataSet<A>>

const inEachMarket = <A>(
  takesPart: (market: P2pMarket) => boolean,
  book: (market: P2pMarket) => Effect.Effect<DataSet<A>, never, Scope.Scope>
): Effect.Effect<Books<A>, Config.ConfigError, Scope.Scope> =>
  Effect.gen(function* () {
    const books = new Map<string, DataSet<A>>()
    for (const market of yield* followedMarkets) if (takesPart(market)) books.set(market.fiat, yield* book(market))
    return books
  })

/** The name of a book's data set. */
const nameOf = ({ fiat }: P2pMarket): string => `book-${fiat.toLowerCase()}`

/** Failures of a source that is out of reach, which any of its books would have. */
const silence: ReadonlySet<string> = new Set(["TimedOut", "Unreachable"])

/** Until a venue that is out of reach answers for its first market, the others ask at their interval only. Seconds until they look again. */
const LOOK_AGAIN = 5

/** The ads of both sides, asks first. `page` fetches one side. While a venue is silent, its first market has the calls of the budget. */
export const p2pBooks = (
  client: SourceClient,
  venue: P2pVenueId,
  page: (market: P2pMarket, side: P2pAd["side"]) => Fetch<ReadonlyArray<P2pAd>>
) => {
  let first: DataSet<ReadonlyArray<P2pAd>> | undefined
  const isOutOfReach = Effect.suspend(() => (first?.state().isFailing === true ? first.status : Effect.undefined)).pipe(
    Effect.map((status) => status?.failed?.reason !== undefined && silence.has(status.failed.reason))
  )
  const book = Effect.fnUntraced(function* (market: P2pMarket) {
    const every = Duration.toMillis(market.every)
    let askedAt = -Infinity
    const sides = Effect.zipWith(
      page(market, "ask"),
      page(market, "bid"),
      (asks, bids) => ({
        value: anonymous([...asks.value, ...bids.value]),
        // A book is as old as its older page.
        observedAt: DateTime.min(asks.observedAt, bids.observedAt),
        retrievedAt: DateTime.min(asks.retrievedAt, bids.retrievedAt)
      }),
      { concurrent: true }
    )
    const set: DataSet<ReadonlyArray<P2pAd>> = yield* client.dataSet(nameOf(market), {
      every: market.every,
      check: "later",
      fetch: Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const isHeldBack = set !== first && set.state().isFailing && now - askedAt < every
        if (isHeldBack && (yield* isOutOfReach)) return yield* client.error(new Suspended({ retryAfter: LOOK_AGAIN }))
        askedAt = now
        return yield* sides
      }),
      schema: Schema.Array(P2pAd).check(Schema.isMaxLength(2 * MOST_ADS))
    })
    first ??= set
    return set
  })
  return inEachMarket<ReadonlyArray<P2pAd>>(({ venues }) => venues.includes(venue), book)
}

/** The best prices of order books. An empty side is 0 or absent, and makes the book unusable. */
export const orderBooks = (
  client: SourceClient,
  venue: OrderBookId,
  ticker: (market: P2pMarket) => Fetch<{ readonly bid: number | null; readonly ask: number | null }>
) =>
  inEachMarket<OrderBookTop>(
    ({ orderBooks }) => orderBooks.includes(venue),
    (market) =>
      client.dataSet(nameOf(market), {
        every: market.every,
        check: "later",
        fetch: Effect.flatMap(ticker(market), ({ value, ...times }) => {
          const bid = WireFormat.positive(value.bid)
          const ask = WireFormat.positive(value.ask)
          return bid === null || ask === null
            ? client.error(new Unusable({ detail: "a book with an empty side" }))
            : Effect.succeed({ value: { bid, ask }, ...times })
        }),
        schema: OrderBookTop
      })
  )
