// The parts of rates at a moment in the past, from the record: each the newest observation at most 7 days before the moment.
import { DateTime, Effect, Option, Result, Schema } from "effect"
import { type Coin, noFigures } from "../../domain/Coin.ts"
import { derived } from "../../domain/Decimal.ts"
import { type FxRates, newestDay, startOfDay } from "../../domain/FxRates.ts"
import { reachOfAny } from "../../history/model/Coverage.ts"
import { dayOf, lengthOf } from "../../history/model/Interval.ts"
import { endOf, type Moment } from "../../history/model/Moment.ts"
import type { P2pMarket } from "../../domain/P2pMarket.ts"
import { premium, spreadOf } from "../../domain/P2pRate.ts"
import * as Snapshot from "../../domain/Snapshot.ts"
import * as HistoryMetrics from "../../history/store/HistoryMetrics.ts"
import { venuesOf } from "../../history/store/SnapshotRows.ts"
import * as SeriesName from "../../history/store/SeriesName.ts"
import type { Coins, UnknownCoin } from "../Coins.ts"
import * as Conversions from "../Conversions.ts"
import type { MarketRate, Mid, PastMarketRate } from "../MarketRate.ts"
import * as Patience from "../refresh/Patience.ts"
import { Unavailable } from "../refresh/Unavailable.ts"
import type { Backfill } from "./Backfill.ts"
import type { Access } from "./HistoryAccess.ts"
import { namedCoin } from "./namedCoin.ts"
import { changeSince, dayBefore, type Newest, newestOfCoins, newestValues, type Valued } from "./NewestValues.ts"

/** What the rate of a moment lacks if a market's sides are not known. */
export const ONLY_MIDDLE = "Only the middle of the market was recorded then, not what a customer pays and gets."

/**
 * Nothing was observed in the 7 days before a moment. `first` and `last`: the first and last recorded day. `why`: the reason, if it is
 * another one.
 */
export class NoData extends Schema.TaggedError<NoData>()("NoData", {
  first: Schema.NullOr(Schema.String),
  last: Schema.NullOr(Schema.String),
  why: Schema.optionalKey(Schema.String)
}) {}

/** A coin's present data, or why there is none. */
type CurrentCoin = Result.Result<Snapshot.Snapshot<Coin>, UnknownCoin | Unavailable>
type CurrentCoins = ReadonlyMap<string, CurrentCoin>

export interface Parts {
  readonly coins: Pick<Coins["Service"], "coin" | "many" | "suggest">
  readonly backfill: Backfill["Service"]
  readonly followed: ReadonlyArray<P2pMarket>
}

