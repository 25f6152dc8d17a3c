// Coins beyond the polled lists, fetched on demand: single ones by id, and further pages of CoinGecko's list. As in the
// lists, a price more than 5 times above or below the last served one of its coin is held back until two newer
// observations repeat it. Each replica compares shared data with what it served itself.
import { Array as Arr, DateTime, Duration, Effect, Option, Schema } from "effect"
import { Coin } from "../domain/Coin.ts"
import type { Check } from "../domain/Plausibility.ts"
import * as Plausible from "../domain/PlausibleMarket.ts"
import * as Snapshot from "../domain/Snapshot.ts"
import { type CoinGecko, PAGE_SIZE } from "../sources/market/CoinGecko.ts"
import * as Age from "../sources/dataset/Age.ts"
import { choose, type Claim, claimOf, type Row, type RowsByKey } from "./refresh/choose.ts"
import * as LookUp from "./refresh/LookUp.ts"
import { passedOverReport } from "./judge/passedOverReport.ts"
import { coinRows } from "./refresh/Rows.ts"

/** The last price is stored for this many coins, the most recently looked up. */
const MOST = 10_000

/** How long an unknown id is cached. */
const UNKNOWN_FOR = Duration.minutes(5)

/** The list is not walked beyond this many pages of 250; CoinGecko has about 70. */
export const DEEPEST_PAGE = 100

/** Makes the look-ups. Data observed longer than `maxAge` ago is not served. */
export const make = Effect.fnUntraced(function* (gecko: CoinGecko["Service"], maxAge: Duration.Duration) {
  const { every, key, source } = gecko.coins
  const check = checking(maxAge)
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
        Option.map((coin): Snapshot.Snapshot<Coin> => rows.get(coin.value.id) ?? coin)
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
        (rows) => (page) => Snapshot.map(page, (coins) => coinRows.put(coins, rows))
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

/** Returns the rows to serve, by id: a jump is replaced by the last served row. Last served rows older than `maxAge` do not count. */
const checking = (maxAge: Duration.Duration) => {
  const report = passedOverReport("coins")
  /** By id, least recently served first. */
  const last = new Map<string, Row<Coin>>()
  const claims = new Map<string, Claim>()
  return Effect.fnUntraced(function* (found: RowsByKey<Coin>) {
    const now = yield* DateTime.now
    const choice = choose({
      sources: [found],
      former: last,
      claims,
      // Found rows count at any age: `LookUp` does not serve those that are too old.
      isYoung: (row) => found.get(row.value.id) === row || Age.isServable(row, maxAge, now),
      figures: coinRows.figures
    })
    for (const [id, row] of found) claims.delete(claimOf(row, id))
    for (const [name, claim] of choice.claims) claims.set(name, claim)
    for (const [id, row] of choice.rows) {
      last.delete(id)
      last.set(id, row)
    }
    for (const [id, row] of last) {
      if (last.size <= MOST) break
      last.delete(id)
      claims.delete(claimOf(row, id))
    }
    yield* report(choice.passedOver)
    return choice.rows
  })
}
