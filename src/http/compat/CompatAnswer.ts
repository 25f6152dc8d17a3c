// Answers for programs made for CoinGecko: the body alone, with source and time in headers.
import { DateTime } from "effect"
import { HttpServerResponse } from "effect/http"
import { jsonFigure, type Written } from "../../api/JsonNumber.ts"
import { roundTo } from "../../domain/Decimal.ts"
import { vsCurrencies } from "../../domain/VsCurrency.ts"
import * as Patience from "../../services/refresh/Patience.ts"
import { figure, refusing, type Stamp } from "../handlers/Answer.ts"
import { COMPAT_VARY } from "./CoinGeckoKeys.ts"

/** A number of a body, or `null` where it is not known. */
export type Figure = Written | null

/** A price with so many decimals; `null` and none given are all of them. */
export const price = (value: number | null, decimals: number | null = null): Figure =>
  value === null || decimals === null ? figure(value) : jsonFigure(roundTo(value, decimals))

/** Figures by currency; those that are not known are left out. */
export const inEach = (valueOf: (vs: string) => Figure): Readonly<Record<string, Figure>> =>
  Object.fromEntries(
    vsCurrencies.map((vs): [string, Figure] => [vs, valueOf(vs)]).filter(([, value]) => value !== null)
  )

/** The response with this body. Without a stamp it says nothing that a source observed. */
export const answered = (body: unknown, stamp?: Stamp): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(body, {
    headers: {
      vary: COMPAT_VARY,
      ...(stamp && { "x-source": stamp.source, "x-updated": DateTime.formatIso(stamp.updated) })
    }
  })

/** Answers failures with their problems. All waits of the answer end together. */
export const answering: typeof refusing = (made) => Patience.shared(refusing(made))
