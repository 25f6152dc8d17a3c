// A coin's id, ticker and name, for answers without a current price. Works while no source answers.
import { Effect } from "effect"
import type { Coin } from "../../domain/Coin.ts"
import type { Coins, UnknownCoin } from "../Coins.ts"
import * as Patience from "../refresh/Patience.ts"
import type { Unavailable } from "../refresh/Unavailable.ts"

type Named = Pick<Coin, "id" | "symbol" | "name">

/** The coin by id in lower case, from the sources or, if they are unavailable, from the search index. */
export const namedCoin = (
  coins: Pick<Coins["Service"], "coin" | "suggest">,
  id: string
): Effect.Effect<Named, UnknownCoin | Unavailable> =>
  Patience.early(coins.coin(id)).pipe(
    Effect.map(({ value }): Named => value),
    Effect.catchTag(
      "Unavailable",
      Effect.fnUntraced(function* (failure) {
        const suggestions = yield* coins.suggest(id)
        return suggestions.find((coin) => coin.id === id) ?? (yield* failure)
      })
    )
  )
