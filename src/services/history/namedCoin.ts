// A coin's id and ticker, for answers that need no present price: also while no source answers.
import { Effect } from "effect"
import type { Coin } from "../../domain/Coin.ts"
import type { Coins, UnknownCoin } from "../Coins.ts"
import * as Patience from "../refresh/Patience.ts"
import type { Unavailable } from "../refresh/Unavailable.ts"

type Named = Pick<Coin, "id" | "symbol" | "name">

/** The coin by id in lower case, by the sources or, where none can be asked, by what is known of ids. */
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
