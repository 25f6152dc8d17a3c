// Answers in a format that the caller chooses. `Question.ts` decides it from `format` and `Accept`; handlers see only the
// parameter `format`.
import { DateTime, Effect, Schema } from "effect"
import { HttpBody, HttpServerResponse } from "effect/http"
import { Caller } from "../../api/Caller.ts"
import { note } from "../response/Notes.ts"
import { type Cell, csv } from "../response/Csv.ts"
import { signed, type Signer } from "../response/Signature.ts"
import type { Ledger } from "../response/PriceDirectives.ts"
import { answer } from "./Envelope.ts"
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

const isText = <F extends string>(format: F): format is Exclude<F, "json"> => format !== "json"

/** {@link jsonAnswer}, or `text` for another format. */
export const formatted = <F extends string>(
  format: F,
  stamp: Stamp,
  data: () => object,
  text: (format: Exclude<F, "json">) => string
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, Caller> => {
  if (!isText(format)) return jsonAnswer(stamp, data)
  return Effect.as(note({ updated: stamp.updated }), HttpServerResponse.text(text(format), textOptions(format, stamp)))
}

/** {@link formatted} with the signature of the operator, if there is one. */
export const signedBy =
  (signer: Signer | undefined): typeof formatted =>
  (format, ...answer) =>
    Effect.map(formatted(format, ...answer), (response) => {
      const { body } = response
      if (signer === undefined || body._tag !== "Uint8Array") return response
      const text = signed(signer, format, body.text ?? new TextDecoder().decode(body.body))
      return HttpServerResponse.setBody(response, HttpBody.text(text, body.contentType))
    })

/** Content type and stamp of a body that is not JSON. */
export const textOptions = (format: string, stamp: Stamp) => ({
  contentType: format === "csv" ? "text/csv; charset=utf-8" : "text/plain; charset=utf-8",
  headers: stampHeaders(stamp)
})

/** How `A` is written as one row of CSV. */
export interface Row<A> {
  readonly columns: ReadonlyArray<string>
  readonly cells: (data: A) => Readonly<Record<string, Cell>>
}

/** The members of a schema without members of their own, each a column. */
export const rowOf = <A, I extends Readonly<Record<string, Cell>>>(
  schema: Schema.Codec<A, I> & { readonly fields: object }
): Row<A> => ({ columns: Object.keys(schema.fields), cells: Schema.encodeSync(schema) })

/** `{ data, meta }`, which the endpoint's schema encodes, or one row of CSV that ends with `source` and `updated`. */
export const recordAnswer = Effect.fnUntraced(function* <A>(
  format: TableFormat,
  stamp: Stamp,
  data: A,
  { cells, columns }: Row<A>
) {
  if (format === "json") return yield* answer(data, stamp)
  const stamps = { source: stamp.source, updated: DateTime.formatIso(stamp.updated) }
  const named = [...new Set([...columns, ...Object.keys(stamps)])]
  yield* note({ updated: stamp.updated })
  return HttpServerResponse.text(csv(named, [{ ...cells(data), ...stamps }]), textOptions(format, stamp))
})
