// The P2P markets of USDT that the service can follow, one record for each fiat (`p2pMarkets.json`). Lists, polling, plausibility and
// simulation of markets derive from these records.
import { Schema, Struct } from "effect"
import records from "./p2pMarkets.json" with { type: "json" }

/** P2P venues and exchanges with an order book, by their ids in the catalog of sources. */
export const VENUES = ["BYBIT_P2P", "BITGET_P2P", "BINANCE_P2P"] as const
export const ORDER_BOOKS = ["QUIDAX", "LUNO", "VALR"] as const

export type P2pVenueId = (typeof VENUES)[number]
export type OrderBookId = (typeof ORDER_BOOKS)[number]

export const P2pMarket = Schema.Struct({
  /** ISO 4217. */
  fiat: Schema.String,
  /** The IANA time zone of its fixing; UTC if absent. */
  zone: Schema.optionalKey(Schema.String),
  /** An ad must be able to fill an order of this many units of the fiat, about 70 USD. Bait usually fills only small orders. */
  orderSize: Schema.Finite,
  /** Payments that count as bank transfers, by the venues' names for them. Case, blanks and hyphens do not matter. */
  payments: Schema.Array(Schema.String),
  /** In display order. */
  venues: Schema.Array(Schema.Literals(VENUES)),
  /** Order books: compared with the venues' rate, and used instead of it if no venue has a price. */
  orderBooks: Schema.Array(Schema.Literals(ORDER_BOOKS)),
  /** The official rate: from the Central Bank of Nigeria, or from `/v1/fx`. */
  official: Schema.Literals(["cbn", "fx"]),
  /** The name of its series in the history, if it is older than the other markets. */
  series: Schema.optionalKey(Schema.String),
  /** Always followed, and the default rate of its fiat. Other markets must be configured. */
  isUsual: Schema.optionalKey(Schema.Literal(true)),
  /** Bounds of plausible prices, fiat per USDT: far outside the range of recent years, and less than a factor of 1,000 apart. */
  bounds: Schema.Struct({ least: Schema.Finite, most: Schema.Finite }),
  /** The polling interval of a venue. */
  every: Schema.Literals(["1 minute", "2 minutes", "5 minutes"])
})

export type P2pMarket = typeof P2pMarket.Type

/**
 * The built-in markets; `P2P_MARKETS` chooses those to follow. Binance has no NGN ads. The payments from VES on come from public code of the
 * venues, not from recorded ads.
 */
export const p2pMarkets = Schema.decodeUnknownSync(Schema.Record(Schema.Literals(Struct.keys(records)), P2pMarket))(
  records
)

/** The market that every service follows. */
export const usualMarket: P2pMarket = p2pMarkets.NGN

/** The built-in markets by code. An operator's file may add others. */
export const builtInMarkets: ReadonlyMap<string, P2pMarket> = new Map(Object.entries(p2pMarkets))

/** The markets that are followed if `P2P_MARKETS` is not set. */
export const defaultMarkets: ReadonlyArray<keyof typeof p2pMarkets> = ["NGN", "KES", "GHS", "ZAR"]

/** The usual market first, then the markets with these codes, sorted by code. */
export const inOrder = (known: Iterable<P2pMarket>, codes: Iterable<string>): ReadonlyArray<P2pMarket> => {
  const wanted = new Set(codes)
  const chosen = [...known].filter(({ fiat, isUsual }) => isUsual === true || wanted.has(fiat))
  const rank = ({ fiat, isUsual }: P2pMarket) => (isUsual === true ? "" : fiat)
  return chosen.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))
}

/** The name of a market's pair: `USDT/KES`. */
export const pairOf = (fiat: string): string => `USDT/${fiat}`
