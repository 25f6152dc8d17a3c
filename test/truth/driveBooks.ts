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

/** What is believed of each venue's book. */
type State = ReadonlyMap<string, Judged<VenueQuote>>

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
  Rules.book<VenueQuote>(({ mid }) => mid),
  15 * MINUTE
)

const readingOf = (venue: BookVenue, every: number) =>
  reading(venue.name, every, (answer) => [{ key: market.fiat, value: quoteOf(venue, answer), at: answer.at }])

export const bookDriven = (venues: ReadonlyArray<BookVenue>, every: number): Driven<State> => {
  const readings = venues.map((venue) => readingOf(venue, every))
  return {
    start: new Map(),
    isUsable: () => true,
    step: (state, held, now) =>
      new Map(
        readings.map((one) => [
          one.name,
          judge.step(state.get(one.name) ?? judge.start, judge.sourcesOf(held, [one]), now)
        ])
      ),
    served: (state, now) => {
      const live = [...state.values()].flatMap((one) => judge.rowsAt(one, now).map(([, row]) => row))
      if (live.length === 0) return new Map<string, Figure>()
      const { buy, confidence, mid, sell } = combineVenues(withoutSwapped(live.map(({ value }) => value)))
      return new Map([
        [
          market.fiat,
          {
            value: mid,
            observedAt: Math.min(...live.map(({ observedAt }) => observedAt.epochMilliseconds)),
            source: live.map(({ source }) => source).join(" + "),
            ...(buy !== null && sell !== null && { sides: { buy, sell } }),
            isSure: confidence === "high"
          }
        ]
      ])
    },
    saved: (state) => JSON.stringify([...state].map(([name, one]) => [name, judge.saved(one)])),
    restored: (text) =>
      new Map(JSON.parse(text).map(([name, saved]: [string, string]) => [name, judge.restored(saved)]))
  }
}
