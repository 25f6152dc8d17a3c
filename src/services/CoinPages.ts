// The list of coins beyond the first 250: CoinGecko's further pages, fetched on demand and cached. A coin that moved
// between two pages fetched at different times is listed once, on the earlier one. Rows that are too old are left out,
// and the following ones move up, so that a page is full as long as coins exist.
import { Array as Arr, DateTime, type Duration, Effect, Result } from "effect"
import { byMarketCap, type Coin } from "../domain/Coin.ts"
import * as CoinList from "../domain/CoinList.ts"
import * as Snapshot from "../domain/Snapshot.ts"
import { PAGE_SIZE } from "../sources/market/CoinGecko.ts"
import * as Age from "../sources/dataset/Age.ts"
import type { SourceError } from "../sources/client/SourceError.ts"
import { DEEPEST_PAGE, type LookedUpCoins } from "./LookedUpCoins.ts"
import { atPrice, type PricedCoin } from "./PricedCoins.ts"

type Rows = Snapshot.Snapshot<ReadonlyArray<Coin>>

/** A slice of the list of coins, and whether there may be more. `sources`: the source of each coin's price, by id. */
export interface CoinPage {
  readonly sources?: ReadonlyMap<string, string> | undefined
  readonly coins: ReadonlyArray<Coin>
  readonly more: boolean
}

/**
 * Makes the function that returns rows `start` to `end` of the whole list, which begins with `first`. Rows observed
 * longer than `maxAge` ago are left out. If a page is neither cached nor can be fetched, a slice that begins in `first`
 * is cut short, and any other fails. `priced` has the prices that are served elsewhere.
 */
export const make = (pages: LookedUpCoins["pages"], maxAge: Duration.Duration) => {
  const page = (n: number) => pages.get(String(n))
  let knownEnd = DEEPEST_PAGE + 1

  const fetch = Effect.fnUntraced(function* (n: number) {
    if (n > DEEPEST_PAGE) return undefined
    // Pages after an empty one are not fetched. The empty one is fetched again once it expires, because the list may have grown.
    if (n > knownEnd && (yield* page(knownEnd)).value.length === 0) return undefined
    const rows = yield* page(n)
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
    end: number,
    priced: ReadonlyMap<string, PricedCoin> = new Map()
  ): Effect.fn.Return<Snapshot.Snapshot<CoinPage>, SourceError> {
    const now = yield* DateTime.now
    const pageOf = new Map<string, string>()
    const atServedPrice = (coin: Coin): Coin => {
      const price = priced.get(coin.id)
      return price === undefined || price.value.price === null ? coin : atPrice(price, coin).value
    }
    const seen = new Set(first.value.byId.keys())
    const taken = (coins: ReadonlyArray<Coin>, offset: number) =>
      coins.slice(Math.max(0, start - offset), Math.max(0, end - offset))
    let slice: Rows = Snapshot.map(first, ({ coins }) => taken(coins, 0))
    let offset = first.value.coins.length
    let isCut = false
    for (let n = 2; n <= DEEPEST_PAGE && offset < end; n++) {
      const isWanted = offset + PAGE_SIZE > start
      const found = yield* Effect.result(isWanted ? fetch(n) : pages.lastGood(String(n)))
      if (Result.isFailure(found)) {
        if (start >= first.value.coins.length) return yield* Effect.fail(found.failure)
        isCut = true
        break
      }
      const rows = found.success
      if (rows === undefined && isWanted) break
      const unseen = CoinList.make((rows?.value ?? []).map(atServedPrice)).coins.filter(
        (coin) => !seen.has(coin.id) && Age.isServable({ observedAt: coin.updated }, maxAge, now)
      )
      for (const coin of unseen) seen.add(coin.id)
      if (rows !== undefined && isWanted) {
        for (const { id } of unseen) pageOf.set(id, rows.source)
        slice = Snapshot.combine(slice, rows, (before) => [...before, ...taken(unseen, offset)])
      }
      // A page that is not cached counts as full. An empty one may have grown.
      offset += rows === undefined || rows.value.length === 0 ? PAGE_SIZE : unseen.length
    }
    // From one page to the next, coins without a market cap are not in order.
    return Snapshot.map(slice, (coins) => ({
      sources: new Map(coins.map(({ id }) => [id, first.value.sources?.get(id) ?? pageOf.get(id) ?? first.source])),
      coins: Arr.sort(coins, byMarketCap),
      more: isCut || coins.length === end - start
    }))
  })
}
