// The rate of USDT in a P2P market: a quote from each venue's book, the venues combined and cross-checked, and the
// premium over the official rate. A venue whose book is older than `MAX_AGE_NAIRA` is left out.
import { Array as Arr, DateTime, type Duration, Effect, Latch, Option } from "effect"
import {
  combineVenues,
  type Confidence,
  kindOf,
  type P2pEstimate,
  orderBookQuote,
  premium,
  quoteFromBook,
  type Venue,
  type VenueQuote,
  withoutSwapped
} from "../domain/P2pRate.ts"
import type { MarketOrigin } from "../domain/Conversion.ts"
import type { OrderBookTop } from "../domain/OrderBook.ts"
import type { P2pAd } from "../domain/P2pAd.ts"
import { methods } from "../domain/Methods.ts"
import { type Depth, joinOffers, type Offers, offersOf } from "../domain/P2pDepth.ts"
import type { P2pMarket } from "../domain/P2pMarket.ts"
import { judgeBook } from "../domain/P2pBook.ts"
import { memoized, rememberOf } from "../domain/rememberEach.ts"
import * as Snapshot from "../domain/Snapshot.ts"
import type { DataSet } from "../sources/dataset/DataSet.ts"
import { marketBooks } from "../sources/Sources.ts"
import type { Official, OfficialRates } from "./OfficialRates.ts"
import { maxAges } from "./refresh/MaxAges.ts"
import * as SeriesName from "../history/store/SeriesName.ts"
import * as LastMid from "./LastMid.ts"
import * as DayChanges from "./history/DayChanges.ts"
import * as Patience from "./refresh/Patience.ts"
import * as Rules from "./judge/Rules.ts"
import * as Refresher from "./refresh/Refresher.ts"
import { whole } from "./refresh/Rows.ts"
import { accounted } from "./refresh/Dependencies.ts"
import { Unavailable } from "./refresh/Unavailable.ts"

/** A market's rate, units of its fiat per USDT from the customer's view, unrounded. `premium` in percent. */
export interface MarketRate extends P2pEstimate {
  readonly official: Official
  readonly premium: number | null
  readonly venues: ReadonlyArray<Venue>
  /** Of a past rate, because its venues may not be recorded. */
  readonly kind?: VenueQuote["kind"]
  /** The version of the method that estimated the rate; null for a past rate of an unknown one. */
  readonly method: string | null
  /** The ads behind the rate, for conversions of an amount. Absent for a rate in the past, because ads are not recorded. */
  readonly depth?: Depth
}

/** A rate of the past. Its confidence is null if it was not recorded. */
export interface PastMarketRate extends Omit<MarketRate, "confidence"> {
  readonly confidence: Confidence | null
}

/** The buy and the sell price, with their confidence and the ads for amounts. */
export interface SideRates extends Partial<Pick<PastMarketRate, "depth" | "confidence">> {
  readonly buy: number
  readonly sell: number
}

/** A mid with its confidence and its kind: `p2p` if absent. */
export interface Mid extends Snapshot.Snapshot<number>, Partial<Pick<PastMarketRate, "confidence">> {
  readonly kind?: VenueQuote["kind"]
  /** Set on a past mid. */
  readonly market?: MarketOrigin
}

/** A P2P market whose venues are polled. */
export interface Market {
  /**
   * Fails if no venue has a recent book. If no book has a usable price, the prices are null, with a reason. After a start without a saved
   * mid it waits for the first one, and then only briefly for the other venues and the official rate.
   */
  readonly rate: Effect.Effect<Snapshot.Snapshot<MarketRate>, Unavailable>
  /** The unrounded mid with its confidence, stamped by the venues that it is computed from. */
  readonly mid: Effect.Effect<Mid, Unavailable>
  /** The unrounded buy and sell prices, stamped as the mid is. */
  readonly sides: Effect.Effect<Snapshot.Snapshot<SideRates> & Pick<Mid, "market">, Unavailable>
  /** Plausible prices of a dollar in the fiat. */
  readonly bounds: P2pMarket["bounds"]
  /** The change of `mid` over 24 hours in percent, if a mid of its kind and of that time is recorded. */
  readonly change24h: (mid: Mid) => Effect.Effect<Option.Option<number>>
}

/** The failure of answers that need a rate which the market does not have. `retryAfter` in seconds, `reason` as in its answer. */
export const noRate = (fiat: string, retryAfter: number, reason?: string | null): Unavailable =>
  new Unavailable({
    question: questionOf(fiat),
    retryAfter,
    ...(typeof reason === "string" && { why: reason.replaceAll("_", " ") })
  })

