// Finds coins by id, ticker, name or contract address among every coin of the registry. The index is built once per registry;
// until the first registry arrives, it covers the list and the bundled coins.
import { Duration, Effect, Option, Schema } from "effect"
import type { Coin } from "../domain/Coin.ts"
import * as CoinIndex from "../domain/CoinIndex.ts"
import { knownCoins } from "../domain/CoinRegistry.ts"
import * as CoinSearch from "../domain/CoinSearch.ts"
import * as Snapshot from "../domain/Snapshot.ts"
import type { CoinGecko } from "../sources/market/CoinGecko.ts"
import { memoized } from "../domain/rememberEach.ts"
import { remembering } from "./refresh/Dependencies.ts"
import * as Refresher from "./refresh/Refresher.ts"
import { whole } from "./refresh/Rows.ts"

/** A coin that a caller may have meant. `symbol` in upper case. */
export const Suggestion = Schema.Struct({ id: Schema.String, symbol: Schema.String, name: Schema.String })

export type Suggestion = typeof Suggestion.Type

const MOST_SUGGESTIONS = 5

/** Longer words, in code units, have no suggestions: the longest id and the longest name have about 80. */
const LONGEST_WORD = 200

type Ranked = ReadonlyArray<Pick<Coin, "id" | "rank" | "symbol" | "name">>

const provisional = (list: Ranked): CoinIndex.CoinIndex =>
  CoinIndex.make(
    [...list, ...knownCoins].map(({ id, name, symbol }) => ({
      id,
      symbol: symbol.toUpperCase(),
      name,
      platforms: null
    }))
  )

/** Makes the search. The ranks of coins come from `largest`. */
export const make = Effect.fnUntraced(function* (
  gecko: CoinGecko["Service"],
  largest: Refresher.Refresher<ReadonlyArray<Coin>, Coin>
) {
  const registry = yield* Refresher.make({
    name: "coin registry",
    sources: [gecko.registry],
    rows: whole<ReadonlyArray<CoinIndex.ListedCoin>>(),
    maxAge: "7 days",
    startAfter: Duration.sum(gecko.lessUrgentAfter, Duration.seconds(5))
  })
  const indexOf = memoized(CoinIndex.make)
  const provisionalOf = memoized(provisional)
  const ranksOf = memoized(CoinSearch.ranksOf)
  const none: Ranked = []

  const withRanks = (index: CoinIndex.CoinIndex, list: Ranked) => ({ index, ranks: ranksOf(index, list) })

  /** The index of the registry; until that arrives, of the list and the bundled coins. Never waits. */
  const current = Effect.gen(function* () {
    const list = Option.match(yield* largest.last, { onNone: () => none, onSome: ({ value }) => value })
    const listed = yield* registry.current
    return withRanks(Option.isSome(listed) ? indexOf(listed.value.value) : provisionalOf(list), list)
  })

  /** The same with the stamp of its data. Waits for the first list of coins if there is no data yet. */
  const stamped = Effect.gen(function* () {
    const listed = Option.getOrUndefined(yield* registry.current)
    if (listed === undefined) {
      return Snapshot.map(yield* largest.answer, (list) => withRanks(provisionalOf(list), list))
    }
    const list = Option.getOrUndefined(yield* largest.current)
    return list === undefined
      ? Snapshot.map(listed, (rows) => withRanks(indexOf(rows), none))
      : Snapshot.combine(listed, list, (rows, ranked) => withRanks(indexOf(rows), ranked))
  })

  /** Fails if nothing is found and the registry has not arrived: a coin may be in it alone. */
  const search = Effect.fn("Coins.search")(function* (word: string, limit: number) {
    const found = Effect.map(stamped, (one) =>
      Snapshot.map(one, ({ index, ranks }) => CoinSearch.search(index, ranks, word, limit))
    )
    const first = yield* found
    if (first.value.length > 0) return first
    yield* registry.answer
    return yield* found
  })

  /** The coin of a contract. Fails until the registry arrives, because only the registry lists contracts. */
  const byContract = Effect.fn("Coins.byContract")(function* (platform: string, address: string) {
    yield* registry.answer
    const { index, ranks } = yield* current
    return CoinSearch.byContract(index, ranks, platform, address)
  })

  const suggestions = (last: CoinSearch.Match) =>
    remembering(
      1000,
      (word: string) => word,
      Effect.fn("Coins.suggest")(function* (word: string): Effect.fn.Return<ReadonlyArray<Suggestion>> {
        if (word.length > LONGEST_WORD) return []
        const { index, ranks } = yield* current
        const found = CoinSearch.search(index, ranks, word, MOST_SUGGESTIONS, last)
        return found.map(({ coin: { id, name, symbol } }) => ({ id, symbol, name }))
      })
    )

  /** A coin's contract addresses by platform; `null` if no source lists them. */
  const platforms = Effect.fnUntraced(function* (id: string) {
    const { index } = yield* current
    return index.coins[CoinIndex.numberOf(index, id)]?.platforms ?? null
  })

  /** Whether the registry has arrived and lacks the id. */
  const isUnregistered = (id: string) =>
    Effect.map(
      registry.current,
      (current) => Option.isSome(current) && CoinIndex.numberOf(indexOf(current.value.value), id) < 0
    )

  return {
    search,
    byContract,
    registry: registry.answer,
    platforms,
    isUnregistered,
    /** Up to five coins that a word may mean. */
    suggest: suggestions("similar"),
    /** The same without coins of similar spelling: fast enough for many words at once. */
    suggestExact: suggestions("prefix")
  }
})
