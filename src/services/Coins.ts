// Which coins there are and what they cost in US dollars: the list of the largest ones ahead of every request, deeper pages
// and other ids on demand. An id that no source knows is an answer too, and carries suggestions.
import { type Config, Context, Duration, Effect, Layer, Option, Schema } from "effect"
import type { Coin } from "../domain/Coin.ts"
import * as CoinList from "../domain/CoinList.ts"
import { knownCoins } from "../domain/CoinRegistry.ts"
import * as Snapshot from "../domain/Snapshot.ts"
import { type Named, suggest } from "../domain/Suggestions.ts"
import { CoinGecko, PAGE_SIZE } from "../sources/market/CoinGecko.ts"
import type { FiatQuote } from "../sources/market/CoinGeckoWire.ts"
import { CoinLore } from "../sources/market/CoinLore.ts"
import { CoinPaprika } from "../sources/market/CoinPaprika.ts"
import * as CoinLookup from "./CoinLookup.ts"
import * as CoinPages from "./CoinPages.ts"
import { maxAges } from "./refresh/MaxAges.ts"
import * as Refresher from "./refresh/Refresher.ts"
import { remembering } from "./refresh/Dependencies.ts"
import { coinJumps } from "./refresh/JumpFilters.ts"
import { Unavailable } from "./refresh/Unavailable.ts"

/** No source knows this id. `suggestions`: up to five coins that may have been meant. */
export class UnknownCoin extends Schema.TaggedError<UnknownCoin>()("UnknownCoin", {
  id: Schema.String,
  suggestions: Schema.Array(Schema.Struct({ id: Schema.String, symbol: Schema.String, name: Schema.String }))
}) {}

/** A slice of the list of coins, and whether a further page may hold more. */
export interface CoinPage {
  readonly coins: ReadonlyArray<Coin>
  readonly more: boolean
}

/** What CoinGecko's ids look like; anything else is unknown without asking. */
const ID_SHAPE = /^[a-z0-9][a-z0-9._-]{0,99}$/

/** The coins. */
export class Coins extends Context.Service<
  Coins,
  {
    /** The largest coins, by market cap: 250 from CoinGecko, as many as a fallback has. */
    readonly list: Effect.Effect<Snapshot.Snapshot<CoinList.CoinList>, Unavailable>
    /** Rows `(page - 1) * limit` to `page * limit` of all coins by market cap; empty past the end. */
    readonly page: (page: number, limit: number) => Effect.Effect<Snapshot.Snapshot<CoinPage>, Unavailable>
    /** One coin by its id in lower case; the stamp is the coin's own time. */
    readonly coin: (id: string) => Effect.Effect<Snapshot.Snapshot<Coin>, UnknownCoin | Unavailable>
    /** The quote of a coin in a fiat other than USD by the source that serves the list, where it has one. */
    readonly quote: (id: string, fiat: string) => Effect.Effect<Option.Option<Snapshot.Snapshot<FiatQuote>>>
    /** Up to five coins that a word may stand for. */
    readonly suggest: (word: string) => Effect.Effect<ReadonlyArray<Named>>
  }
