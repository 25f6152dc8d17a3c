// `/v1/search` and `/v1/contract/{platform}/{address}`.
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { Coins } from "../../services/Coins.ts"
import { answer, coinDetail } from "./Envelope.ts"
import { refusing, UnknownContract } from "./refusing.ts"
import { stampOf } from "./Stamp.ts"

export const SearchHandlers = HttpApiBuilder.group(
  Api,
  "search",
  Effect.fn(function* (handlers) {
    const coins = yield* Coins
    return handlers.handleAll({
      search: Effect.fnUntraced(function* ({ query: { limit, q } }) {
        const found = yield* coins.search(q, limit)
        const rows = found.value.map(({ coin, matched, rank }) => ({ ...coin, rank, matched }))
        return yield* answer({ query: q, coins: rows }, stampOf(found))
      }, refusing),
      contract: ({ params: { address, platform } }) =>
        coins.contract(platform, address).pipe(
          Effect.flatMap((coin) => Effect.flatMap(coinDetail(coins, coin), (data) => answer(data, stampOf(coin)))),
          Effect.catchTag("UnknownCoin", ({ id, suggestions }) =>
            Effect.fail(new UnknownContract({ platform, address: id, suggestions }))
          ),
          refusing
        )
    })
  })
)
