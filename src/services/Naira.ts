// The P2P rate of USDT in naira: a quote from each venue's book, the venues combined and cross-checked, and the premium over the
// official rate. A venue whose book is older than `MAX_AGE_NAIRA` takes no part.
import { Array as Arr, type Config, Context, DateTime, Effect, Latch, Layer, Option } from "effect"
import {
  combineVenues,
  type P2pEstimate,
  orderBookQuote,
  premium,
  quoteFromBook,
  type VenueQuote,
  withoutSwapped
} from "../domain/P2pRate.ts"
import type { OrderBookTop } from "../domain/OrderBook.ts"
import type { P2pAd } from "../domain/P2pAd.ts"
import { p2pMarkets } from "../domain/P2pMarket.ts"
import { estimateBook } from "../domain/P2pBook.ts"
import * as Snapshot from "../domain/Snapshot.ts"
import type { DataSet } from "../sources/dataset/DataSet.ts"
import { baseUrlOf } from "../sources/client/SourceSettings.ts"
import { dataSetsOf, layerWith, sourcesWith, type SourcesWith } from "../sources/Sources.ts"
import { type Official, OfficialRates } from "./OfficialRates.ts"
import { memoized } from "./memoized.ts"
import { maxAges } from "./refresh/MaxAges.ts"
import * as NairaMids from "../history/service/NairaMids.ts"
import * as Patience from "./refresh/Patience.ts"
import * as Refresher from "./refresh/Refresher.ts"
import { accounted } from "./refresh/Dependencies.ts"
import { Unavailable } from "./refresh/Unavailable.ts"

/** A venue's part in the rate: its quote in NGN per USDT and when it was observed; `null` where nothing recent is held. */
export interface Venue extends VenueQuote {
  readonly updated: DateTime.Utc | null
}

/** The naira rate, NGN per USDT from the customer's view, unrounded. `premium` in percent. */
export interface NairaRate extends P2pEstimate {
  readonly official: Official
  readonly premium: number | null
  readonly venues: ReadonlyArray<Venue>
}

/** The naira rate. */
export class Naira extends Context.Service<
  Naira,
  {
    /**
     * Fails when no venue has a recent book. Books with nothing usable give a rate of nulls with a reason. After a
     * start without a saved mid it waits for the first one, and then only briefly for the other venues and the official rate.
     */
    readonly rate: Effect.Effect<Snapshot.Snapshot<NairaRate>, Unavailable>
    /** The unrounded mid alone, stamped by the venues that it is computed from. */
    readonly mid: Effect.Effect<Snapshot.Snapshot<number>, Unavailable>
    /** The unrounded buy and sell prices, stamped as the mid is. */
    readonly sides: Effect.Effect<Snapshot.Snapshot<{ readonly buy: number; readonly sell: number }>, Unavailable>
    /** The change of `mid` over 24 hours in percent, where a mid of that time is recorded. */
    readonly change24h: (mid: Snapshot.Snapshot<number>) => Effect.Effect<Option.Option<number>>
  }
