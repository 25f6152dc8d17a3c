// A coin as the market sees it, and the one order in which coins are listed. Field names are those of the contract.
import { type DateTime, Order } from "effect"

/**
 * One coin. Money in USD, changes in percent (2.5 = 2.5 %), supplies in coins; what nobody said is `null`, never 0.
 */
export interface Coin {
  /** Identifier in CoinGecko's registry, lower case. */
  readonly id: string
  /** Ticker, upper case. */
  readonly symbol: string
  readonly name: string
  /** The source's own rank; not unique. */
  readonly rank: number | null
  readonly price: number | null
  readonly market_cap: number | null
  readonly volume_24h: number | null
  readonly circulating_supply: number | null
  readonly total_supply: number | null
  readonly max_supply: number | null
  readonly change_1h: number | null
  readonly change_24h: number | null
  readonly change_7d: number | null
  /** When the source last observed this coin; may lag the list it is in by hours. */
  readonly updated: DateTime.Utc
  readonly high_24h: number | null
  readonly low_24h: number | null
  readonly ath: number | null
  readonly ath_date: DateTime.Utc | null
  readonly image: string | null
}

/** Market cap descending, unknown caps last, then id: total, so that pages never depend on the order of arrival. */
export const byMarketCap: Order.Order<Coin> = Order.combine(
  Order.mapInput(Order.flip(Order.Number), (coin: Coin) => coin.market_cap ?? Number.NEGATIVE_INFINITY),
  Order.mapInput(Order.String, (coin: Coin) => coin.id)
)
