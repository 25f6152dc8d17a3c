// Coins, prices and the market as a whole, over HTTP.
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Access } from "../../api/Access.ts"
import { Api } from "../../api/Api.ts"
import { Cacheable } from "../../api/Cacheable.ts"
import { Validation } from "../../api/Validation.ts"
import { Coins } from "../../services/Coins.ts"
import { Conversions } from "../../services/Conversions.ts"
import { GlobalMarkets } from "../../services/GlobalMarkets.ts"
import { AccessLayer } from "../gate/AccessLayer.ts"
import { answer, noPrice, sourceUnavailable, unknownCoin } from "./Answer.ts"
import { withHeader } from "../response/RequestState.ts"
import * as ContextSubset from "./ContextSubset.ts"
import { CacheableLayer } from "../response/CacheableLayer.ts"
import { ValidationLayer } from "../gate/ValidationLayer.ts"

/** Implements the market group over the services. */
export const MarketHandlers = HttpApiBuilder.group(
  Api,
  "market",
  Effect.fn(function* (handlers) {
    const coins = yield* Coins
    const conversions = yield* Conversions
    const globalMarkets = yield* GlobalMarkets

    return handlers.handleAll({
      global: () =>
        globalMarkets.current.pipe(
          Effect.flatMap(({ observedAt, source, value }) => answer(value, { source, updated: observedAt })),
          Effect.catchTag("Unavailable", sourceUnavailable)
        ),
      coins: Effect.fnUntraced(
        function* ({ query }) {
          const { limit = 100, page = 1 } = query
          const { observedAt, source, value } = yield* coins.page(page, limit)
          yield* withHeader("link", pageLinks(page, limit, value.more))
          return yield* answer({ coins: value.coins, page, limit }, { source, updated: observedAt })
        },
        Effect.catchTag("Unavailable", sourceUnavailable)
      ),
      coin: ({ params }) =>
        coins.coin(params.id).pipe(
          Effect.flatMap(({ observedAt, source, value }) => answer(value, { source, updated: observedAt })),
          Effect.catchTags({ UnknownCoin: unknownCoin, Unavailable: sourceUnavailable })
        ),
      price: ({ params }) =>
        conversions.price(params.id, params.fiat).pipe(
          Effect.flatMap(({ change_24h, coin, price, source, updated }) =>
            answer({ id: coin.id, symbol: coin.symbol, fiat: params.fiat, price, change_24h }, { source, updated })
          ),
          Effect.catchTags({ UnknownCoin: unknownCoin, NoPrice: noPrice, Unavailable: sourceUnavailable })
        )
    })
  })
).pipe(
  ContextSubset.withContextSubset(Coins, Conversions, GlobalMarkets, Validation, Access, Cacheable),
  Layer.provide([ValidationLayer, AccessLayer, CacheableLayer])
)

/** RFC 8288 links to the pages around this one. */
const pageLinks = (page: number, limit: number, more: boolean): string => {
  const link = (to: number, rel: string) => `</v1/coins?limit=${limit}&page=${to}>; rel="${rel}"`
  return [
    link(1, "first"),
    ...(page > 1 ? [link(page - 1, "prev")] : []),
    ...(more ? [link(page + 1, "next")] : [])
  ].join(", ")
}