>()("crypto-data-api/services/Naira") {
  static readonly layerNoDeps: Layer.Layer<
    Naira,
    Config.ConfigError,
    SourcesWith<"p2p" | "order_book"> | OfficialRates
  > = Layer.effect(
    Naira,
    Effect.gen(function* () {
      const officialRates = yield* OfficialRates

      const p2p = venueOf<ReadonlyArray<P2pAd>>((venue, ads) => quoteFromBook(venue, estimateBook(ads, market)))
      const orderBook = venueOf<OrderBookTop>((venue, top) => orderBookQuote(venue, top, market))
      const venues = yield* Effect.all([
        ...(yield* dataSetsOf("p2p")).map((ads) => p2p(ads, "p2p")),
        ...(yield* dataSetsOf("order_book")).map((book) => orderBook(book, "order_book"))
      ])

      const restored = yield* Effect.forEach(venues, ({ look }) => look)
      // Open when a mid was restored; else when all parts are decided, or some time after the first venue has a mid.
      const settled = yield* Latch.make(restored.some(({ quote }) => quote.mid !== null))
      yield* Effect.raceFirst(
        Effect.all([officialRates.current, ...venues.map(({ decided }) => decided)], { concurrency: "unbounded" }),
        Effect.raceAllFirst(venues.map(({ firstMid }) => firstMid)).pipe(
          Effect.andThen(Effect.sleep(Patience.OPTIONAL_PART))
        )
      ).pipe(Effect.andThen(settled.open), Effect.forkScoped)

      const evaluated = Effect.gen(function* () {
        if (!settled.isOpen()) yield* Patience.waitFor(settled.await)
        const official = yield* accounted(officialRates.known)
        const reference = official._tag === "Published" ? official.snapshot.value.rate : null
        const looks = yield* Effect.all(
          venues.map(({ look }) => look),
          { concurrency: "unbounded" }
        )
        const quotes = Arr.zipWith(looks, withoutSwapped(looks.map(({ quote }) => quote)), (look, quote) => ({
          ...look,
          quote
        }))
        const live = quotes.flatMap(({ quote, snapshot }) =>
          Option.toArray(Option.map(snapshot, (held) => Snapshot.map(held, () => quote)))
        )
        if (live.length === 0) return yield* new Unavailable({ question: "the naira rate", retryAfter: 30 })
        const estimate = combineVenues(
          live.map(({ value }) => value),
          reference
        )
        const value: NairaRate = {
          ...estimate,
          official,
          premium: estimate.mid === null || reference === null ? null : premium(estimate.mid, reference),
          venues: quotes.map(({ quote, updated }) => ({ ...quote, updated }))
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
        const { buy, mid, sell, used } = snapshot.value
        if (buy === null || sell === null || mid === null)
          return yield* new Unavailable({ question: "the naira rate", retryAfter: 60 })
        return {
          value: { buy, sell, mid },
          source: Snapshot.joinSources(used),
          observedAt: makers.map(({ observedAt }) => observedAt).reduce(DateTime.min),
          retrievedAt: makers.map(({ retrievedAt }) => retrievedAt).reduce(DateTime.min)
        }
      })
      const mid = Effect.map(priced, (snapshot) => Snapshot.map(snapshot, ({ mid }) => mid))

      const origins = yield* Effect.forEach(yield* sourcesWith("p2p", "order_book"), ({ source }) => baseUrlOf(source))
      const change24h = yield* NairaMids.make(origins.join(" "), mid)

      return Naira.of({ rate, mid, sides: priced, change24h })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([layerWith("p2p", "order_book"), OfficialRates.layer]))

  static readonly layerTest = (service: Partial<Naira["Service"]>) => Layer.mock(Naira)(service)
}

const market = p2pMarkets.NGN

/** A venue, polled on its own schedule. Its quote is estimated once per book. */
const venueOf =
  <A>(estimate: (venue: string, book: A) => VenueQuote) =>
  (set: DataSet<A>, kind: VenueQuote["kind"]) =>
    Effect.gen(function* () {
      const maxAge = yield* maxAges.naira
      const book = yield* Refresher.single({ name: `${set.source} book`, source: set, maxAge })
      const noQuote = { venue: set.source, kind, buy: null, sell: null, mid: null, adsUsed: null, adsRejected: {} }
      const quoteOf = memoized((held: A) => estimate(set.source, held))

      const look = Effect.gen(function* () {
        const held = yield* book.current
        if (Option.isNone(held)) {
          const stale = Option.getOrUndefined(yield* book.last)
          const reason = stale === undefined ? "no_answer" : "stale"
          return { snapshot: Option.none(), quote: { ...noQuote, reason }, updated: stale?.observedAt ?? null }
        }
        const quote = quoteOf(held.value.value)
        const snapshot = Snapshot.map(held.value, () => quote)
        return { snapshot: Option.some(snapshot), quote, updated: snapshot.observedAt }
      })

      const firstMid = Effect.flatMap(Effect.andThen(book.decided, look), ({ quote }) =>
        quote.mid === null ? Effect.never : Effect.void
      )
      return { look, firstMid, decided: book.decided }
    })
