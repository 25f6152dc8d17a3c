// The pieces of work of a backfill, the most useful first: what each fetches from a source, and when it is due again.
import { DateTime, Effect, Result } from "effect"
import type { Snapshot } from "../../domain/Snapshot.ts"
import { bucketOf, bucketsBetween, dayOf, type Interval, lengthOf } from "../../history/model/Interval.ts"
import type { Point } from "../../history/model/Point.ts"
import type { P2pMarket } from "../../domain/P2pMarket.ts"
import { followedMarkets } from "../../sources/p2p/followedMarkets.ts"
import * as SnapshotRows from "../../history/store/SnapshotRows.ts"
import * as SeriesName from "../../history/store/SeriesName.ts"
import { memoized } from "../../domain/rememberEach.ts"
import { CoinCandles, type Span } from "../CoinCandles.ts"
import { FiatCandles } from "../FiatCandles.ts"
import { withheld } from "../SourceStatus.ts"
import type * as Budget from "../../sources/client/Budget.ts"
import type { Fetched, SourceError } from "../../sources/client/SourceError.ts"
import { Frankfurter } from "../../sources/fx/Frankfurter.ts"
import { CurrencyApi } from "../../sources/fx/CurrencyApi.ts"
import { CLOSES, CoinGecko, HOURS } from "../../sources/market/CoinGecko.ts"
import { CoinPaprika } from "../../sources/market/CoinPaprika.ts"
import { Cbn } from "../../sources/fx/Cbn.ts"
import { Quidax } from "../../sources/p2p/Quidax.ts"

/** The sources of past data. */
export const sources = [
  Cbn,
  CoinCandles,
  CoinGecko,
  CoinPaprika,
  CurrencyApi,
  FiatCandles,
  Frankfurter,
  Quidax
] as const

/** The name of all exchanges together: the source of the pieces of coins. */
export const EXCHANGES = "EXCHANGES"
export type Sources = Effect.Services<typeof make>

const DAY = lengthOf("day")
const HOUR = lengthOf("hour")

/** How far back fiat rates are fetched, ms. */
const REACH = 2 * 365 * DAY

/** How far back hours of coins are fetched, ms: as long as they are kept. */
const HOURS_REACH = 90 * DAY

/** The length of one piece of fiat rates, ms: about 30,000 rows. Two years take a few calls in the first minute. */
const SPAN = 183 * DAY

/** The first day of the Central Bank's own list. Copies have no earlier days. */
const OFFICIAL_SINCE = "2001-12-10"

/** Sources correct published rates for at most this long, ms. */
const CORRECTED_FOR = 7 * DAY

/** Points, and the failure of a source if others may be missing. */
export interface Answer {
  readonly points: ReadonlyArray<Point>
  readonly failure?: SourceError | undefined
}

export interface Piece {
  readonly name: string
  /** The id of the source. */
  readonly source: string
  readonly interval: Interval
  /** When it is due again after a fetch, epoch milliseconds. */
  readonly dueAfter: (fetchedAt: number) => number
  readonly fetch: (urgency: Budget.Urgency) => Effect.Effect<Answer, SourceError>
  /** Substitutes while the source fails. The piece itself stays due, because its source is preferred. */
  readonly instead?: () => ReadonlyArray<Piece>
}

/** Asks a second source if the first has nothing or fails, but not if its calls are only withheld. */
const orElse = <A>(first: Fetched<ReadonlyArray<A>>, second: Fetched<ReadonlyArray<A>>): Fetched<ReadonlyArray<A>> =>
  Effect.gen(function* () {
    const found = yield* Effect.result(first)
    const isEnough = Result.isSuccess(found) ? found.success.value.length > 0 : withheld.has(found.failure.reason._tag)
    const other = isEnough ? found : yield* Effect.result(second)
    return yield* Effect.fromResult(Result.isSuccess(other) && other.success.value.length > 0 ? other : found)
  })

const isDisabled = ({ reason }: SourceError): boolean => reason._tag === "Disabled"

/** A piece by its source, and the rows of the source's snapshot. */
interface Task<A> extends Omit<Piece, "source" | "fetch"> {
  readonly source: { readonly terms: { readonly id: string } }
  readonly rowsOf: (found: Snapshot<A>) => ReadonlyArray<Point>
}

