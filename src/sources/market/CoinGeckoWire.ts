// CoinGecko's wire format and how its rows become ours. Nulls are everywhere, and percentages are in percent.
import { DateTime, Schema } from "effect"
import type { Coin } from "../../domain/Coin.ts"
import type { PriceHistory } from "../../domain/PriceHistory.ts"
import * as WireFormat from "../client/WireFormat.ts"

/** A coin's entry in the registry: its id, its ticker (upper case) and its name. */
export const CoinEntry = Schema.Struct({ id: Schema.String, symbol: Schema.String, name: Schema.String })

/** {@link CoinEntry}. */
export type CoinEntry = typeof CoinEntry.Type

/** A coin's price in fiats other than USD, with its 24 h change (percent) in that fiat. By coin id, then fiat code. */
export type FiatQuotes = typeof FiatQuotes.Type

/** Units of the fiat for one coin, as CoinGecko itself quotes it. */
export type FiatQuote = typeof FiatQuote.Type

export const FiatQuote = Schema.Struct({
  price: Schema.Finite,
  change_24h: Schema.NullOr(Schema.Finite),
  updated: Schema.DateTimeUtc
})

export const FiatQuotes = Schema.ReadonlyMap(Schema.String, Schema.ReadonlyMap(Schema.String, FiatQuote))

/** A row of `/coins/markets`. */
export const MarketRow = Schema.Struct({
  id: Schema.NonEmptyString,
  symbol: Schema.String,
  name: Schema.String,
  image: WireFormat.NullishText,
  current_price: Schema.NullOr(Schema.Finite),
  market_cap: WireFormat.Nullish,
  market_cap_rank: WireFormat.Nullish,
  total_volume: WireFormat.Nullish,
  high_24h: WireFormat.Nullish,
  low_24h: WireFormat.Nullish,
  price_change_percentage_24h: WireFormat.Nullish,
  price_change_percentage_1h_in_currency: WireFormat.Nullish,
  price_change_percentage_7d_in_currency: WireFormat.Nullish,
  circulating_supply: WireFormat.Nullish,
  total_supply: WireFormat.Nullish,
  max_supply: WireFormat.Nullish,
  ath: WireFormat.Nullish,
  ath_date: Schema.optionalKey(Schema.NullOr(WireFormat.Instant)),
  last_updated: WireFormat.Instant
})

/** The same row asked for with `sparkline=true`: hourly prices of seven days, oldest first, the last of them at its time. */
export const SparklineRow = Schema.Struct({
  id: Schema.NonEmptyString,
  sparkline_in_7d: Schema.Struct({ price: Schema.Array(Schema.NullOr(Schema.Finite)) }),
  last_updated: WireFormat.Instant
})

/** The body of `/global`. */
export const GlobalBody = Schema.Struct({
  data: Schema.Struct({
    active_cryptocurrencies: WireFormat.Nullish,
    total_market_cap: Schema.Struct({ usd: Schema.Finite }),
    total_volume: Schema.Struct({ usd: WireFormat.Nullish }),
    market_cap_percentage: Schema.Struct({ btc: WireFormat.Nullish, eth: WireFormat.Nullish }),
    market_cap_change_percentage_24h_usd: WireFormat.Nullish,
    updated_at: WireFormat.EpochSeconds
  })
})

/** A row of `/coins/list`. */
export const ListRow = Schema.Struct({ id: Schema.NonEmptyString, symbol: Schema.String, name: Schema.String })

/** A coin in `/simple/price`: prices, changes and a time under names made of the fiats asked for. */
export const QuoteRow = Schema.Record(Schema.String, Schema.NullOr(Schema.Finite))

const quotedHere = ["eur", "gbp", "inr", "zar", "aed", "cad", "jpy"] as const

/** Our naira is the P2P rate; CoinGecko's NGN quotes are at the official one and are not asked for. */
export const quotesQuery = {
  vs_currencies: quotedHere.join(","),
  include_24hr_change: "true",
  include_last_updated_at: "true",
  precision: "full"
}

/** A coin of a row. CoinGecko writes 0 for caps and supplies that it does not know. */
export const toCoin = (row: typeof MarketRow.Type, retrievedAt: DateTime.Utc): Coin => ({
  id: row.id,
  symbol: row.symbol.toUpperCase(),
  name: row.name,
  rank: WireFormat.positive(row.market_cap_rank),
  price: WireFormat.positive(row.current_price),
  market_cap: WireFormat.positive(row.market_cap),
  volume_24h: row.total_volume ?? null,
  circulating_supply: WireFormat.positive(row.circulating_supply),
  total_supply: WireFormat.positive(row.total_supply),
  max_supply: WireFormat.positive(row.max_supply),
  change_1h: row.price_change_percentage_1h_in_currency ?? null,
  change_24h: row.price_change_percentage_24h ?? null,
  change_7d: row.price_change_percentage_7d_in_currency ?? null,
  updated: DateTime.min(row.last_updated, retrievedAt),
  high_24h: WireFormat.positive(row.high_24h),
  low_24h: WireFormat.positive(row.low_24h),
  ath: WireFormat.positive(row.ath),
  ath_date: row.ath_date ?? null,
  image: row.image?.startsWith("https://") === true ? row.image : null
})

/** A coin's quotes in other fiats. */
export const toQuotes = (row: typeof QuoteRow.Type, retrievedAt: DateTime.Utc): ReadonlyMap<string, FiatQuote> => {
  const seconds = row["last_updated_at"]
  if (!Schema.is(WireFormat.EpochSeconds)(seconds)) return new Map()
  const updated = DateTime.min(DateTime.makeUnsafe(seconds * 1000), retrievedAt)
  return new Map(
    quotedHere.flatMap((fiat) => {
      const price = WireFormat.positive(row[fiat])
      return price === null
        ? []
        : [[fiat.toUpperCase(), { price, change_24h: row[`${fiat}_24h_change`] ?? null, updated }]]
    })
  )
}

/** A coin's hourly prices; nothing where an hour is missing. */
export const toHistory = (row: typeof SparklineRow.Type, retrievedAt: DateTime.Utc): ReadonlyArray<PriceHistory> => {
  const prices = row.sparkline_in_7d.price.flatMap((price) => WireFormat.positive(price) ?? [])
  return prices.length < 2 || prices.length < row.sparkline_in_7d.price.length
    ? []
    : [{ id: row.id, end: DateTime.min(row.last_updated, retrievedAt), prices }]
}
