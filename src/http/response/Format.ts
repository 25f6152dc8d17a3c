// Which format an answer has: what `format` says, else CSV where `Accept` prefers it, else JSON. Where a format can be
// chosen, responses vary by `Accept`, and are cached apart.
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { commonHeaders } from "./CommonHeaders.ts"

export type Format = TableFormat | "hledger" | "beancount"

/** The formats of an endpoint whose answer is no list of prices. */
export type TableFormat = "json" | "csv"

/** How much a media range is wanted, from 0 to 1; undefined where it is not named. */
const quality = (accept: string, type: string): number | undefined => {
  const range = accept.split(",").find((one) => one.split(";")[0]?.trim().toLowerCase() === type)
  if (range === undefined) return undefined
  const q = /;\s*q=([0-9.]+)/i.exec(range)?.[1]
  return q === undefined ? 1 : Number(q)
}

/** Whether CSV is asked for by name, and JSON not more. */
export const prefersCsv = (accept: string | undefined): boolean => {
  if (accept === undefined || !/text\/csv/i.test(accept)) return false
  const csv = quality(accept, "text/csv") ?? 0
  return csv > 0 && csv >= (quality(accept, "application/json") ?? 0)
}

/** Under what an answer to this URL is cached for a caller with this `Accept`. */
export const cacheKey = (url: string, accept: string | undefined): string =>
  prefersCsv(accept) ? `${url} text/csv` : url

export const formatOf = <F extends Format>(
  format: F | undefined
): Effect.Effect<F | "csv" | "json", never, HttpServerRequest.HttpServerRequest> =>
  format === undefined
    ? Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => (prefersCsv(headers["accept"]) ? "csv" : "json"))
    : Effect.succeed(format)

const vary = { vary: `${commonHeaders.vary}, Accept` }

/** An answer in JSON that could have had another format. */
export const json = (body: unknown): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(body, { headers: vary })

/** An answer in another format, whose source and time are in headers. */
export const text = (
  format: Exclude<Format, "json">,
  body: string,
  meta: { readonly source: string; readonly updated: string }
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(body, {
    contentType: format === "csv" ? "text/csv; charset=utf-8" : "text/plain; charset=utf-8",
    headers: { ...vary, "x-source": meta.source, "x-updated": meta.updated }
  })
