// Coins, their prices and the market as a whole.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { quotedFiats } from "../domain/Fiat.ts"
import { envelope, Instant } from "./Envelope.ts"
import { JsonNumber } from "./JsonNumber.ts"
import { CoinId, Fiat, Limit, Page } from "./Parameters.ts"
import { Kept } from "./PerSnapshot.ts"
import { NoPrice, SourceUnavailable, UnknownCoin } from "./Problems.ts"

const Figure = Schema.NullOr(JsonNumber)

const row = {
  id: Schema.String,
  symbol: Schema.String,
  name: Schema.String,
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
  updated: Instant
}

/** A coin in a list. Money in USD, changes in percent, what is unknown is null. */
export const Coin = Schema.Struct(row).annotate({ identifier: "Coin" })

/** A coin by itself. */
export const CoinDetail = Schema.Struct({
  ...row,
  high_24h: Figure,
  low_24h: Figure,
  ath: Figure,
  ath_date: Schema.NullOr(Instant),
  image: Schema.NullOr(Schema.String)
}).annotate({ identifier: "CoinDetail" })

const Global = Schema.Struct({
  market_cap: JsonNumber,
  volume_24h: Figure,
  market_cap_change_24h: Figure,
  btc_dominance: Figure,
  eth_dominance: Figure,
  active_coins: Figure
}).annotate({ identifier: "Global" })

const Coins = Schema.Struct({ coins: Schema.Array(Coin), page: Schema.Int, limit: Schema.Int }).annotate({
  identifier: "Coins"
})

const Price = Schema.Struct({
  id: Schema.String,
  symbol: Schema.String,
  fiat: Schema.Literals(quotedFiats),
  price: JsonNumber,
  change_24h: Figure
}).annotate({ identifier: "Price" })

/** `/v1/global`, `/v1/coins`, `/v1/coins/{id}`, `/v1/price/{id}/{fiat}`. */
export class MarketApi extends HttpApiGroup.make("market").add(
  HttpApiEndpoint.get("global", "/global", {
    success: envelope("GlobalAnswer", Global),
    error: [SourceUnavailable]
  }).annotate(Kept, true),
  HttpApiEndpoint.get("coins", "/coins", {
    query: { limit: Schema.optionalKey(Limit), page: Schema.optionalKey(Page) },
    success: envelope("CoinsAnswer", Coins),
    error: [SourceUnavailable]
  }).annotate(Kept, true),
  HttpApiEndpoint.get("coin", "/coins/:id", {
    params: { id: CoinId },
    success: envelope("CoinAnswer", CoinDetail),
    error: [UnknownCoin, SourceUnavailable]
  }).annotate(Kept, true),
  HttpApiEndpoint.get("price", "/price/:id/:fiat", {
    params: { id: CoinId, fiat: Fiat },
    success: envelope("PriceAnswer", Price),
    error: [UnknownCoin, NoPrice, SourceUnavailable]
  }).annotate(Kept, true)
) {}
