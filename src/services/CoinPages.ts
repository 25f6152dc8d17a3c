// The list of coins beyond the held 250: CoinGecko's further pages, fetched on demand and kept for a while. A coin that moved
// between two pages fetched at different times is listed once, on the earlier one.
import { Array as Arr, Duration, Effect, Result, Schema } from "effect"
import { byMarketCap, Coin } from "../domain/Coin.ts"
import * as CoinList from "../domain/CoinList.ts"
import * as Snapshot from "../domain/Snapshot.ts"
import { type CoinGecko, PAGE_SIZE } from "../sources/market/CoinGecko.ts"
import * as Age from "../sources/dataset/Age.ts"
import * as SharedLookups from "../sources/dataset/SharedLookups.ts"
import { SourceError } from "../sources/client/SourceError.ts"
import type * as LookedUpCoins from "./LookedUpCoins.ts"
import * as OnDemand from "./refresh/OnDemand.ts"
import { coinRows } from "./refresh/Rows.ts"

type Rows = Snapshot.Snapshot<ReadonlyArray<Coin>>

/** The list is not walked beyond this many pages of 250; CoinGecko has about 70. */
const DEEPEST_PAGE = 100

/**
 * Makes the slicing: rows `start` to `end` of the whole list, of which `first` are the first 250. Fails when a page that is
 * needed is neither held nor can be fetched; pages observed longer than `maxAge` ago are not served. `check` holds back what jumps.
 */
export const make = Effect.fnUntraced(function* (
  gecko: CoinGecko["Service"],
  check: LookedUpCoins.Check,
  maxAge: Duration.Duration
) {
  const goodFor = Duration.times(gecko.coins.every, 5)
  const ask = yield* SharedLookups.make({
    topic: "pages",
    origin: gecko.origin,
    answer: Snapshot.schemaOf(Schema.Array(Coin)),
    failure: SourceError,
    ask: (n) => gecko.page(Number(n)),
    goodFor: Result.match({ onSuccess: () => goodFor, onFailure: OnDemand.failedFor })
  })
  const checked = (page: SharedLookups.Outcome<Rows, SourceError>) => {
    const { result } = page
    if (Result.isFailure(result)) return Effect.succeed(page)
    const list = result.success
    return Effect.map(check(coinRows.split({ ...list, key: gecko.coins.key })), (rows) => ({
      ...page,
      result: Result.succeed({ ...list, value: list.value.flatMap(({ id }) => rows.get(id)?.value ?? []) })
    }))
  }
  const pages = yield* OnDemand.make<number, Rows>({
    name: "pages",
    source: gecko.coins.source,
    fetch: (n) => Effect.flatMap(ask(String(n)), checked),
    servableUntil: (rows) => Age.servableUntil(rows, maxAge),
    capacity: DEEPEST_PAGE
  })
  let knownEnd = DEEPEST_PAGE + 1

  const fetch = Effect.fnUntraced(function* (n: number) {
    if (n > DEEPEST_PAGE) return undefined
    // No page after an empty one is asked for. The empty one is fetched again when it has expired, because the list may have grown.
    if (n > knownEnd && (yield* pages.get(knownEnd)).value.length === 0) return undefined
    const rows = yield* pages.get(n)
    if (rows.value.length > 0) {
      if (n >= knownEnd) knownEnd = DEEPEST_PAGE + 1
      return rows
    }
    knownEnd = n
    return undefined
  })

  return Effect.fn("CoinPages.slice")(function* (
    first: Snapshot.Snapshot<CoinList.CoinList>,
    start: number,
    end: number
  ): Effect.fn.Return<Rows, SourceError> {
    const seen = new Set(first.value.byId.keys())
    let slice: Rows = Snapshot.map(first, ({ coins }) => coins.slice(start, Math.min(end, PAGE_SIZE)))
    for (let n = 2; n <= DEEPEST_PAGE && (n - 1) * PAGE_SIZE < end; n++) {
      const offset = (n - 1) * PAGE_SIZE
      const isWanted = offset + PAGE_SIZE > start
      const rows = yield* isWanted ? fetch(n) : pages.held(n)
      if (rows === undefined) {
        if (isWanted) break
        continue
      }
      const unseen = CoinList.make(rows.value).coins.filter((coin) => !seen.has(coin.id))
      for (const coin of unseen) seen.add(coin.id)
      const part = { ...rows, value: unseen.slice(Math.max(0, start - offset), Math.max(0, end - offset)) }
      if (isWanted) slice = Snapshot.combine(slice, part, (before, after) => [...before, ...after])
    }
    // Caps that are unknown are not ordered from one fetched page to the next.
    return Snapshot.map(slice, (coins) => Arr.sort(coins, byMarketCap))
  })
})
