// `/v1/search` and `/v1/contract/{platform}/{address}`.
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { Coins } from "../../services/Coins.ts"
import { answer, coinDetail, refusing, unknownContract } from "./Answer.ts"
import { using } from "./HandlerLayer.ts"

export const SearchHandlers = HttpApiBuilder.group(
  Api,
  "finding",
  Effect.fn(function* (handlers) {
    const coins = yield* Coins
    return handlers.handleAll({
      search: ({ query: { limit = 10, q } }) =>
        coins.search(q, limit).pipe(
          Effect.flatMap(({ observedAt, source, value }) => {
            const found = value.map(({ coin, matched, rank }) => ({ ...coin, rank, matched }))
            return answer({ query: q, coins: found }, { source, updated: observedAt })
          }),
          refusing
        ),
      contract: ({ params: { address, platform } }) =>
        coins.contract(platform, address).pipe(
          Effect.flatMap((coin) => coinDetail(coins, coin)),
          Effect.catchTag("UnknownCoin", (unknown) => unknownContract(platform, unknown)),
          refusing
        )
    })
  })
).pipe(using(Coins))