const questionOf = (fiat: string): string => `the P2P rate of ${fiat}`

/** Polls the venues of a market. `startAfter`: the delay of the first polls; none by default. */
export const make = Effect.fn("MarketRate.make")(function* (
  market: P2pMarket,
  officialRate: OfficialRates["Service"],
  startAfter?: Duration.Input
) {
  const books = (yield* marketBooks).filter(({ fiat }) => fiat === market.fiat)
  const p2p = venueOf<ReadonlyArray<P2pAd>>(
    market,
    (venue, ads) => {
      const book = judgeBook(ads, market)
      const { asksUsed, bidsUsed } = book.estimate
      return {
        quote: quoteFromBook(venue, book.estimate),
        depth: { used: { buy: asksUsed, sell: bidsUsed }, offers: memoized(() => offersOf(venue, ads, book)) }
      }
    },
    startAfter
  )
  const orderBook = venueOf<OrderBookTop>(
    market,
    (venue, top) => ({ quote: orderBookQuote(venue, top, market) }),
    startAfter
  )
  const venues = yield* Effect.all([
    ...books.flatMap((book) => (book.name === "p2p" ? [p2p(book.set, "p2p")] : [])),
    ...books.flatMap((book) => (book.name === "order_book" ? [orderBook(book.set, "order_book")] : []))
  ])

  const restored = yield* Effect.forEach(venues, ({ look }) => look)
  // Opens at once if a mid was restored; else when all parts are decided, or 500 ms after the first venue has a mid.
  const settled = yield* Latch.make(restored.some(({ quote }) => quote.mid !== null))
  yield* Effect.raceFirst(
    Effect.all([officialRate.current, ...venues.map(({ decided }) => decided)], { concurrency: "unbounded" }),
    Effect.raceAllFirst(venues.map(({ firstMid }) => firstMid)).pipe(
      Effect.andThen(Effect.sleep(Patience.OPTIONAL_PART))
    )
  ).pipe(Effect.andThen(settled.open), Effect.forkScoped)

  const quoted = Effect.gen(function* () {
    const looks = yield* Effect.all(
      venues.map(({ look }) => look),
      { concurrency: "unbounded" }
    )
    const quotes = Arr.zipWith(looks, withoutSwapped(looks.map(({ quote }) => quote)), (look, quote) => ({
      ...look,
      quote
    }))
    const live = quotes.flatMap(({ quote, snapshot }) =>
      Option.toArray(Option.map(snapshot, (one) => Snapshot.map(one, () => quote)))
    )
    return { quotes, live }
  })

  /** It changes with the books, never by a request. */
  const last = yield* LastMid.make(market)
  const estimateOf = (live: ReadonlyArray<Snapshot.Snapshot<VenueQuote>>, reference: number | null) =>
    combineVenues(
      live.map(({ value }) => value),
      reference,
      last.current()
    )
  const remember = Effect.gen(function* () {
    const { live } = yield* quoted
    if (live.length === 0) return
    yield* last.recall
    last.replace(estimateOf(live, null).mid)
  })
  yield* Effect.forEach(venues, ({ listen }) => listen(remember))

  const evaluated = Effect.gen(function* () {
    if (!settled.isOpen()) yield* Patience.waitFor(settled.await)
    const official = yield* accounted(officialRate.known)
    const reference = official._tag === "Published" ? official.snapshot.value.rate : null
    const { live, quotes } = yield* quoted
    if (live.length === 0) {
      return yield* settled.isOpen() ? noRate(market.fiat, 30) : Unavailable.starting(questionOf(market.fiat))
    }
    const estimate = estimateOf(live, reference)
    const value: MarketRate = {
      ...estimate,
      official,
      premium: estimate.mid === null || reference === null ? null : premium(estimate.mid, reference),
      venues: quotes.map(({ quote, updated }) => ({ ...quote, updated })),
      method: methods.p2p,
      depth: depthOf(
        market,
        quotes.flatMap(({ depth, quote }) =>
          depth !== undefined && estimate.used.includes(quote.venue) ? [depth] : []
        )
      )
    }
    const makers = live.filter(({ value }) => estimate.used.includes(value.venue))
    const credited = makers.length > 0 ? makers : live
    const snapshot = Snapshot.make({
      value,
      source: Snapshot.joinSources([
        ...credited.map(({ source }) => source),
        ...(official._tag === "Published" ? [official.snapshot.source] : [])
      ]),
      observedAt: live.map(({ observedAt }) => observedAt).reduce(DateTime.min),
      retrievedAt: live.map(({ retrievedAt }) => retrievedAt).reduce(DateTime.min)
    })
    return { snapshot, makers }
  }).pipe(Patience.shared)
  const rate = Effect.map(evaluated, ({ snapshot }) => snapshot)

  const priced = Effect.gen(function* () {
    const { makers, snapshot } = yield* evaluated
    const { buy, confidence, depth, mid, reason, sell, used } = snapshot.value
    if (buy === null || sell === null || mid === null) return yield* noRate(market.fiat, 60, reason)
    return {
      value: { buy, sell, mid, confidence, ...(depth !== undefined && { depth }) },
      kind: kindOf(makers.map(({ value }) => value)),
      source: Snapshot.joinSources(used),
      observedAt: makers.map(({ observedAt }) => observedAt).reduce(DateTime.min),
      retrievedAt: makers.map(({ retrievedAt }) => retrievedAt).reduce(DateTime.min)
    }
  })
  const mid = Effect.map(priced, ({ value, ...stamps }): Mid => {
    return { ...stamps, value: value.mid, confidence: value.confidence }
  })

  const series = SeriesName.p2p(market.fiat)
  const changeOf = yield* DayChanges.make({
    name: `the change of the ${market.fiat} market`,
    inputs: venues.map(({ listen }) => listen),
    // Books come every minute, each at its own time.
    gather: (known) => (known.size === 0 ? "1 second" : "1 minute"),
    times: Effect.map(mid, ({ observedAt }) => new Map([[series, observedAt.epochMilliseconds]]))
  })
  // A P2P mid is not compared with an order book's.
  const change24h = ({ kind = "p2p", observedAt, value }: Mid) => {
    const now = { value, kind, observedAt: observedAt.epochMilliseconds }
    return Effect.map(changeOf(series, now), Option.fromUndefinedOr)
  }

  return { rate, mid, sides: priced, change24h, bounds: market.bounds } satisfies Market
})

