// Looks up a coin that is in no list that is held. Look-ups that come together share a call of up to 250 ids; coins that were found
// and ids that are unknown are both kept for a while.
import { type DateTime, Duration, Effect, Exit, Option, Request, RequestResolver, Result, Schema } from "effect"
import { Coin } from "../domain/Coin.ts"
import * as Snapshot from "../domain/Snapshot.ts"
import { type CoinGecko, PAGE_SIZE } from "../sources/market/CoinGecko.ts"
import * as Age from "../sources/dataset/Age.ts"
import * as SharedLookups from "../sources/dataset/SharedLookups.ts"
import { SourceError } from "../sources/client/SourceError.ts"
import type * as LookedUpCoins from "./LookedUpCoins.ts"
import type { Row } from "./refresh/choose.ts"
import * as OnDemand from "./refresh/OnDemand.ts"

type Found = Option.Option<Snapshot.Snapshot<Coin>>

type Outcome = SharedLookups.Outcome<Found, SourceError>

class CoinById extends Request.Class<{ readonly id: string }, Outcome> {}

/** How long it is kept that an id is unknown. */
const UNKNOWN_FOR = Duration.minutes(5)

/** A coin of a list, stamped with the coin's own time. */
export const stamped = (list: Snapshot.Snapshot<unknown>, coin: Coin): Snapshot.Snapshot<Coin> => ({
  ...list,
  value: coin,
  observedAt: coin.updated satisfies DateTime.Utc
})

/** Never used: every id that is asked for has an outcome. */
const notAsked: Outcome = { result: Result.succeed(Option.none()), goodFor: Duration.zero }

/**
 * Makes the look-up: `none` when no source knows the id, a failure when no source could be asked. A coin observed longer than
 * `maxAge` ago is a failure too. `check` holds back what jumps.
 */
export const make = Effect.fnUntraced(function* (
  gecko: CoinGecko["Service"],
  check: LookedUpCoins.Check,
  maxAge: Duration.Duration
) {
  const goodFor = (found: Found) => (Option.isSome(found) ? gecko.coins.every : UNKNOWN_FOR)

  const ask = yield* SharedLookups.makeBatched({
    topic: "coins",
    origin: gecko.origin,
    answer: Schema.Option(Snapshot.schemaOf(Coin)),
    failure: SourceError,
    ask: (ids) =>
      Effect.map(gecko.coinsById(ids), (list) => {
        const found = new Map(list.value.map((coin) => [coin.id, stamped(list, coin)]))
        return (id): Found => Option.fromUndefinedOr(found.get(id))
      }),
    goodFor: Result.match({ onSuccess: goodFor, onFailure: OnDemand.failedFor })
  })

  /** The outcomes with the rows that may be served. */
  const checked = (outcomes: ReadonlyMap<string, Outcome>) =>
    Effect.map(check(new Map([...outcomes].flatMap(([id, { result }]) => rowsOf(id, result)))), (rows) => {
      const servable = (id: string, found: Found): Found => Option.map(found, (coin) => rows.get(id) ?? coin)
      return new Map(
        [...outcomes].map(([id, { goodFor, result }]): [string, Outcome] => [
          id,
          { goodFor, result: Result.map(result, (found) => servable(id, found)) }
        ])
      )
    })
  const rowsOf = (id: string, result: Outcome["result"]): ReadonlyArray<[string, Row<Coin>]> =>
    Result.isSuccess(result) && Option.isSome(result.success)
      ? [[id, { ...result.success.value, key: gecko.coins.key }]]
      : []

  const resolver = RequestResolver.make<CoinById>((entries) =>
    Effect.map(Effect.exit(Effect.flatMap(ask(entries.map(({ request }) => request.id)), checked)), (asked) => {
      for (const { completeUnsafe, request } of entries) {
        completeUnsafe(Exit.map(asked, (outcomes) => outcomes.get(request.id) ?? notAsked))
      }
    })
  ).pipe(RequestResolver.setDelay("20 millis"), RequestResolver.batchN(PAGE_SIZE))

  const fetch = (id: string) =>
    Effect.tap(Effect.request(new CoinById({ id }), resolver), ({ result }) =>
      Result.isFailure(result) ? Effect.logDebug(`look-up of a coin: ${result.failure.message}`) : Effect.void
    )

  return yield* OnDemand.make<string, Found>({
    name: "coins",
    source: gecko.coins.source,
    fetch,
    servableUntil: (found, retrievedAt) =>
      Option.match(found, {
        onNone: () => retrievedAt + Duration.toMillis(maxAge),
        onSome: (coin) => Age.servableUntil(coin, maxAge)
      }),
    capacity: 5_000
  })
})
