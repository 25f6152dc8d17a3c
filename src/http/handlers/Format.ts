// Answers of which the format can be chosen. Which one was asked for, by `format` or by `Accept`, is decided where the target is
// read; a handler sees it as the parameter `format`.
import { DateTime, Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { Caller } from "../../api/Caller.ts"
import type { Ledger } from "../response/PriceDirectives.ts"
import type { Stamp } from "./Stamp.ts"

export type Format = TableFormat | Ledger

/** The formats of an endpoint whose answer is no list of prices. */
export type TableFormat = "json" | "csv"

/** Source and time of a body that has no `meta`, as headers. */
export const stampHeaders = ({ source, updated }: Stamp) => ({
  "x-source": source,
  "x-updated": DateTime.formatIso(updated)
})

/** The answer for the current caller: `data` as JSON, written as it is, or `text` for another format. */
export const formatted = (
  format: Format,
  stamp: Stamp,
  data: () => object,
  text: (format: Exclude<Format, "json">) => string
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, Caller> =>
  Effect.map(Caller, ({ tier }) => {
    if (format === "json") {
      const meta = { source: stamp.source, updated: DateTime.formatIso(stamp.updated), tier }
      return HttpServerResponse.jsonUnsafe({ data: data(), meta })
    }
    const contentType = format === "csv" ? "text/csv; charset=utf-8" : "text/plain; charset=utf-8"
    return HttpServerResponse.text(text(format), { contentType, headers: stampHeaders(stamp) })
  })
