// Coins and their prices in US dollars. The list of the largest coins is polled; deeper pages and other ids are looked up on
// demand. A coin has the same price wherever it is served. An unknown id is an error with suggestions.
import { type Config, Context, DateTime, Effect, Layer, Option, Result, Schema } from "effect"
import type { Coin } from "../domain/Coin.ts"
import { isAskable } from "../domain/CoinId.ts"
import type { CoinTicker } from "../domain/CoinTickers.ts"
import type { ListedCoin } from "../domain/CoinIndex.ts"
import * as CoinList from "../domain/CoinList.ts"
import type { FiatRate } from "../domain/FiatMarket.ts"
import { QUOTE_DISAGREEMENT } from "../domain/Thresholds.ts"
import type { Hit } from "../domain/CoinSearch.ts"
import * as Snapshot from "../domain/Snapshot.ts"
import { CoinGecko } from "../sources/market/CoinGecko.ts"
import { layerWith } from "../sources/Sources.ts"
import * as Age from "../sources/dataset/Age.ts"
import { CoinLists } from "./CoinLists.ts"
import * as CoinPages from "./CoinPages.ts"
import * as SeriesName from "../history/store/SeriesName.ts"
import * as DayChanges from "./history/DayChanges.ts"
import * as CoinSearch from "./CoinSearch.ts"
import * as LookedUpCoins from "./LookedUpCoins.ts"
import * as PricedCoins from "./PricedCoins.ts"
import { atPrice, type PricedCoin } from "./PricedCoins.ts"
import { maxAges } from "./refresh/MaxAges.ts"
import { notCacheable, validUntil } from "./refresh/Dependencies.ts"
import * as Patience from "./refresh/Patience.ts"
import { Unavailable } from "./refresh/Unavailable.ts"
import { type FiatRates, SpotPrices } from "./SpotPrices.ts"

/** No source knows this id. `suggestions`: up to five coins with a similar id, symbol or name. */
export class UnknownCoin extends Schema.TaggedError<UnknownCoin>()("UnknownCoin", {
  id: Schema.String,
  suggestions: Schema.Array(CoinSearch.Suggestion)
}) {}

/**
 * Only the first 10 unknown ids of a request get suggestions by similar spelling: such a search takes a millisecond.
 */
const FULLY_SUGGESTED = 10

/** A coin's price in USD from one source, observed at `updated`. For an exchange: the median of its pairs, weighted by turnover. */
export interface SourceQuote {
  readonly source: string
  readonly kind: "exchange" | "aggregator"
  readonly price: number | null
  readonly updated: DateTime.Utc
}

/** Contract addresses by platform (`ethereum`); `{}` if a coin has none, `null` if no source lists them. */
export type Platforms = Readonly<Record<string, string>> | null

/**
 * Coins, priced in USD. Data observed longer than `MAX_AGE_COINS` ago is not served. A member waits for a source only without servable data,
 * and up to 500 ms for the other figures of a coin that only exchanges price.
 */