export const make = ({ backfill, coins, followed }: Parts, access: Access) => {
  const noted = (moment: Moment) => access.noted("day", endOf(moment) - (endOf(moment) % lengthOf("day")))

  /** The failure of answers that need a series without data. */
  const nothingOf = (series: string, why?: string) =>
    new Unavailable({ question: series, retryAfter: 60, series, ...(why !== undefined && { why }) })

  /** Replaces a failure for lack of observations by `NoData`, which has the recorded days. */
  const orNoData = <A, E>(moment: Moment, asked: Effect.Effect<A, E | Unavailable>) =>
    Effect.andThen(noted(moment), asked).pipe(
      Effect.catch((failure): Effect.Effect<never, E | Unavailable | NoData> =>
        failure instanceof Unavailable && failure.series !== undefined
          ? Effect.flatMap(reach(failure.series, failure.why), Effect.fail)
          : Effect.fail(failure)
      ),
      Patience.shared
    )

  const reach = Effect.fnUntraced(function* (series: string, why: string | undefined) {
    const isPrefix = series === SeriesName.FIATS
    const names = isPrefix ? yield* recordedNames(series) : [series]
    const known = reachOfAny((yield* access.spans("day", names)).values())
    const days = { first: known ? dayOf(known.first) : null, last: known ? dayOf(known.last) : null }
    return new NoData({ ...days, ...(why !== undefined && { why }) })
  })

  const recordedNames = (prefix: string) => access.recorded(({ names }) => names(prefix))

  const newest = (series: string, moment: Moment) =>
    Effect.map(newestValues(access, [series], moment), (found) => found.get(series))

  /** Percent since 24 hours before, by series; absent if the value of that time is unknown. */
  const changesOf = Effect.fnUntraced(function* (found: ReadonlyMap<string, Valued>) {
    const before = yield* dayBefore(access, new Map([...found].map(([name, { observedAt }]) => [name, observedAt])))
    return new Map(
      [...found].flatMap(([series, now]): ReadonlyArray<readonly [string, number]> => {
        const change = changeSince(before.get(series), now)
        return change === undefined ? [] : [[series, derived(change)]]
      })
    )
  })

  const changeOf = (series: string, now: Valued) =>
    changesOf(new Map([[series, now]])).pipe(
      Effect.map((changes) => changes.get(series)),
      Effect.orElseSucceed(() => undefined)
    )

  /** The venues of a market; none if their record cannot be read. The rate is still served. */
  const venuesIn = (series: string, { venues }: Newest) =>
    Effect.catch(venuesOf(venues ?? "[]"), () => Effect.as(HistoryMetrics.brokenPart(series), []))

  const stamped = <A>({ observedAt, source }: Newest, value: A): Snapshot.Snapshot<A> => {
    const time = DateTime.makeUnsafe(observedAt)
    return { value, source, observedAt: time, retrievedAt: time }
  }

  // Each part of an answer records its own reads.
  /** The rates of some fiats, or of all. */
  const fxAt = Effect.fnUntraced(function* (moment: Moment, asked?: ReadonlyArray<string>) {
    yield* noted(moment)
    const fiats =
      asked === undefined
        ? SeriesName.fiatsIn([...(yield* recordedNames(SeriesName.FIATS)), SeriesName.OFFICIAL])
        : new Map(asked.map((code) => [code, SeriesName.fiat(code)]))
    const found = yield* newestValues(access, [...fiats.values()], moment)
    const codes = [...fiats].flatMap(([code, series]) => {
      const one = found.get(series)
      return one === undefined ? [] : [[code, one] as const]
    })
    if (codes.length === 0 && asked === undefined) return yield* nothingOf(SeriesName.FIATS)
    const observed = Object.fromEntries(codes.map(([code, one]) => [code, dayOf(one.bucket ?? one.observedAt)]))
    const newest = codes.length === 0 ? dayOf(endOf(moment)) : newestDay({ observed })
    // A source's past lists have no row for USD.
    const value: FxRates = {
      rates: { USD: 1, ...Object.fromEntries(codes.map(([code, one]) => [code, one.value])) },
      observed: { USD: newest, ...observed },
      sources: Object.fromEntries(codes.map(([code, one]) => [code, one.source]))
    }
    const observedAt = startOfDay(newest)
    const source = Snapshot.joinSources(new Set(codes.map(([, one]) => one.source)))
    return { value, source, observedAt, retrievedAt: DateTime.makeUnsafe(endOf(moment)) }
  })

  /** The rates of some fiats on the exchanges, by code. */
  const spotFiatsAt = Effect.fnUntraced(function* (moment: Moment, asked: ReadonlyArray<string>) {
    yield* noted(moment)
    const found = yield* newestValues(access, asked.map(SeriesName.spot), moment)
    return new Map(
      Array.from(found, ([series, one]) => {
        const rate = { rate: one.value, confidence: one.confidence }
        return [series.slice(SeriesName.SPOTS.length), stamped(one, rate)] as const
      })
    )
  })

  /** Whether a rate of the fiat is recorded at any time. */
  const hasRecorded = (code: string) =>
    recordedNames(SeriesName.fiat(code)).pipe(
      Effect.map(({ length }) => length > 0),
      Effect.orElseSucceed(() => false)
    )

  const pricedAt = Effect.fnUntraced(function* (moment: Moment, series: string) {
    yield* noted(moment)
    const found = yield* newest(series, moment)
    return found === undefined ? yield* nothingOf(series) : stamped(found, found)
  })

  /** Coins at a moment; `current` has their present data. */
  const coinsAt = Effect.fnUntraced(function* (moment: Moment, current: CurrentCoins) {
    const observed = yield* newestOfCoins(access, backfill, current, moment).pipe(
      Effect.flatMap((newest) => Effect.map(changesOf(newest.found), (changes) => ({ changes, ...newest }))),
      Effect.result
    )
    const coinOf = Effect.fnUntraced(function* (id: string, now: CurrentCoin) {
      const { name, symbol } = yield* namedCoin({ coin: () => Effect.fromResult(now), suggest: coins.suggest }, id)
      const { changes, found, unanswered } = yield* Effect.fromResult(observed)
      const one = found.get(SeriesName.coin(id))
      if (one === undefined) return yield* unanswered.get(id) ?? nothingOf(SeriesName.coin(id))
      const change_24h = changes.get(SeriesName.coin(id)) ?? null
      const known = { id, symbol, name, price: one.value, change_24h, updated: DateTime.makeUnsafe(one.observedAt) }
      return stamped(one, { ...noFigures, ath_date: null, image: null, ...known })
    })
    const results = yield* Effect.forEach(current, ([id, now]) =>
      Effect.map(Effect.result(coinOf(id, now)), (coin) => [id, coin] as const)
    )
    return new Map(results)
  })

  /** `fiats`: those that are asked for. The dollar alone has the day of all rates. */
  const conversionsAt = (moment: Moment, fiats: ReadonlyArray<string>) => {
    const others = fiats.filter((code) => code !== "USD")
    const coin = Effect.fnUntraced(function* (id: string) {
      const current = yield* Effect.result(Patience.early(coins.coin(id)))
      const found = (yield* coinsAt(moment, new Map([[id, current]]))).get(id)
      return yield* Effect.fromResult(found ?? Result.fail(nothingOf(SeriesName.coin(id))))
    })
    const marketAt = (market: P2pMarket) => {
      const series = SeriesName.p2p(market.fiat)
      const priced = Effect.map(pricedAt(moment, series), (snapshot) => {
        const { confidence, kind, method } = snapshot.value
        return { ...snapshot, market: { kind: kind ?? "p2p", confidence, method } } as const
      })
      return {
        bounds: market.bounds,
        mid: Effect.map(priced, ({ value, ...stamps }) => ({
          ...stamps,
          value: value.value,
          kind: value.kind ?? "p2p",
          confidence: value.confidence
        })),
        sides: Effect.flatMap(priced, (snapshot) => {
          const { buy, confidence, sell } = snapshot.value
          return buy === null || sell === null
            ? Effect.fail(nothingOf(series, ONLY_MIDDLE))
            : Effect.succeed({ ...snapshot, value: { buy, sell, confidence } })
        }),
        change24h: ({ kind = "p2p", observedAt, value }: Mid) =>
          Effect.map(
            changeOf(series, { value, kind, observedAt: observedAt.epochMilliseconds }),
            Option.fromUndefinedOr
          )
      }
    }
    return Conversions.over({
      coins: {
        suggest: coins.suggest,
        fiats: spotFiatsAt(moment, others),
        fiatChange: (code, { observedAt, value: { rate } }) =>
          changeOf(SeriesName.spot(code), { value: rate, kind: null, observedAt: observedAt.epochMilliseconds }),
        coin,
        many: (ids) => Effect.flatMap(Patience.early(coins.many(ids)), (current) => coinsAt(moment, current))
      },
      exchangeRates: { current: fxAt(moment, others.length === 0 ? undefined : others), mayHave: hasRecorded },
      seriesOf: SeriesName.fiat,
      markets: new Map(followed.map((market) => [market.fiat, marketAt(market)]))
    })
  }

  const officialAt = (moment: Moment, series: string) =>
    Effect.map(newest(series, moment), (found): MarketRate["official"] => {
      if (found === undefined) return { _tag: "Missing", reason: "official_rate_missing" }
      const date = dayOf(found.bucket ?? found.observedAt)
      return { _tag: "Published", snapshot: stamped(found, { rate: found.value, date }) }
    })

  const p2pAt = Effect.fn("Past.p2p")(function* (moment: Moment, fiat: string) {
    const series = SeriesName.p2p(fiat)
    const found = (yield* pricedAt(moment, series)).value
    const official = yield* officialAt(moment, SeriesName.fiat(fiat))
    const rate = official._tag === "Published" ? official.snapshot.value.rate : null
    const { buy, confidence, method, sell, value: mid } = found
    const value: PastMarketRate = {
      buy,
      sell,
      mid,
      spread: buy === null || sell === null ? null : spreadOf({ buy, sell, mid }),
      confidence,
      reason: null,
      used: found.source.split(" + "),
      official,
      premium: rate === null ? null : premium(mid, rate),
      venues: yield* venuesIn(series, found),
      ...(found.kind !== null && { kind: found.kind }),
      method
    }
    const sources = [found.source, ...(official._tag === "Published" ? [official.snapshot.source] : [])]
    return { ...stamped(found, value), source: Snapshot.joinSources(sources) }
  })

  return { conversionsAt, fxAt, noted, orNoData, p2pAt }
}
