// One coin by id that is not in the held list: look-ups that come together share a call of up to 250 ids, what is found and
// what is not are both kept for a while, and a fallback is asked when CoinGecko cannot be.
import { type DateTime, Duration, Effect, Exit, Option, Request, RequestResolver } from "effect"
import type { Coin } from "../domain/Coin.ts"
import * as Snapshot from "../domain/Snapshot.ts"
import { type CoinGecko, PAGE_SIZE } from "../sources/CoinGecko.ts"
import type { Feed } from "../sources/Feed.ts"
import type { SourceError } from "../sources/SourceError.ts"
import * as OnDemand from "./OnDemand.ts"

type Found = Option.Option<Snapshot.Snapshot<Coin>>

class CoinById extends Request.Class<{ readonly id: string }, Found, SourceError> {}

/** How long an id stays unknown before it is asked for again. */
const UNKNOWN_FOR = Duration.minutes(5)

/** A coin of a list, with the coin's own time. */
export const stamped = (list: Snapshot.Snapshot<unknown>, coin: Coin): Snapshot.Snapshot<Coin> => ({
  ...list,
  value: coin,
  observedAt: coin.updated satisfies DateTime.Utc
})

/** Makes the look-up: `none` when no source knows the id, a failure when nobody could be asked. */
export const make = Effect.fnUntraced(function* (gecko: CoinGecko["Service"], fallback: Feed<ReadonlyArray<Coin>>) {
  const resolver = RequestResolver.make<CoinById>((entries) =>
    gecko.coins([...new Set(entries.map((entry) => entry.request.id))]).pipe(
      Effect.exit,
      Effect.map((exit) => {
        const found = Exit.map(exit, (list) => new Map(list.value.map((coin) => [coin.id, stamped(list, coin)])))
        for (const { completeUnsafe, request } of entries) {
          completeUnsafe(Exit.map(found, (byId) => Option.fromUndefinedOr(byId.get(request.id))))
        }
      })
    )
  ).pipe(RequestResolver.setDelay("20 millis"), RequestResolver.batchN(PAGE_SIZE))

  const inFallback = Effect.fnUntraced(function* (id: string, failure: SourceError) {
    const list = yield* Effect.mapError(fallback.get, () => failure)
    const coin = list.value.find((row) => row.id === id)
    return coin === undefined ? yield* failure : Option.some(stamped(list, coin))
  })

  return yield* OnDemand.make<string, Found, SourceError>({
    name: "coins",
    fetch: (id) =>
      Effect.request(new CoinById({ id }), resolver).pipe(
        Effect.tapError((failure) => Effect.logDebug(`look-up of a coin: ${failure.message}`)),
        Effect.catch((failure) => inFallback(id, failure))
      ),
    capacity: 5_000,
    goodFor: (found) => (Option.isSome(found) ? gecko.markets.every : UNKNOWN_FOR)
  })
})