export class Coins extends Context.Service<
  Coins,
  {
    /** The largest coins, by market cap: 250 from CoinGecko, or as many as a fallback has. */
    readonly list: Effect.Effect<Snapshot.Snapshot<CoinList.CoinList>, Unavailable>
    /** Rows `(page - 1) * limit` to `page * limit` of all coins by market cap: full as long as coins exist, empty past the end. */
    readonly page: (page: number, limit: number) => Effect.Effect<Snapshot.Snapshot<CoinPages.CoinPage>, Unavailable>
    /** One coin by its id in lower case, stamped with the coin's own time. */
    readonly coin: (id: string) => Effect.Effect<PricedCoin, UnknownCoin | Unavailable>
    /**
     * Several coins, each id once, in the order of `ids`, each as from `coin`. Coins that are not cached are looked up
     * together.
     */
    readonly many: (
      ids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, Result.Result<PricedCoin, UnknownCoin | Unavailable>>>
    /** The rates of fiats on the exchanges, by code. Never waits. */
    readonly fiats: Effect.Effect<FiatRates>
    /** The change of such a rate over 24 hours, percent; `undefined` if none of that time is recorded. Never waits. */
    readonly fiatChange: (code: string, now: Snapshot.Snapshot<FiatRate>) => Effect.Effect<number | undefined>
    /**
     * The quotes of each exchange in a coin's consensus and of each aggregator, in the order of fallback. Never waits.
     */
    readonly sourceQuotes: (coin: PricedCoin) => Effect.Effect<ReadonlyArray<SourceQuote>>
    /** The pairs of a coin on the exchanges, used or not, the heaviest first. Never waits. */
    readonly tickers: (id: string) => Effect.Effect<ReadonlyArray<CoinTicker>>
    /** The ids of coins for which a source's price differs from the served one by more than 10 %. Never waits. */
    readonly disputed: Effect.Effect<ReadonlySet<string>>
    /** Up to five coins that a word may mean. Never waits. */
    readonly suggest: (word: string) => Effect.Effect<ReadonlyArray<CoinSearch.Suggestion>>
    /** At most `limit` coins of the registry for a word, the best match first. */
    readonly search: (word: string, limit: number) => Effect.Effect<Snapshot.Snapshot<ReadonlyArray<Hit>>, Unavailable>
    /** The coin of a contract. If several claim it, the one with the better rank. */
    readonly contract: (platform: string, address: string) => Effect.Effect<PricedCoin, UnknownCoin | Unavailable>
    /** The id of that coin, which may have no price. */
    readonly contractId: (platform: string, address: string) => Effect.Effect<Option.Option<string>, Unavailable>
    /** Every coin of the registry, by id. */
    readonly registry: Effect.Effect<Snapshot.Snapshot<ReadonlyArray<ListedCoin>>, Unavailable>
    /** A coin's contract addresses by platform; `null` if no source lists them. Never waits. */
    readonly platforms: (id: string) => Effect.Effect<Platforms>
  }
>()("crypto-data-api/services/Coins") {
  static readonly layerNoDeps: Layer.Layer<Coins, Config.ConfigError, CoinLists | CoinGecko | SpotPrices> =
    Layer.effect(
      Coins,
      Effect.gen(function* () {
        const gecko = yield* CoinGecko
        const largest = yield* CoinLists
        const maxAge = yield* maxAges.coins
        const spot = yield* SpotPrices
        const priced = yield* PricedCoins.make(largest, spot, maxAge)
        const search = yield* CoinSearch.make(gecko, largest)
        const { byId, pages } = yield* LookedUpCoins.make(gecko, maxAge)
        const slice = CoinPages.make(pages, maxAge)
        const list = priced.answer

        const unknown = Effect.fnUntraced(function* (id: string) {
          return yield* new UnknownCoin({ id, suggestions: yield* search.suggest(id) })
        })

        /** A cached coin, or one that is looked up; nothing if no source lists it. */
        const find = Effect.fnUntraced(function* (
          cached: PricedCoin | undefined,
          id: string
        ): Effect.fn.Return<PricedCoin | undefined, Unavailable> {
          if (cached !== undefined && isWhole(cached)) return cached
          if (cached === undefined && (!isAskable(id) || (yield* search.isUnregistered(id)))) return undefined
          const looked = Effect.result(byId.get(id))
          const found = yield* cached === undefined ? looked : Patience.briefly(looked)
          if (Result.isSuccess(found) && Option.isSome(found.success)) {
            // Only one aggregator has such a coin.
            const coin: PricedCoin = { ...found.success.value, confidence: "low" }
            return cached === undefined || cached.value.price === null ? coin : atPrice(cached, coin.value)
          }
          if (cached !== undefined) return cached
          if (Result.isSuccess(found)) return undefined
          return yield* Unavailable.because(`the coin ${id}`, found.failure)
        })

        const coin = Effect.fn("Coins.coin")(function* (id: string) {
          // No source knows an invalid id.
          const found = isAskable(id) ? yield* find((yield* priced.answer).rows.get(id), id) : undefined
          return found ?? (yield* unknown(id))
        }, Patience.shared)

        const many = Effect.fn("Coins.many")(function* (ids: ReadonlyArray<string>) {
          const answer = yield* Effect.result(priced.answer)
          if (Result.isFailure(answer)) {
            yield* notCacheable
            return new Map(ids.map((id) => [id, Result.fail(answer.failure)]))
          }
          const { rows } = answer.success
          const wanted = [...new Set(ids)].map((id) => ({ id, row: rows.get(id) }))
          const found = new Map(
            yield* Effect.forEach(
              wanted.filter(({ row }) => row === undefined || !isWhole(row)),
              ({ id, row }) => Effect.map(Effect.result(find(row, id)), (result) => [id, result] as const),
              { concurrency: "unbounded" }
            )
          )
          let unknowns = 0
          const answers = new Map<string, Result.Result<PricedCoin, UnknownCoin | Unavailable>>()
          for (const { id, row } of wanted) {
            const result = found.get(id) ?? Result.succeed(row)
            if (Result.isFailure(result)) {
              // A failed look-up records no read that could make this answer outdated.
              yield* notCacheable
              answers.set(id, Result.fail(result.failure))
            } else if (result.success !== undefined) answers.set(id, Result.succeed(result.success))
            else {
              const suggest = unknowns++ < FULLY_SUGGESTED ? search.suggest : search.suggestExact
              answers.set(id, Result.fail(new UnknownCoin({ id, suggestions: yield* suggest(id) })))
            }
          }
          return answers
        }, Patience.shared)

        const page = Effect.fn("Coins.page")(function* (number: number, limit: number) {
          const first = yield* priced.answer
          const start = (number - 1) * limit
          const end = start + limit
          const goesDeeper = first.first === gecko.coins.key
          const { length } = first.value.coins
          if (!goesDeeper || end <= length) {
            return Snapshot.map(first, ({ coins, sources }) => ({
              sources,
              coins: coins.slice(start, end),
              more: goesDeeper || end < length
            }))
          }
          const sliced = yield* slice(first, start, end, first.rows).pipe(
            Effect.mapError((failure) => Unavailable.because(`page ${number} of the coins`, failure))
          )
          const { coins, more } = sliced.value
          if (more && coins.length < limit) yield* notCacheable
          const goodUntil = Math.min(...coins.map(({ updated }) => Age.servableUntil({ observedAt: updated }, maxAge)))
          yield* validUntil(goodUntil)
          return sliced
        }, Patience.shared)

        /** The servable rows of a coin, in order of preference. */
        const youngRows = Effect.gen(function* () {
          const [now, sources] = [yield* DateTime.now, yield* largest.rowsBySource]
          return (id: string) =>
            sources.flatMap((rows) => {
              const row = rows.get(id)
              return row !== undefined && Age.isServable(row, maxAge, now) ? [row] : []
            })
        })

        const disputed = Effect.gen(function* () {
          const [served, rowsOf] = [yield* priced.current, yield* youngRows]
          const rows = Option.isSome(served) ? [...served.value.rows.values()] : []
          const isDisputed = ({ value: { id, price } }: Snapshot.Snapshot<Coin>) =>
            price !== null &&
            rowsOf(id).some(({ value }) => Math.abs((value.price ?? price) / price - 1) > QUOTE_DISAGREEMENT)
          return new Set(rows.filter(isDisputed).map(({ value }) => value.id))
        })

        const sourceQuotes = Effect.fnUntraced(function* (coin: PricedCoin) {
          const listed = (yield* youngRows)(coin.value.id)
          return [
            ...(coin.spot?.exchanges ?? []).map(({ exchange, observedAt, price }): SourceQuote => {
              return { source: exchange, kind: "exchange", price, updated: DateTime.makeUnsafe(observedAt) }
            }),
            ...(coin.isOfExchanges === true ? listed : withServed(listed, coin)).map(
              ({ observedAt, source, value }): SourceQuote => {
                return { source, kind: "aggregator", price: value.price, updated: observedAt }
              }
            )
          ]
        })

        const contract = Effect.fn("Coins.contract")(function* (platform: string, address: string) {
          const listed = yield* search.byContract(platform, address)
          return yield* listed === undefined ? unknown(address) : coin(listed.id)
        }, Patience.shared)

        const contractId = (platform: string, address: string) =>
          Effect.map(search.byContract(platform, address), (listed) => Option.fromUndefinedOr(listed?.id))

        const changeOf = yield* DayChanges.make({
          name: "the changes of fiats",
          inputs: [spot.listen],
          gather: () => "1 minute",
          times: Effect.map(
            spot.fiats,
            (fiats) =>
              new Map(
                Array.from(fiats, ([code, { observedAt }]) => [SeriesName.spot(code), observedAt.epochMilliseconds])
              )
          )
        })

        return Coins.of({
          list,
          page,
          coin,
          many,
          tickers: spot.tickers,
          fiats: spot.fiats,
          fiatChange: (code, { observedAt, value }) =>
            changeOf(SeriesName.spot(code), {
              value: value.rate,
              kind: null,
              observedAt: observedAt.epochMilliseconds
            }),
          sourceQuotes,
          disputed,
          contract,
          contractId,
          search: search.search,
          suggest: search.suggest,
          registry: search.registry,
          platforms: search.platforms
        })
      })
    )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([CoinLists.layer, SpotPrices.layer, layerWith("coins")]))

  static readonly layerTest = (service: Partial<Coins["Service"]>) => Layer.mock(Coins)(service)
}

/** Whether a coin has a price and other figures, so that a look-up adds nothing. */
const isWhole = (coin: PricedCoin): boolean => coin.value.price !== null && coin.isPriceAlone !== true

/** The aggregators' rows of a coin, with the served one in the place of its source. */
const withServed = (
  listed: ReadonlyArray<Snapshot.Snapshot<Coin>>,
  coin: Snapshot.Snapshot<Coin>
): ReadonlyArray<Snapshot.Snapshot<Coin>> => {
  if (listed.some(({ value }) => value === coin.value)) return listed
  // The served row is not listed if its source has a newer price that is not confirmed yet, or if it was looked up.
  const others = listed.filter(({ source, value }) => source !== coin.source || value.price !== null)
  const place = others.findIndex(({ source }) => source === coin.source)
  return others.toSpliced(Math.max(0, place), 0, coin)
}

export type { PricedCoin } from "./PricedCoins.ts"
export type { CoinPage } from "./CoinPages.ts"
