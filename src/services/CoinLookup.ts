// Looks up a coin that is not in the held list. Look-ups that come together share a call of up to 250 ids, coins that were found
// and ids that are unknown are both kept for a while, and where CoinGecko fails, is silent or names no price the lists of the fallbacks are searched.
import { type DateTime, Duration, Effect, Exit, Fiber, Option, Request, RequestResolver, Result, Schema } from "effect"
import { Coin } from "../domain/Coin.ts"
import * as Snapshot from "../domain/Snapshot.ts"
import { type CoinGecko, PAGE_SIZE } from "../sources/market/CoinGecko.ts"
import type { DataSet } from "../sources/dataset/DataSet.ts"
import * as Age from "../sources/dataset/Age.ts"
import * as SharedLookups from "../sources/dataset/SharedLookups.ts"
import { SourceError } from "../sources/client/SourceError.ts"
import * as OnDemand from "./refresh/OnDemand.ts"
import { HEDGE_AFTER } from "./refresh/SourceWalk.ts"

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

const isUnpriced = (found: Found): boolean => Option.isSome(found) && found.value.value.price === null

/** Never used: every id that is asked for has an outcome. */
const notAsked: Outcome = { result: Result.succeed(Option.none()), goodFor: Duration.zero }

/**
 * Makes the look-up: `none` when no source knows the id, a failure when no source could be asked. A coin observed longer than
 * `maxAge` ago is a failure too.
 */
export const make = Effect.fnUntraced(function* (
  gecko: CoinGecko["Service"],
  fallbacks: ReadonlyArray<DataSet<ReadonlyArray<Coin>>>,
  maxAge: Duration.Duration
) {
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

  /** The coin in the first fallback's list that has its price. Its absence proves nothing: those lists are short. */
  const inFallback = Effect.fnUntraced(function* (id: string) {
    for (const fallback of fallbacks) {
      const list = Option.getOrUndefined(yield* Effect.option(fallback.get))
      const coin = list?.value.find((row) => row.id === id && row.price !== null)
      if (list === undefined || coin === undefined) continue
      return {
        result: Result.succeed(Option.some(stamped(list, coin))),
        goodFor: gecko.markets.every
      } satisfies Outcome
    }
    return undefined
  })

  const fetch = Effect.fnUntraced(function* (id: string) {
    const asking = yield* Effect.forkChild(Effect.request(new CoinById({ id }), resolver), { startImmediately: true })
    const asked = Fiber.join(asking)
    const early = yield* Effect.timeoutOption(asked, HEDGE_AFTER)
    const found = Effect.flatMap(inFallback(id), (outcome) =>
      outcome === undefined ? Effect.never : Effect.succeed(outcome)
    )
    const outcome = Option.isSome(early) ? early.value : yield* Effect.raceFirst(asked, found)
    if (Result.isFailure(outcome.result)) {
      yield* Effect.logDebug(`look-up of a coin: ${outcome.result.failure.message}`)
    } else if (!isUnpriced(outcome.result.success)) return outcome
    return (yield* inFallback(id)) ?? outcome
  })

  return yield* OnDemand.make<string, Found>({
    name: "coins",
    source: gecko.markets.source,
    fetch,
    servableUntil: (found, retrievedAt) =>
      Option.match(found, {
        onNone: () => retrievedAt + Duration.toMillis(maxAge),
        onSome: (coin) => Age.servableUntil(coin, maxAge)
      }),
    capacity: 5_000
  })
})