>()("crypto-data-api/services/Coins") {
  static readonly layerNoDeps: Layer.Layer<Coins, Config.ConfigError, CoinGecko | CoinPaprika | CoinLore> =
    Layer.effect(
      Coins,
      Effect.gen(function* () {
        const gecko = yield* CoinGecko
        const paprika = yield* CoinPaprika
        const lore = yield* CoinLore

        const question = yield* Refresher.make({
          name: "coins",
          sources: [gecko.markets, paprika.list, lore.list],
          maxAge: yield* maxAges.coins,
          grace: Duration.times(gecko.markets.every, 5),
          // CoinPaprika has new figures every ten minutes and is asked as often: twenty are its healthy age.
          staleAfter: Duration.sum(Duration.times(gecko.markets.every, 5), Duration.minutes(20)),
          review: coinJumps
        })
        const registry = yield* Refresher.make({
          name: "coin registry",
          sources: [gecko.registry],
          maxAge: "7 days",
          grace: "7 days",
          startAfter: Duration.sum(gecko.lessUrgentAfter, Duration.seconds(5))
        })
        const lookup = yield* CoinLookup.make(gecko, paprika.list)
        const slice = yield* CoinPages.make(gecko)
        const quotes =
          gecko.quotes === null
            ? undefined
            : yield* Refresher.make({
                name: "fiat quotes",
                sources: [gecko.quotes],
                maxAge: Duration.times(gecko.quotes.every, 3),
                grace: Duration.times(gecko.quotes.every, 3),
                hasSubstitute: true
              })

        const indexed = memoized((snapshot: Snapshot.Snapshot<ReadonlyArray<Coin>>) =>
          Snapshot.map(snapshot, CoinList.make)
        )
        const list = Effect.map(question.answer, indexed)

        const everyId = Effect.map(
          registry.last,
          Option.map((snapshot) => new Set(snapshot.value.map(({ id }) => id)))
        )

        const suggestions = remembering(
          500,
          (word: string) => word,
          Effect.fn("Coins.suggest")(function* (word: string) {
            const held = Option.match(yield* question.last, {
              onNone: () => CoinList.make([]),
              onSome: (snapshot) => indexed(snapshot).value
            })
            const others = Option.match(yield* registry.last, {
              onNone: (): ReadonlyArray<Named> => knownCoins,
              onSome: (snapshot) => snapshot.value
            })
            return suggest(word, [...held.coins, ...others.filter(({ id }) => !held.byId.has(id))]).map(
              ({ id, name, symbol }) => ({ id, symbol: symbol.toUpperCase(), name })
            )
          })
        )

        const unknown = Effect.fnUntraced(function* (id: string) {
          return yield* new UnknownCoin({ id, suggestions: yield* suggestions(id) })
        })

        const coin = Effect.fn("Coins.coin")(function* (id: string) {
          if (!ID_SHAPE.test(id)) return yield* unknown(id)
          const snapshot = yield* list
          const row = snapshot.value.byId.get(id)
          if (row !== undefined) return CoinLookup.stamped(snapshot, row)
          const found = yield* lookup.get(id).pipe(
            Effect.catch((failure) =>
              // Nobody can be asked now, but the registry of all ids may be held: what is not in it is surely unknown.
              Effect.flatMap(everyId, (ids) =>
                Option.isSome(ids) && !ids.value.has(id)
                  ? Effect.succeedNone
                  : Effect.fail(Unavailable.because(`the coin ${id}`, failure))
              )
            )
          )
          return Option.isSome(found) ? found.value : yield* unknown(id)
        })

        const page = Effect.fn("Coins.page")(function* (number: number, limit: number) {
          const first = yield* list
          const start = (number - 1) * limit
          const end = start + limit
          const goesDeeper = first.source === gecko.markets.source
          if (!goesDeeper || end <= PAGE_SIZE) {
            return Snapshot.map(first, ({ coins }) => ({
              coins: coins.slice(start, end),
              more: goesDeeper || end < coins.length
            }))
          }
          const rows = yield* slice(first, start, end).pipe(
            Effect.mapError((failure) => Unavailable.because(`page ${number} of the coins`, failure))
          )
          return Snapshot.map(rows, (coins) => ({ coins, more: coins.length > 0 }))
        })

        const quote = Effect.fn("Coins.quote")(function* (id: string, fiat: string) {
          if (quotes === undefined) return Option.none()
          const coins = yield* Effect.option(list)
          if (Option.isNone(coins) || coins.value.source !== gecko.markets.source) return Option.none()
          const held = yield* Effect.option(quotes.answer)
          const value = Option.getOrUndefined(held)?.value.get(id)?.get(fiat)
          return Option.isNone(held) || value === undefined
            ? Option.none()
            : Option.some({ ...held.value, value, observedAt: value.updated })
        })

        return Coins.of({ list, page, coin, quote, suggest: suggestions })
      })
    )

  static readonly layer: Layer.Layer<Coins, Config.ConfigError> = this.layerNoDeps.pipe(
    Layer.provide([CoinGecko.layer, CoinPaprika.layer, CoinLore.layer])
  )

  static readonly layerTest = (service: Partial<Coins["Service"]>) => Layer.mock(Coins)(service)
}

/** Remembers the last result: an index is built once per snapshot, however many requests read it. */
const memoized = <A, B>(f: (input: A) => B): ((input: A) => B) => {
  let last: { readonly input: A; readonly output: B } | undefined
  return (input) => {
    if (last?.input !== input) last = { input, output: f(input) }
    return last.output
  }
}
