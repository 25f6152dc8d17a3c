// Answers of which the format can be chosen. Which one was asked for, by `format` or by `Accept`, is decided where the target is
// read; a handler sees it as the parameter `format`.
import { HttpServerResponse } from "effect/http"

export type Format = TableFormat | "hledger" | "beancount"

/** The formats of an endpoint whose answer is no list of prices. */
export type TableFormat = "json" | "csv"

/** An answer in JSON, written without the schemas of the contract. */
export const json = (body: unknown): HttpServerResponse.HttpServerResponse => HttpServerResponse.jsonUnsafe(body)

/** An answer in another format, whose source and time are in headers. */
export const text = (
  format: Exclude<Format, "json">,
  body: string,
  meta: { readonly source: string; readonly updated: string }
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(body, {
    contentType: format === "csv" ? "text/csv; charset=utf-8" : "text/plain; charset=utf-8",
    headers: { "x-source": meta.source, "x-updated": meta.updated }
  })
