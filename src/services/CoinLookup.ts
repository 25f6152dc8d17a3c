// One coin by id that is not in the held list: look-ups that come together share a call of up to 250 ids, what is found and
// what is not are both kept for a while, and a fallback is asked when CoinGecko cannot be.
import { type DateTime, Duration, Effect, Exit, Option, Request, RequestResolver, Result, Schema } from "effect"
import { Coin } from "../domain/Coin.ts"
import * as Snapshot from "../domain/Snapshot.ts"
import { type CoinGecko, PAGE_SIZE } from "../sources/market/CoinGecko.ts"
import type { DataSet } from "../sources/dataset/DataSet.ts"
import * as SharedLookups from "../sources/dataset/SharedLookups.ts"
import { SourceError } from "../sources/client/SourceError.ts"
import * as OnDemand from "./refresh/OnDemand.ts"

type Found = Option.Option<Snapshot.Snapshot<Coin>>

type Outcome = SharedLookups.Outcome<Found, SourceError>

class CoinById extends Request.Class<{ readonly id: string }, Outcome> {}

/** How long an id stays unknown before it is asked for again. */
const UNKNOWN_FOR = Duration.minutes(5)

/** A coin of a list, with the coin's own time. */
export const stamped = (list: Snapshot.Snapshot<unknown>, coin: Coin): Snapshot.Snapshot<Coin> => ({
  ...list,
  value: coin,
  observedAt: coin.updated satisfies DateTime.Utc
})

/** Every id that is asked about has an outcome; the type of a map does not say so. */
const notAsked: Outcome = { result: Result.succeed(Option.none()), goodFor: Duration.zero }

/** Makes the look-up: `none` when no source knows the id, a failure when nobody could be asked. */
export const make = Effect.fnUntraced(function* (gecko: CoinGecko["Service"], fallback: DataSet<ReadonlyArray<Coin>>) {
  const goodFor = (found: Found) => (Option.isSome(found) ? gecko.markets.every : UNKNOWN_FOR)

  const ask = yield* SharedLookups.makeBatched({
    topic: "coins",
    origin: gecko.origin,
    answer: Schema.Option(Snapshot.schemaOf(Coin)),
    failure: SourceError,
    atOnce: PAGE_SIZE,
    ask: (ids) =>
      Effect.map(gecko.coins(ids), (list) => {
        const found = new Map(list.value.map((coin) => [coin.id, stamped(list, coin)]))
        return (id): Found => Option.fromUndefinedOr(found.get(id))
      }),
    goodFor: Result.match({ onSuccess: goodFor, onFailure: OnDemand.failedFor })
  })

  const resolver = RequestResolver.make<CoinById>((entries) =>
    Effect.map(Effect.exit(ask(entries.map(({ request }) => request.id))), (asked) => {
      for (const { completeUnsafe, request } of entries) {
        completeUnsafe(Exit.map(asked, (outcomes) => outcomes.get(request.id) ?? notAsked))
      }
    })
  ).pipe(RequestResolver.setDelay("20 millis"), RequestResolver.batchN(PAGE_SIZE))

  /** What the fallback's list says instead. That it does not know an id proves nothing. */
  const inFallback = Effect.fnUntraced(function* (id: string, failure: SourceError, outcome: Outcome) {
    yield* Effect.logDebug(`look-up of a coin: ${failure.message}`)
    const list = Option.getOrUndefined(yield* Effect.option(fallback.get))
    const coin = list?.value.find((row) => row.id === id)
    if (list === undefined || coin === undefined) return outcome
    return { result: Result.succeed(Option.some(stamped(list, coin))), goodFor: gecko.markets.every } satisfies Outcome
  })

  return yield* OnDemand.make<string, Found, SourceError>({
    name: "coins",
    fetch: (id) =>
      Effect.flatMap(Effect.request(new CoinById({ id }), resolver), (outcome) =>
        Result.isFailure(outcome.result) ? inFallback(id, outcome.result.failure, outcome) : Effect.succeed(outcome)
      ),
    capacity: 5_000
  })
})
