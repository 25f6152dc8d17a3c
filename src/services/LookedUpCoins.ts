// Coins beyond the polled lists, fetched on demand: single ones by id, and further pages of CoinGecko's list. They are judged like those
// of the lists. Served prices are saved and shared; a replica also compares with what it served itself.
import { Array as Arr, DateTime, Duration, Effect, Option, Schema } from "effect"
import { Coin } from "../domain/Coin.ts"
import type { Check } from "../domain/Plausibility.ts"
import * as Plausible from "../domain/PlausibleMarket.ts"
import * as Snapshot from "../domain/Snapshot.ts"
import { type CoinGecko, PAGE_SIZE } from "../sources/market/CoinGecko.ts"
import * as Age from "../sources/dataset/Age.ts"
import * as Judging from "./judge/Judging.ts"
import type { RowsByKey } from "./judge/Judge.ts"
import * as Rules from "./judge/Rules.ts"
import * as LookUp from "./refresh/LookUp.ts"
import { coinRows } from "./refresh/Rows.ts"

/** How long an unknown id is cached. */
const UNKNOWN_FOR = Duration.minutes(5)

/** The list is not walked beyond this many pages of 250; CoinGecko has about 70. */
export const DEEPEST_PAGE = 100

/** Makes the look-ups. Data observed longer than `maxAge` ago is not served. */
export const make = Effect.fnUntraced(function* (gecko: CoinGecko["Service"], maxAge: Duration.Duration) {
  const { every, key, source } = gecko.coins
  const judging = yield* Judging.make({ name: "looked-up coins", rules: Rules.lookedUp, maxAge, isMerged: true })
  const check = (rows: RowsByKey<Coin>) =>
    Effect.map(judging.see([{ rows, freshUntil: Infinity }]), (believed) => believed.rows)
  const shared = { source, origin: gecko.origin }

  /** By id: `none` if no source lists the id, a failure if no source answered. */
  const byId = yield* LookUp.make<Option.Option<Snapshot.Snapshot<Coin>>>({
    ...shared,
    topic: "coins",
    batch: PAGE_SIZE,
    capacity: 5_000,
    answer: Schema.Option(Snapshot.schemaOf(Coin)),
    ask: (ids) =>
      Effect.map(gecko.coinsById(ids), (list) => {
        const found = new Map(list.value.map((coin) => [coin.id, { ...list, value: coin, observedAt: coin.updated }]))
        return (id) => Option.fromUndefinedOr(found.get(id))
      }),
    goodFor: (found) => (Option.isSome(found) ? every : UNKNOWN_FOR),
    believed: (found) =>
      Effect.map(check(new Map(Arr.getSomes(found).map((coin) => [coin.value.id, { ...coin, key }]))), (rows) =>
        Option.match({
          onNone: () => Option.some(Option.none()),
          onSome: (coin) => Option.map(Option.fromUndefinedOr(rows.get(coin.value.id)), Option.some)
        })
      ),
    check: (found, now) =>
      Option.match(found, {
        onNone: () => Option.some(found),
        onSome: (coin) =>
          Option.flatMap(checkedAgain(Plausible.coinsById, Snapshot.map(coin, Arr.of), now), ({ value: [row] }) =>
            row === undefined ? Option.none() : Option.some(Option.some({ ...coin, value: row }))
          )
      }),
    servableUntil: (found, retrievedAt) =>
      Option.match(found, {
        onNone: () => retrievedAt + Duration.toMillis(maxAge),
        onSome: (coin) => Age.servableUntil(coin, maxAge)
      })
  })

  /** By the number of the page, from 2 on. */
  const pages = yield* LookUp.make<Snapshot.Snapshot<ReadonlyArray<Coin>>>({
    ...shared,
    topic: "pages",
    batch: 1,
    capacity: DEEPEST_PAGE,
    answer: Snapshot.schemaOf(Schema.Array(Coin)),
    ask: ([n]) => Effect.map(gecko.page(Number(n)), (page) => () => page),
    goodFor: () => Duration.times(every, 5),
    believed: (found) =>
      Effect.map(
        check(new Map(found.flatMap((page) => Array.from(coinRows.split({ ...page, key }))))),
        (rows) => (page) => Option.some(Snapshot.map(page, (coins) => coinRows.put(coins, rows)))
      ),
    check: (page, now) => checkedAgain(Plausible.coinPage, page, now),
    servableUntil: (page) => Age.servableUntil(page, maxAge)
  })

  return { byId, pages }
})

/** The plausible part of coins that another process looked up; none if their times cannot be true. */
const checkedAgain = (
  check: Check<ReadonlyArray<Coin>>,
  coins: Snapshot.Snapshot<ReadonlyArray<Coin>>,
  now: DateTime.Utc
): Option.Option<Snapshot.Snapshot<ReadonlyArray<Coin>>> => {
  if (Age.isAhead(coins, now) || DateTime.isGreaterThan(coins.observedAt, coins.retrievedAt)) return Option.none()
  return Option.map(Option.fromNullOr(check(coins.value, { now: coins.retrievedAt }).value), (value) => {
    return { ...coins, value }
  })
}

export type LookedUpCoins = Effect.Success<ReturnType<typeof make>>
