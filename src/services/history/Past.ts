// Prices, conversions, P2P markets and fiat rates at a moment in the past: the live arithmetic over recorded data. Each
// part is the newest observation at most 7 days before the moment.
import { type Config, Context, Effect, Layer } from "effect"
import type { Basis, Rate } from "../../domain/Conversion.ts"
import type { FxRates } from "../../domain/FxRates.ts"
import { endOf, type Moment } from "../../history/model/Moment.ts"
import type { Snapshot } from "../../domain/Snapshot.ts"
import { Coins, type UnknownCoin } from "../Coins.ts"
import * as Conversions from "../Conversions.ts"
import type { PastMarketRate } from "../MarketRate.ts"
import { followedMarkets } from "../../sources/p2p/followedMarkets.ts"
import * as Patience from "../refresh/Patience.ts"
import type { Unavailable } from "../refresh/Unavailable.ts"
import { Backfill } from "./Backfill.ts"
import * as HistoryAccess from "./HistoryAccess.ts"
import { batched } from "./newestEach.ts"
import * as PastRates from "./PastRates.ts"

type Live = Conversions.Conversions["Service"]
type Failure = UnknownCoin | Conversions.NoPrice | Unavailable | PastRates.NoData

/** A coin by id in lower case, and the moment of its price. */
export interface CoinAt {
  readonly id: string
  readonly moment: Moment
}

/** Rates at a moment. */
export class Past extends Context.Service<
  Past,
  {
    readonly price: (moment: Moment, ...asked: Parameters<Live["price"]>) => Effect.Effect<Conversions.Price, Failure>
    /** Several coins in several fiats, in one pass. A coin without an observation is missing as `Unavailable` with its series. */
    readonly prices: (moment: Moment, ...asked: Parameters<Live["prices"]>) => ReturnType<Live["prices"]>
    /** The same for coins that each have a moment of their own, up to 250 of them. Each has an answer. */
    readonly pricesEach: (
      items: ReadonlyArray<CoinAt>,
      fiats: ReadonlyArray<string>,
      basis?: Basis
    ) => Effect.Effect<ReadonlyMap<CoinAt, Conversions.Prices | Conversions.Missing>>
    readonly convert: (
      moment: Moment,
      ...asked: Parameters<Live["convert"]>
    ) => Effect.Effect<Conversions.Conversion, Failure | Conversions.TooThin>
    readonly rate: (moment: Moment, ...asked: Parameters<Live["rate"]>) => Effect.Effect<Rate, Failure>
    /** A P2P market, by its fiat in upper case. */
    readonly p2p: (
      moment: Moment,
      fiat: string
    ) => Effect.Effect<Snapshot<PastMarketRate>, Unavailable | PastRates.NoData>
    readonly fx: (moment: Moment) => Effect.Effect<Snapshot<FxRates>, Unavailable | PastRates.NoData>
  }
>()("crypto-data-api/services/history/Past") {
  static readonly layerNoDeps: Layer.Layer<Past, Config.ConfigError, Backfill | Coins> = Layer.effect(
    Past,
    Effect.gen(function* () {
      const coins = yield* Coins
      const parts = { coins, backfill: yield* Backfill, followed: yield* followedMarkets }
      const access = yield* HistoryAccess.make
      const { conversionsAt, fxAt, noted, orNoData, p2pAt } = PastRates.make(parts, access)

      const pricesEach: Past["Service"]["pricesEach"] = Effect.fn("Past.pricesEach")(function* (items, ...asked) {
        const current = yield* Patience.early(coins.many([...new Set(items.map(({ id }) => id))]))
        const known: typeof coins.many = (ids) =>
          Effect.succeed(new Map([...current].filter(([id]) => ids.includes(id))))
        const each = PastRates.make(
          { ...parts, coins: { ...coins, many: known } },
          { ...access, newest: batched(access.recorded) }
        )
        const answers = yield* Effect.forEach(
          Map.groupBy(items, ({ moment }) => `${moment._tag} ${endOf(moment)}`).values(),
          (some) =>
            eachOf(some, (ids, moment) =>
              Effect.andThen(noted(moment), each.conversionsAt(moment, asked[0]).prices(ids, ...asked))
            ),
          { concurrency: "unbounded" }
        )
        return new Map(answers.flat())
      }, Patience.shared)

      return Past.of({
        prices: (moment, ids, fiats, basis) =>
          Effect.andThen(noted(moment), conversionsAt(moment, fiats).prices(ids, fiats, basis)),
        pricesEach,
        price: (moment, id, fiat, basis) => orNoData(moment, conversionsAt(moment, [fiat]).price(id, fiat, basis)),
        convert: (moment, from, to, ...asked) =>
          orNoData(moment, conversionsAt(moment, fiatsOf(from, to)).convert(from, to, ...asked)),
        rate: (moment, from, to, ...asked) =>
          orNoData(moment, conversionsAt(moment, fiatsOf(from, to)).rate(from, to, ...asked)),
        p2p: (moment, fiat) => orNoData(moment, p2pAt(moment, fiat)),
        fx: (moment) => orNoData(moment, fxAt(moment))
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([Backfill.layer, Coins.layer]))

  static readonly layerTest = (service: Partial<Past["Service"]>) => Layer.mock(Past)(service)
}

const fiatsOf = (...assets: ReadonlyArray<Conversions.Asset>) =>
  assets.flatMap((asset) => (asset._tag === "Fiat" ? [asset.code] : []))

/** The answers for coins of one moment. */
const eachOf = Effect.fnUntraced(function* (
  items: ReadonlyArray<CoinAt>,
  pricesAt: (ids: ReadonlyArray<string>, moment: Moment) => ReturnType<Live["prices"]>
) {
  const [first] = items
  if (first === undefined) return []
  const ids = items.map(({ id }) => id)
  const answers = Conversions.byId(yield* pricesAt(ids, first.moment))
  return items.flatMap((item): ReadonlyArray<readonly [CoinAt, Conversions.Prices | Conversions.Missing]> => {
    const answer = answers.get(item.id)
    return answer === undefined ? [] : [[item, answer]]
  })
})

export { NoData } from "./PastRates.ts"
