// CoinGecko's wire format, mapped to domain values. Any figure may be null; a cap or supply of 0 is unknown. Percentages are
// in percent.
import { Schema } from "effect"
import type { Coin } from "../../domain/Coin.ts"
import type { ListedCoin } from "../../domain/CoinIndex.ts"
import type { PriceHistory } from "../../domain/PriceHistory.ts"
import * as WireFormat from "../client/WireFormat.ts"

export const MarketRow = Schema.Struct({
  id: WireFormat.Id,
  symbol: WireFormat.Text,
  name: WireFormat.Text,
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

/** The same row with `sparkline=true`: hourly prices of seven days, oldest first, the last one at `last_updated`. */
export const SparklineRow = Schema.Struct({
  id: WireFormat.Id,
  sparkline_in_7d: Schema.Struct({ price: Schema.Array(Schema.NullOr(Schema.Finite)) }),
  last_updated: WireFormat.Instant
})

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

/** A row of `/coins/list?include_platform=true`. A coin with its own chain has `{}` or `{ "": "" }`. */
export const ListRow = Schema.Struct({
  id: WireFormat.Id,
  symbol: WireFormat.Text,
  name: WireFormat.Text,
  platforms: Schema.optionalKey(Schema.NullOr(Schema.Record(Schema.String, Schema.NullOr(Schema.String))))
})

export const toCoin = (row: typeof MarketRow.Type): Coin => ({
  id: row.id,
  symbol: row.symbol.toUpperCase(),
  name: row.name,
  rank: row.market_cap_rank ?? null,
  price: row.current_price,
  market_cap: row.market_cap ?? null,
  volume_24h: row.total_volume ?? null,
  circulating_supply: row.circulating_supply ?? null,
  total_supply: row.total_supply ?? null,
  max_supply: row.max_supply ?? null,
  change_1h: row.price_change_percentage_1h_in_currency ?? null,
  change_24h: row.price_change_percentage_24h ?? null,
  change_7d: row.price_change_percentage_7d_in_currency ?? null,
  updated: row.last_updated,
  high_24h: row.high_24h ?? null,
  low_24h: row.low_24h ?? null,
  ath: row.ath ?? null,
  ath_date: row.ath_date ?? null,
  image: row.image?.startsWith("https://") === true ? row.image : null
})

/** Longer contract addresses are dropped: no chain has such. */
const LONGEST_ADDRESS = 200

export const toEntry = ({ id, name, platforms, symbol }: typeof ListRow.Type): ListedCoin => ({
  id,
  symbol: symbol.toUpperCase(),
  name,
  platforms:
    platforms === undefined || platforms === null
      ? null
      : Object.fromEntries(
          Object.entries(platforms).flatMap(([platform, text]) => {
            const address = text?.trim() ?? ""
            return platform === "" || address === "" || address.length > LONGEST_ADDRESS ? [] : [[platform, address]]
          })
        )
})

/** A coin's hourly prices; empty if an hour is missing. */
export const toHistory = ({
  id,
  last_updated,
  sparkline_in_7d
}: typeof SparklineRow.Type): ReadonlyArray<PriceHistory> => {
  const prices = sparkline_in_7d.price.filter((price) => price !== null)
  return prices.length < 2 || prices.length < sparkline_in_7d.price.length ? [] : [{ id, end: last_updated, prices }]
}

/** The past prices of a coin. Its rows are decoded one by one. */
export const ChartBody = Schema.Struct({ prices: WireFormat.Rows(5_000) })

/** A time in epoch milliseconds, and the price in USD. */
export const ChartRow = Schema.Tuple([Schema.Finite, Schema.Finite])