const piece = <A>({ rowsOf, source, ...task }: Task<A>, ask: (urgency: Budget.Urgency) => Fetched<A>): Piece => ({
  ...task,
  source: source.terms.id,
  fetch: (urgency) => Effect.map(ask(urgency), (found) => ({ points: rowsOf(found) }))
})

const daily = (fetchedAt: number) => fetchedAt + DAY
const weekly = (fetchedAt: number) => fetchedAt + 7 * DAY
const once = () => Infinity

export const make = Effect.gen(function* () {
  const gecko = yield* CoinGecko
  const exchanges = yield* CoinCandles
  const fiats = yield* FiatCandles
  const paprika = yield* CoinPaprika
  const frankfurter = yield* Frankfurter
  const currencyApi = yield* CurrencyApi
  const cbn = yield* Cbn
  const quidax = yield* Quidax
  const withCandles = (yield* followedMarkets).filter(({ orderBooks }) => orderBooks.includes("QUIDAX"))

  /** The points of days that are over. Today's rate is the judged one that is served, which the recording adds. */
  const over = (points: ReadonlyArray<Point>, now: number) =>
    points.filter(({ bucket }) => bucket < bucketOf("day", now))

  const official = (now: number): Piece => {
    const days = SnapshotRows.ofDayRates(() => SeriesName.OFFICIAL)
    const rowsOf: typeof days = (found) => over(days(found), now)
    const task = { interval: "day", dueAfter: daily, rowsOf } as const
    const copy = piece({ ...task, name: "official-copy", source: Frankfurter }, (urgency) =>
      frankfurter.officialDays(OFFICIAL_SINCE, dayOf(now - DAY), urgency)
    )
    return piece({ ...task, name: "official", source: Cbn, instead: () => [copy] }, cbn.days)
  }

  const candles = (market: P2pMarket, interval: Interval): Piece => {
    const series = SeriesName.p2p(market.fiat)
    const name = interval === "day" ? series : `${series}-hours`
    return piece(
      { name, source: Quidax, interval, dueAfter: daily, rowsOf: SnapshotRows.ofCandles(market.fiat) },
      (urgency) => quidax.candles(market, interval, urgency)
    )
  }

  /** Fiat rates of the span with this number, counted from 1970. */
  const fx = (span: number, now: number): Piece => {
    const [first, last] = [span * SPAN, (span + 1) * SPAN - DAY]
    const [from, to] = [dayOf(first), dayOf(Math.min(last, now - DAY))]
    const dueAfter = (fetchedAt: number) => (fetchedAt >= last + CORRECTED_FOR ? Infinity : daily(fetchedAt))
    const rowsOf: typeof SnapshotRows.ofFiatDays = (found) => over(SnapshotRows.ofFiatDays(found), now)
    const task = { interval: "day", dueAfter, rowsOf } as const
    const copyOf = (day: string) =>
      piece({ ...task, name: `fx-copy/${day}`, source: CurrencyApi }, (urgency) => currencyApi.day(day, urgency))
    // One file a day, the newest first.
    const days = bucketsBetween("day", first, Math.min(last, now - DAY)).toReversed()
    const instead = () => days.map((day) => copyOf(dayOf(day)))
    return piece({ ...task, name: `fx/${from}`, source: Frankfurter, instead }, (urgency) =>
      frankfurter.days(from, to, urgency)
    )
  }

  /** The pieces of a coin: candles of exchanges, and an aggregator's closes where there are none. */
  const pastOf = (id: string, now: number) => {
    const [yesterday, lastHour] = [bucketOf("day", now) - DAY, bucketOf("hour", now) - HOUR]
    const aggregated = (interval: Interval, urgency: Budget.Urgency) => {
      const closes = gecko.closes(id, interval, urgency)
      const others = paprika.closes(id, yesterday - (CLOSES - 1) * DAY, yesterday, urgency)
      return interval === "day" ? orElse(closes, others) : closes
    }
    const fetch = (span: Span) =>
      Effect.fnUntraced(function* (urgency: Budget.Urgency): Effect.fn.Return<Answer, SourceError> {
        const { first, interval, last } = span
        // The closes identify the coin's candles, and fill the buckets without one: one call for both.
        const closes = yield* Effect.cached(aggregated(interval, urgency))
        const known = Effect.map(closes, ({ value }) => value)
        const { candles, failure } = yield* Effect.catchIf(exchanges.of(id, span, urgency, known), isDisabled, () =>
          Effect.succeed({ candles: [], failure: undefined })
        )
        // The backfill tries a failed exchange again later, because an aggregator has only closes. A caller gets those closes at once.
        if (candles.length === 0 && failure !== undefined && urgency === "backfill") return yield* failure
        const points = SnapshotRows.ofCoinCandles(id, interval, candles, yield* DateTime.now)
        const reach = (interval === "day" ? CLOSES : HOURS) - 1
        const begins = candles[0]?.bucket ?? Infinity
        if (begins <= Math.max(first, last - reach * lengthOf(interval))) return { points, failure }
        const others = yield* Effect.result(closes)
        if (Result.isFailure(others)) {
          if (isDisabled(others.failure)) return { points, failure }
          return points.length === 0 ? yield* others.failure : { points, failure: failure ?? others.failure }
        }
        const held = new Set(points.map(({ bucket }) => bucket))
        const more = SnapshotRows.ofCloses(id)(others.success).filter(({ bucket }) => !held.has(bucket))
        return { points: [...more, ...points], failure }
      })
    const piece = (name: string, span: Span, dueAfter: Piece["dueAfter"]): Piece => {
      return { name: `${name}/${id}`, source: EXCHANGES, interval: span.interval, dueAfter, fetch: fetch(span) }
    }
    const days = { interval: "day", last: yesterday } as const
    return {
      /** All days. Repeated weekly, which fills gaps in our own record. */
      whole: piece("coin", { ...days, first: 0 }, weekly),
      /** A year, for callers who need no more, and for the volumes of recent days. */
      recent: piece("recent", { ...days, first: yesterday - (CLOSES - 1) * DAY }, daily),
      /** Hours, once: later ones are in our own record. */
      hours: piece("hours", { interval: "hour", first: lastHour - HOURS_REACH + HOUR, last: lastHour }, once)
    }
  }

  /** The closes of a fiat on the exchanges. Hours are fetched once: later ones are in our own record. */
  const spot = (code: string, interval: Interval): Piece => ({
    name: interval === "day" ? SeriesName.spot(code) : `${SeriesName.spot(code)}-hours`,
    source: EXCHANGES,
    interval,
    dueAfter: interval === "day" ? weekly : once,
    fetch: Effect.fnUntraced(function* (urgency) {
      const { closes, failure } = yield* fiats.of(code, interval, urgency)
      return { points: SnapshotRows.ofSpotCloses(code, interval, closes, yield* DateTime.now), failure }
    })
  })

  /** The pieces of an hour, cached: there are thousands, and each finished piece scans them. */
  const inHour = memoized(
    (ids: ReadonlyArray<string>, codes: ReadonlyArray<string>, hour: number): ReadonlyArray<Piece> => {
      const [newest, oldest] = [Math.floor((hour - DAY) / SPAN), Math.floor((hour - REACH) / SPAN)]
      const coins = ids.map((id) => pastOf(id, hour))
      const spans = Array.from({ length: newest - oldest + 1 }, (_, n) => newest - n)
      return [
        ...spans.map((span) => fx(span, hour)),
        official(hour),
        ...withCandles.flatMap((market) => [candles(market, "day"), candles(market, "hour")]),
        ...codes.flatMap((code) => [spot(code, "hour"), spot(code, "day")]),
        ...coins.map(({ whole }) => whole),
        ...coins.map(({ hours }) => hours),
        ...coins.map(({ recent }) => recent)
      ]
    }
  )

  /** All pieces, the first one first. `ids`: the coins by rank; `codes`: the fiats on the exchanges. */
  const all = (ids: ReadonlyArray<string>, codes: ReadonlyArray<string>, now: number) =>
    inHour(ids, codes, bucketOf("hour", now))

  /** The piece of a coin that reaches back to `first`. A year or hours are due again each bucket, because nothing else may observe the coin. */
  const ofCaller = (id: string, interval: Interval, first: number, now: number): Piece => {
    const { hours, recent, whole } = pastOf(id, now)
    if (interval === "day" && first < bucketOf("day", now) - CLOSES * DAY) return whole
    const newest = interval === "hour" ? hours : recent
    return { ...newest, dueAfter: (fetchedAt) => fetchedAt + lengthOf(interval) }
  }

  return { all, ofCaller, codes: fiats.codes, firstAskable: gecko.lessUrgentAfter }
})