/** The ads of a venue: how many each side of its quote uses, and those that can fill an amount. */
interface VenueDepth {
  readonly used: Depth["ads"]
  readonly offers: () => Offers
}

const depthOf = ({ orderSize }: P2pMarket, venues: ReadonlyArray<VenueDepth>): Depth => ({
  orderSize,
  ads: {
    buy: venues.reduce((sum, { used }) => sum + used.buy, 0),
    sell: venues.reduce((sum, { used }) => sum + used.sell, 0)
  },
  offers: memoized(() => joinOffers(venues.map(({ offers }) => offers())))
})

/** The quote of a venue's book, and its ads unless it is an order book. */
interface Reading {
  readonly quote: VenueQuote
  readonly depth?: VenueDepth
}

/** A venue, polled on its own schedule. Its quote is estimated once per book. */
const venueOf =
  <A extends object>(
    { fiat }: P2pMarket,
    estimate: (venue: string, book: A) => Reading,
    startAfter: Duration.Input | undefined
  ) =>
  (set: DataSet<A>, kind: VenueQuote["kind"]) =>
    Effect.gen(function* () {
      const maxAge = yield* maxAges.naira
      const readingOf = rememberOf((book: A) => estimate(set.source, book))
      const books = yield* Refresher.make({
        name: `${set.source} ${fiat} book`,
        sources: [set],
        rows: whole<A>(),
        rules: Rules.book(fiat, (book: A) => readingOf(book).quote.mid),
        maxAge,
        ...(startAfter !== undefined && { startAfter })
      })
      const noQuote = { venue: set.source, kind, buy: null, sell: null, mid: null, adsUsed: null, adsRejected: {} }

      const look = Effect.gen(function* () {
        const current = yield* books.current
        if (Option.isNone(current)) {
          const stale = Option.getOrUndefined(yield* books.last)
          const reason = stale === undefined ? "no_answer" : "stale"
          return {
            snapshot: Option.none(),
            quote: { ...noQuote, reason },
            depth: undefined,
            updated: stale?.observedAt ?? null
          }
        }
        const reading = readingOf(current.value.value)
        const snapshot = Snapshot.map(current.value, () => reading.quote)
        return { snapshot: Option.some(snapshot), ...reading, updated: snapshot.observedAt }
      })

      const firstMid = Effect.flatMap(Effect.andThen(books.decided, look), ({ quote }) =>
        quote.mid === null ? Effect.never : Effect.void
      )
      return { look, firstMid, decided: books.decided, listen: books.listen }
    })
