// A snapshot's stamp made into `meta`, and service failures made into problems.
import type { DateTime } from "effect"
import { Effect } from "effect"
import { Caller } from "../../api/Caller.ts"
import * as Problems from "../../api/Problems.ts"
import type { UnknownCoin } from "../../services/Coins.ts"
import type { NoPrice } from "../../services/Conversions.ts"
import type { Unavailable } from "../../services/refresh/Unavailable.ts"
import { withHeader } from "../response/RequestState.ts"

/** What an answer is stamped with. */
export interface Stamp {
  readonly source: string
  readonly updated: DateTime.Utc
}

/** `{ data, meta }` for the caller at hand. */
export const answer = <A>(data: A, { source, updated }: Stamp) =>
  Effect.map(Caller, ({ tier }) => ({ data, meta: { source, updated, tier } }))

/** 503, with the time at which to ask again. */
export const sourceUnavailable = (failure: Unavailable) =>
  withHeader("retry-after", String(failure.retryAfter)).pipe(
    Effect.andThen(
      Effect.fail(
        new Problems.SourceUnavailable({
          code: "source_unavailable",
          detail: `${failure.message}. Ask again in ${failure.retryAfter} s.`
        })
      )
    )
  )

const wasMeant = (suggestions: UnknownCoin["suggestions"]): string =>
  suggestions.length === 0 ? "" : ` Perhaps ${suggestions.map(({ id }) => id).join(", ")}?`

/** 404 for a coin. */
export const unknownCoin = ({ id, suggestions }: UnknownCoin) =>
  Effect.fail(
    new Problems.UnknownCoin({
      code: "unknown_coin",
      detail: `No coin has the identifier "${id}".${wasMeant(suggestions)}`,
      suggestions
    })
  )

/** 404 for one end of a conversion. */
export const unknownAsset = ({ id, suggestions }: UnknownCoin) =>
  Effect.fail(
    new Problems.UnknownAsset({
      code: "unknown_asset",
      detail: `"${id}" is neither a coin's identifier nor a fiat's code.${wasMeant(suggestions)}`,
      suggestions
    })
  )

/** 404 for an asset without a price. */
export const noPrice = ({ asset }: NoPrice) =>
  Effect.fail(new Problems.NoPrice({ code: "no_price", detail: `${asset} exists, but no source has a price for it.` }))
