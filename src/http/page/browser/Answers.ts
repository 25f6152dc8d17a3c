// The API's answers as the page reads them: the contract's types, with each JSON number as its text, because a double loses digits
// that the page shows. Only types, so no code of the contract is sent to the browser.
import type { BigDecimal, DateTime } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import type { Api } from "../../../api/Api.ts"

/** A JSON number as the server wrote it, such as `0.0000001`. */
export type Figure = `${number}`

/** RFC 3339, UTC. */
export type Instant = string

type Sent<Value> = Value extends number | BigDecimal.BigDecimal
  ? Figure
  : Value extends DateTime.Utc
    ? Instant
    : Value extends string | boolean | null
      ? Value
      : { readonly [Key in keyof Value]: Sent<Value[Key]> }

type Answer<Endpoint> = Sent<HttpApiEndpoint.Success<Endpoint>["Type"]>

type Groups = (typeof Api)["groups"]

export type Meta = Answer<Groups["p2p"]["endpoints"]["p2pMarket"]>["meta"]
export type Markets = Answer<Groups["p2p"]["endpoints"]["p2pMarkets"]>["data"]
export type Market = Answer<Groups["p2p"]["endpoints"]["p2pMarket"]>["data"]
export type MarketHistory = Answer<Groups["history"]["endpoints"]["p2pHistory"]>["data"]
export type PriceHistory = Answer<Groups["history"]["endpoints"]["priceHistory"]>["data"]
export type Conversion = Answer<Groups["conversion"]["endpoints"]["convert"]>["data"]
export type Search = Answer<Groups["search"]["endpoints"]["search"]>["data"]
export type Global = Answer<Groups["market"]["endpoints"]["global"]>["data"]
export type Coins = Answer<Groups["market"]["endpoints"]["coins"]>["data"]
export type Coin = Coins["coins"][number]
export type CoinDetail = Answer<Groups["market"]["endpoints"]["coin"]>["data"]
export type Tickers = Answer<Groups["market"]["endpoints"]["tickers"]>["data"]
export type Prices = Answer<Groups["prices"]["endpoints"]["prices"]>["data"]
export type Sources = Answer<Groups["sources"]["endpoints"]["sources"]>["data"]
export type Why = Answer<Groups["why"]["endpoints"]["movers"]>["data"]
export type WhyOne = Answer<Groups["why"]["endpoints"]["mover"]>["data"]
export type Mover = Why["movers"][number]

export type Driver = Mover["drivers"][number]
export type Citation = Mover["citations"][number]

/** An error document (RFC 9457), or the page's own text if there is none. */
export interface Problem {
  readonly title: string
  readonly detail?: string
  readonly code?: string
  readonly type?: string
  readonly status?: Figure
  readonly instance?: string
  readonly errors?: ReadonlyArray<{ readonly parameter: string; readonly detail: string }>
  /** Of an amount that P2P markets cannot fill: what they can, in this fiat. */
  readonly available?: Figure
  readonly fiat?: string
  readonly suggestions?: ReadonlyArray<{ readonly id: string; readonly symbol: string; readonly name: string }>
  /** Seconds, from `Retry-After`. */
  readonly retryAfter?: number
}

export type Result<Data> =
  | { readonly data: Data; readonly meta: Meta; readonly problem?: undefined }
  | { readonly problem: Problem }
