// `{ data, meta }`: the body of a 200 under `/v1` that the contract's schema encodes. `Format.ts` writes the bodies of tables and
// `ConversionHandlers.ts` those of conversions. All conform to the contract (`test/api/Conforms.test.ts`).
import { Effect } from "effect"
import { Caller } from "../../api/Caller.ts"
import type { Coins, PricedCoin } from "../../services/Coins.ts"
import { servedConsensus } from "../../services/PricedCoins.ts"
import type { Missing } from "../../services/Conversions.ts"
import { note } from "../response/Notes.ts"
import type { Stamp } from "./Stamp.ts"

/** `{ data, meta }` for the current caller. */
export const answer = <A>(data: A, { source, updated }: Stamp) =>
  Effect.andThen(
    note({ updated }),
    Effect.map(Caller, ({ tier }) => ({ data, meta: { source, updated, tier } }))
  )

/** A coin with its contract addresses and each source's quote. */
export const coinDetail = (coins: Coins["Service"], coin: PricedCoin) =>
  Effect.gen(function* () {
    const { confidence = null, source, value } = coin
    const spot = servedConsensus(coin)
    const [platforms, quotes] = [yield* coins.platforms(value.id), yield* coins.sourceQuotes(coin)]
    const venues = spot === undefined ? null : spot.exchanges.map(({ exchange }) => exchange)
    const band = { dispersion: spot?.dispersion ?? null, low: spot?.low ?? null, high: spot?.high ?? null }
    yield* note({ confidence })
    return { ...value, platforms, venues, ...band, confidence, quotes, source }
  })

const codes = {
  UnknownCoin: "unknown_coin",
  NoPrice: "no_price",
  Unavailable: "source_unavailable"
} as const

/** Why a coin is missing from an answer: an element of `missing`. */
export const missingCoin = ({ failure, id }: Missing) => ({
  id,
  code: failure._tag === "Unavailable" && failure.isUnobserved ? ("no_data" as const) : codes[failure._tag],
  suggestions: failure._tag === "UnknownCoin" ? failure.suggestions : []
})
