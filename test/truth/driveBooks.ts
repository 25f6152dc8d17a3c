// Drives the service's pure code for a P2P market: each venue's book is judged, and the venues are combined.
import type { P2pAd } from "../../src/domain/P2pAd.ts"
import { judgeBook } from "../../src/domain/P2pBook.ts"
import { p2pMarkets } from "../../src/domain/P2pMarket.ts"
import {
  combineVenues,
  orderBookQuote,
  quoteFromBook,
  type VenueQuote,
  withoutSwapped
} from "../../src/domain/P2pRate.ts"
import * as Rules from "../../src/services/judge/Rules.ts"
import { MINUTE } from "./Course.ts"
import { type Judged, judged, reading } from "./judged.ts"
import type { Driven, Figure, Held } from "./Scene.ts"

/** A venue of the market. */
export interface BookVenue {
  readonly name: string
  readonly isOrderBook: boolean
}

interface State {
  /** What is believed of each venue's book. */
  readonly books: ReadonlyMap<string, Judged<VenueQuote>>
  /** The last mid. */
  readonly mid?: number | undefined
}

const market = p2pMarkets.NGN

const adsOf = ({ rows }: Held): ReadonlyArray<P2pAd> =>
  rows.flatMap(({ figures: { price = null }, name, payment }) => {
    if (price === null) return []
    return [
      {
        side: name.startsWith("ask") ? "ask" : "bid",
        asset: "USDT",
        fiat: market.fiat,
        price,
        available: 5000,
        minAmount: market.orderSize / 10,
        maxAmount: market.orderSize * 20,
        merchant: name,
        orders: 500,
        completionRate: 98,
        payments: payment === undefined ? [] : [payment],
        online: true
      }
    ]
  })

const quoteOf = ({ isOrderBook, name }: BookVenue, held: Held): VenueQuote => {
  if (!isOrderBook) return quoteFromBook(name, judgeBook(adsOf(held), market).estimate)
  const { ask = null, bid = null } = held.rows[0]?.figures ?? {}
  return orderBookQuote(name, { ask: ask ?? Number.NaN, bid: bid ?? Number.NaN }, market)
}

const judge = judged(
  Rules.book<VenueQuote>(market.fiat, ({ mid }) => mid),
  15 * MINUTE
)

const readingOf = (venue: BookVenue, every: number) =>
  reading(venue.name, every, (answer) => [{ key: market.fiat, value: quoteOf(venue, answer), at: answer.at }])

const liveAt = (books: State["books"], now: number) =>
  [...books.values()].flatMap((one) => judge.rowsAt(one, now).map(([, row]) => row))

const rateAt = ({ books, mid }: State, now: number) =>
  combineVenues(withoutSwapped(liveAt(books, now).map(({ value }) => value)), null, mid)

export const bookDriven = (venues: ReadonlyArray<BookVenue>, every: number): Driven<State> => {
  const readings = venues.map((venue) => readingOf(venue, every))
  return {
    start: { books: new Map() },
    isUsable: () => true,
    step: (state, held, now) => {
      const books = new Map(
        readings.map((one) => {
          const before = state.books.get(one.name) ?? judge.start
          return [one.name, judge.step(before, judge.sourcesOf(held, [one]), now)]
        })
      )
      return { books, mid: rateAt({ ...state, books }, now).mid ?? state.mid }
    },
    served: (state, now) => {
      const live = liveAt(state.books, now)
      if (live.length === 0) return new Map<string, Figure>()
      const { buy, confidence, mid, sell } = rateAt(state, now)
      const figure = {
        value: mid,
        observedAt: Math.min(...live.map(({ observedAt }) => observedAt.epochMilliseconds)),
        source: live.map(({ source }) => source).join(" + "),
        ...(buy !== null && sell !== null && { sides: { buy, sell } }),
        confidence
      }
      return new Map([[market.fiat, figure]])
    },
    saved: ({ books, mid }) => JSON.stringify([mid, [...books].map(([name, one]) => [name, judge.saved(one)])]),
    restored: (text) => {
      const [mid, books]: [number | null, ReadonlyArray<[string, string]>] = JSON.parse(text)
      return { books: new Map(books.map(([name, saved]) => [name, judge.restored(saved)])), mid: mid ?? undefined }
    },
    // The record has the mid of the market, and not that of each venue.
    recorded: ({ mid }) => ({
      books: new Map(
        mid === undefined
          ? []
          : venues.map(({ name }) => [name, { ...judge.start, recorded: new Map([[market.fiat, [mid]]]) }])
      ),
      mid
    })
  }
}
