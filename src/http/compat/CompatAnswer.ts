// Answers for programs made for other services: the body alone, with source and time in headers. In CoinGecko's shapes money in
// other currencies than the dollar is given at the dollar's present rate, except what that would make up: a high of 24 hours in a
// currency that is quoted all day long, and an all-time high.
import { HttpServerResponse } from "effect/http"
import { jsonFigure, type Written } from "../../domain/JsonNumber.ts"
import { difference, percentAbove, roundTo } from "../../domain/Decimal.ts"
import type { Coin } from "../../domain/Coin.ts"
import { usualMarket } from "../../domain/P2pMarket.ts"
import { coinOfVs, unitOf } from "../../domain/VsCurrency.ts"
import { computed, figure } from "../handlers/figure.ts"
import type { Stamp } from "../handlers/Stamp.ts"
import { stampHeaders } from "../handlers/Format.ts"

/** A number of a body, or `null` where it is not known. */
export type Figure = Written | null

/** A price with so many decimals; `null` and none given are all of them. */
export const price = (value: number | null, decimals: number | null = null): Figure =>
  value === null || decimals === null ? figure(value) : jsonFigure(roundTo(value, decimals))

/** Figures by currency; those that are not known are left out. */
export type InEach = (valueOf: (vs: string) => Figure) => Readonly<Record<string, Figure>>

export const inEachOf =
  (vss: ReadonlyArray<string>): InEach =>
  (valueOf) =>
    Object.fromEntries(vss.map((vs): [string, Figure] => [vs, valueOf(vs)]).filter(([, value]) => value !== null))

/** The address of a coin's image in one of CoinGecko's sizes. Images of other sources have one size. */
export const imageOf = (image: string | null, size: "thumb" | "small" | "large"): string =>
  image === null ? `missing_${size}.png` : size === "large" ? image : image.replace("/large/", `/${size}/`)

/** A USD figure at a rate of the dollar. At 1 it keeps its source's digits. */
export const inVs = (value: number | null, rate: number | null) =>
  rate === 1 ? figure(value) : computed(value === null || rate === null ? null : value * rate)

/** The rate for a high or low of 24 hours: none in what is quoted all day long. */
export const dailyRate = (vs: string, rate: number | null): number | null =>
  vs === usualMarket.fiat.toLowerCase() || coinOfVs(unitOf(vs).of) !== undefined ? null : rate

/** By how much a price changed in 24 hours. */
export const changeOf = (quote: Pick<Coin, "price" | "change_24h"> | undefined): number | null =>
  quote === undefined || quote.price === null || quote.change_24h === null
    ? null
    : (quote.price * quote.change_24h) / difference(quote.change_24h, -100)

/** How far a price is above or below the all-time high, percent. */
export const sinceHigh = ({ ath, price }: Coin): number | null =>
  ath === null || price === null ? null : percentAbove(price, ath)

/** The response with this body. Without a stamp it says nothing that a source observed. */
export const jsonResponse = (body: unknown, stamp?: Stamp): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(body, { headers: stamp && stampHeaders(stamp) })
