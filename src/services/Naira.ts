// What a dollar's worth of USDT costs in naira between people: every venue's book estimated, the venues combined and
// cross-checked, and the premium over the official rate. A venue that has not answered for a while takes no part.
import { type Config, Context, DateTime, Effect, Layer, Option } from "effect"
import {
  combineVenues,
  type NairaEstimate,
  orderBookQuote,
  premium,
  quoteFromBook,
  type VenueQuote
} from "../domain/NairaRate.ts"
import type { OrderBookTop } from "../domain/OrderBook.ts"
import type { P2pAd } from "../domain/P2pAd.ts"
import { estimateBook, ORDER_SIZE } from "../domain/P2pBook.ts"
import * as Snapshot from "../domain/Snapshot.ts"
import { BitgetP2p } from "../sources/naira/BitgetP2p.ts"
import { BybitP2p } from "../sources/naira/BybitP2p.ts"
import type { DataSet } from "../sources/dataset/DataSet.ts"
import { Luno } from "../sources/naira/Luno.ts"
import { Quidax } from "../sources/naira/Quidax.ts"
import { baseUrlOf } from "../sources/client/SourceClient.ts"
import { type Official, OfficialRates } from "./OfficialRates.ts"
import { maxAges } from "./refresh/MaxAges.ts"
import * as NairaMids from "./NairaMids.ts"
import * as Refresher from "./refresh/Refresher.ts"
import { accounted } from "./refresh/Dependencies.ts"
import { Unavailable } from "./refresh/Unavailable.ts"

/** A venue's part in the rate: its quote in NGN per USDT and when it was observed; `null` where nothing recent is held. */
export interface Venue extends VenueQuote {
  readonly updated: DateTime.Utc | null
}

/** The naira rate, NGN per USDT from the customer's view, unrounded. `premium` in percent. */
export interface NairaRate extends NairaEstimate {
  readonly official: Official
  readonly premium: number | null
  readonly venues: ReadonlyArray<Venue>
}

/** The naira. */
export class Naira extends Context.Service<
  Naira,
  {
    /** Fails when no venue answered lately. Venues that answered with nothing usable give a rate of nulls with a reason. */
    readonly rate: Effect.Effect<Snapshot.Snapshot<NairaRate>, Unavailable>
    /** The unrounded mid alone, stamped with the venues that made it. */
    readonly mid: Effect.Effect<Snapshot.Snapshot<number>, Unavailable>
    /** The mid's change over 24 hours in percent, where a mid of that time is remembered. */
    readonly change24h: Effect.Effect<Option.Option<number>>
  }
>()("crypto-data-api/services/Naira") {
  static readonly layerNoDeps: Layer.Layer<
    Naira,
    Config.ConfigError,
    BybitP2p | BitgetP2p | Quidax | Luno | OfficialRates
  > = Layer.effect(
    Naira,
    Effect.gen(function* () {
      const officialRates = yield* OfficialRates

      const p2p = venueOf<ReadonlyArray<P2pAd>>((venue, ads, reference) =>
        quoteFromBook(venue, estimateBook(ads, { asset: "USDT", fiat: "NGN", orderSize: ORDER_SIZE, reference }))
      )
      const orderBook = venueOf<OrderBookTop>((venue, top) => orderBookQuote(venue, top))
      const venues = yield* Effect.all([
        p2p((yield* BybitP2p).ads, "p2p"),
        p2p((yield* BitgetP2p).ads, "p2p"),
        orderBook((yield* Quidax).book, "order_book"),
        orderBook((yield* Luno).book, "order_book")
      ])

      const rate = Effect.gen(function* () {
        const official = yield* accounted(officialRates.current)
        const reference = official._tag === "Published" ? official.snapshot.value.rate : null
        const quotes = yield* Effect.all(
          venues.map((venue) => venue(reference)),
          { concurrency: "unbounded" }
        )
        const live = quotes.flatMap(({ snapshot }) => Option.toArray(snapshot))
        if (live.length === 0) return yield* new Unavailable({ question: "the naira rate", retryAfter: 30 })
        const estimate = combineVenues(live.map(({ value }) => value))
        const value: NairaRate = {
          ...estimate,
          official,
          premium: estimate.mid === null || reference === null ? null : premium(estimate.mid, reference),
          venues: quotes.map(({ quote, updated }) => ({ ...quote, updated }))
        }
        const makers = live.filter(({ value }) => estimate.used.includes(value.venue))
        const credited = makers.length > 0 ? makers : live
        return Snapshot.make({
          value,
          source: Snapshot.joinSources([
            ...credited.map(({ source }) => source),
            ...(official._tag === "Published" ? [official.snapshot.source] : [])
          ]),
          observedAt: live.map(({ observedAt }) => observedAt).reduce(DateTime.min),
          retrievedAt: live.map(({ retrievedAt }) => retrievedAt).reduce(DateTime.min)
        })
      })

      const mid = Effect.gen(function* () {
        const snapshot = yield* rate
        const { mid, used, venues: all } = snapshot.value
        if (mid === null) return yield* new Unavailable({ question: "the naira rate", retryAfter: 60 })
        const made = all.filter(({ updated, venue }) => updated !== null && used.includes(venue))
        const observedAt = made.flatMap(({ updated }) => updated ?? []).reduce(DateTime.min, snapshot.retrievedAt)
        return { ...snapshot, value: mid, source: Snapshot.joinSources(used), observedAt }
      })

      const origins = yield* Effect.forEach([BybitP2p, BitgetP2p, Quidax, Luno], ({ terms }) => baseUrlOf(terms))
      const change24h = yield* NairaMids.make(origins.join(" "), mid)

      return Naira.of({ rate, mid, change24h })
    })
  )

  static readonly layer: Layer.Layer<Naira, Config.ConfigError> = this.layerNoDeps.pipe(
    Layer.provide([BybitP2p.layer, BitgetP2p.layer, Quidax.layer, Luno.layer, OfficialRates.layer])
  )

  static readonly layerTest = (service: Partial<Naira["Service"]>) => Layer.mock(Naira)(service)
}

/** A venue polled on its own schedule. Its quote is estimated once per book and reference, however often it is read. */
const venueOf =
  <A>(estimate: (venue: string, book: A, reference: number | null) => VenueQuote) =>
  (feed: DataSet<A>, kind: VenueQuote["kind"]) =>
    Effect.map(
      Effect.flatMap(maxAges.naira, (maxAge) =>
        Refresher.make({ name: `${feed.source} book`, sources: [feed], maxAge, grace: maxAge })
      ),
      (question) => {
        let last: { readonly from: A; readonly reference: number | null; readonly quote: VenueQuote } | undefined
        return (reference: number | null) =>
          Effect.gen(function* () {
            const held = yield* Effect.option(question.answer)
            if (Option.isNone(held)) {
              const stale = yield* question.last
              const nothing = { buy: null, sell: null, mid: null, adsUsed: null, adsRejected: {} }
              return {
                snapshot: Option.none(),
                quote: { venue: feed.source, kind, ...nothing, reason: Option.isSome(stale) ? "stale" : "no_answer" },
                updated: Option.match(stale, { onNone: () => null, onSome: ({ observedAt }) => observedAt })
              }
            }
            const book = held.value.value
            if (last === undefined || last.from !== book || last.reference !== reference) {
              last = { from: book, reference, quote: estimate(feed.source, book, reference) }
            }
            return {
              snapshot: Option.some({ ...held.value, value: last.quote }),
              quote: last.quote,
              updated: held.value.observedAt
            }
          })
      }
    )
