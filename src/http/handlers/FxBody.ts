// The body of the fiat rates, in JSON or CSV.
import { Effect, Schema } from "effect"
import type { HttpServerResponse } from "effect/http"
import { FxAnswer } from "../../api/ConversionApi.ts"
import type { FxRates } from "../../domain/FxRates.ts"
import type { Snapshot } from "../../domain/Snapshot.ts"
import { csv } from "../response/Csv.ts"
import * as Format from "../response/Format.ts"
import { answer } from "./Answer.ts"

const encode = Schema.encodeSync(FxAnswer)

const COLUMNS = ["base", "quote", "rate", "observed", "source", "updated"]

/** `{ data, meta }` for the current caller. CSV has a row for each rate. */
export const fxBody = (
  { observedAt, source, value }: Snapshot<FxRates>,
  format: Format.TableFormat
): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.map(answer({ base: "USD" as const, ...value }, { source, updated: observedAt }), (answered) => {
    const { data, meta } = encode(answered)
    if (format === "json") return Format.json({ data, meta })
    const { source, updated } = meta
    const rows = Object.entries(data.rates).map(([quote, rate]) => ({
      base: data.base,
      quote,
      rate,
      observed: data.observed[quote] ?? null,
      source,
      updated
    }))
    return Format.text(format, csv(COLUMNS, rows), meta)
  })
