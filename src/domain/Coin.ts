// A coin with its market figures, and the order of every list of coins. Field names are those of the contract.
import { Order, Record, Schema } from "effect"

const Figure = Schema.NullOr(Schema.Finite)

const figures = {
  rank: Figure,
  price: Figure,
  market_cap: Figure,
  volume_24h: Figure,
  circulating_supply: Figure,
  total_supply: Figure,
  max_supply: Figure,
  change_1h: Figure,
  change_24h: Figure,
  change_7d: Figure,
  high_24h: Figure,
  low_24h: Figure,
  ath: Figure
}

export const noFigures = Record.map(figures, () => null)

/**
 * One coin. Money in USD, changes in percent (2.5 = 2.5 %), supplies in coins; unknown is `null`, never 0.
 *
 * - `id`: identifier in CoinGecko's registry, lower case. `symbol`: ticker, upper case.
 * - `rank`: the source's own; not unique.
 * - `updated`: when the source last observed this coin; may lag the list it is in by hours.
 */
export const Coin = Schema.Struct({
  id: Schema.String,
  symbol: Schema.String,
  name: Schema.String,
  ...figures,
  updated: Schema.DateTimeUtcFromString,
  ath_date: Schema.NullOr(Schema.DateTimeUtcFromString),
  image: Schema.NullOr(Schema.String)
})

export type Coin = typeof Coin.Type

/** A coin with only names and a price; all other figures are null. */
export const priceAlone = (
  { id, image, name, symbol }: Pick<Coin, "id" | "image" | "name" | "symbol">,
  { price, updated }: Pick<Coin, "price" | "updated">
): Coin => ({ ...noFigures, id, symbol, name, price, updated, ath_date: null, image })

/** Market cap descending, unknown caps last, then id. A total order, so that pages do not depend on the order of arrival. */
export const byMarketCap: Order.Order<Coin> = Order.combine(
  Order.mapInput(Order.flip(Order.Number), (coin: Coin) => coin.market_cap ?? Number.NEGATIVE_INFINITY),
  Order.mapInput(Order.String, (coin: Coin) => coin.id)
)
