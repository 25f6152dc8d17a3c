// `/v1/prices`.
import { DateTime, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { Coins } from "../../services/Coins.ts"
import { Conversions } from "../../services/Conversions.ts"
import { startOf } from "../../domain/history/Moment.ts"
import { Past } from "../../services/history/Past.ts"
import { formatOf } from "../response/Format.ts"
import { atMoment, refusing, stampOf } from "./Answer.ts"
import { using } from "./HandlerLayer.ts"
import { OWN_RECORD } from "./HistoryBody.ts"
import { pricesBody } from "./PricesBody.ts"

export const PricesHandlers = HttpApiBuilder.group(
  Api,
  "many",
  Effect.fn(function* (handlers) {
    const coins = yield* Coins
    const conversions = yield* Conversions
    const past = yield* Past

    /** The stamp of an answer without a row: of the list that lacks the coins, or of this moment while none is held. */
    const stampOfNothing = Effect.matchEffect(coins.list, {
      onSuccess: (list) => Effect.succeed(stampOf(list)),
      onFailure: () => Effect.map(DateTime.now, (updated) => ({ source: "crypto-data-api", updated }))
    })

    return handlers.handleAll({
      prices: Effect.fnUntraced(function* ({ query }) {
        const { basis, fiats = ["USD"], format, ids } = query
        const now = Effect.map(conversions.prices(ids, fiats, basis), (found) => ({
          found,
          otherwise: stampOfNothing
        }))
        const { found, otherwise } = yield* atMoment(query, now, (moment) =>
          Effect.map(past.prices(moment, ids, fiats, basis), (found) => ({
            found,
            otherwise: Effect.succeed({ source: OWN_RECORD, updated: DateTime.makeUnsafe(startOf(moment)) })
          }))
        )
        return yield* pricesBody(found, otherwise, yield* formatOf(format))
      }, refusing)
    })
  })
).pipe(using(Coins, Conversions, Past))
