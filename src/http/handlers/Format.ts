// Answers in a format that the caller chooses. `Question.ts` decides it from `format` and `Accept`; handlers see only the
// parameter `format`.
import { DateTime, Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { Caller } from "../../api/Caller.ts"
import { note } from "../response/Notes.ts"
import type { Ledger } from "../response/PriceDirectives.ts"
import type { Stamp } from "./Stamp.ts"

export type Format = TableFormat | Ledger

/** The formats of every table. Lists of prices also have ledger formats. */
export type TableFormat = "json" | "csv"

/** Source and time of a body that has no `meta`, as headers. */
export const stampHeaders = ({ source, updated }: Stamp) => ({
  "x-source": source,
  "x-updated": DateTime.formatIso(updated)
})

/** `{ data, meta }` for the current caller, without encoding by a schema. */
export const jsonAnswer = ({ source, updated }: Stamp, data: () => object) =>
  Effect.andThen(
    note({ updated }),
    Effect.map(Caller, ({ tier }) =>
      HttpServerResponse.jsonUnsafe({ data: data(), meta: { source, updated: DateTime.formatIso(updated), tier } })
    )
  )

/** {@link jsonAnswer}, or `text` for another format. */
export const formatted = (
  format: Format,
  stamp: Stamp,
  data: () => object,
  text: (format: Exclude<Format, "json">) => string
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, Caller> => {
  if (format === "json") return jsonAnswer(stamp, data)
  const contentType = format === "csv" ? "text/csv; charset=utf-8" : "text/plain; charset=utf-8"
  return Effect.as(
    note({ updated: stamp.updated }),
    HttpServerResponse.text(text(format), { contentType, headers: stampHeaders(stamp) })
  )
}
