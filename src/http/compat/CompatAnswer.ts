// Responses of the compat APIs: the body alone, with source and time in headers. In CoinGecko's shapes USD figures are converted at
// the current rate. Not converted: all-time highs, and 24 h highs and lows in naira or a coin, whose rates move all day.
import { HttpServerResponse } from "effect/http"
import { jsonFigure, type Written } from "../../domain/JsonNumber.ts"
import { difference, percentAbove, roundTo } from "../../domain/Decimal.ts"
import type { Coin } from "../../domain/Coin.ts"
import { usualMarket } from "../../domain/P2pMarket.ts"
import { coinOfVs, unitOf } from "../../domain/VsCurrency.ts"
import { computed, figure } from "../handlers/figure.ts"
import type { Stamp } from "../handlers/Stamp.ts"
import { stampHeaders } from "../handlers/Format.ts"

/** A number in a body; `null` if unknown. */
export type Figure = Written | null

/** A price rounded to `decimals`; `null` keeps all digits. */
export const price = (value: number | null, decimals: number | null = null): Figure =>
  value === null || decimals === null ? figure(value) : jsonFigure(roundTo(value, decimals))

/** Figures by currency, without the unknown ones. */
export type InEach = (valueOf: (vs: string) => Figure) => Readonly<Record<string, Figure>>

export const inEachOf =
  (vss: ReadonlyArray<string>): InEach =>
  (valueOf) =>
    Object.fromEntries(vss.map((vs): [string, Figure] => [vs, valueOf(vs)]).filter(([, value]) => value !== null))

/** The address of a coin's image in one of CoinGecko's sizes. Images of other sources have one size. */
export const imageOf = (image: string | null, size: "thumb" | "small" | "large"): string =>
  image === null ? `missing_${size}.png` : size === "large" ? image : image.replace("/large/", `/${size}/`)

/** Converts a USD figure. At a rate of 1 it keeps its source's digits. */
export const inVs = (value: number | null, rate: number | null) =>
  rate === 1 ? figure(value) : computed(value === null || rate === null ? null : value * rate)

/** The rate for a 24 h high or low; `null` for the naira and for coins. */
export const dailyRate = (vs: string, rate: number | null): number | null =>
  vs === usualMarket.fiat.toLowerCase() || coinOfVs(unitOf(vs).of) !== undefined ? null : rate

/** The absolute change of a price in 24 hours. */
export const changeOf = (quote: Pick<Coin, "price" | "change_24h"> | undefined): number | null =>
  quote === undefined || quote.price === null || quote.change_24h === null
    ? null
    : (quote.price * quote.change_24h) / difference(quote.change_24h, -100)

/** How far a price is above or below the all-time high, percent. */
export const sinceHigh = ({ ath, price }: Coin): number | null =>
  ath === null || price === null ? null : percentAbove(price, ath)

/** `stamp`: omitted for a body without observed data. */
export const jsonResponse = (body: unknown, stamp?: Stamp): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(body, { headers: stamp && stampHeaders(stamp) })
