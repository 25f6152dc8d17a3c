// CoinGecko's paths by contract: `/coins/{platform}/contract/{address}` and below.
import { Effect, Option } from "effect"
import { type Coins, UnknownCoin } from "../../services/Coins.ts"

export const coinOfContract = (coins: Pick<Coins["Service"], "contractId">, platform: string, address: string) =>
  Effect.flatMap(coins.contractId(platform, address), (id) =>
    Option.match(id, {
      onNone: () => Effect.fail(new UnknownCoin({ id: address, suggestions: [] })),
      onSome: Effect.succeed
    })
  )
