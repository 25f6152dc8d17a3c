// The answer about one coin, by its id or by its contract.
import { Effect } from "effect"
import type { Coin } from "../../domain/Coin.ts"
import type { Snapshot } from "../../domain/Snapshot.ts"
import type { Coins } from "../../services/Coins.ts"
import { answer, stampOf } from "./Answer.ts"

/** A coin with its contract addresses, stamped with its own time. */
export const coinDetail = (coins: Coins["Service"], coin: Snapshot<Coin>) =>
  Effect.flatMap(coins.platforms(coin.value.id), (platforms) => answer({ ...coin.value, platforms }, stampOf(coin)))
