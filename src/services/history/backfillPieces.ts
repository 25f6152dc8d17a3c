// The pieces of work of a backfill, the most useful first: what each asks a source for, and when it is asked for again.
import { Effect, Result } from "effect"
import type { Snapshot } from "../../domain/Snapshot.ts"
import type { Close } from "../../history/model/Close.ts"
import { bucketOf, bucketsBetween, dayOf, type Interval, lengthOf } from "../../history/model/Interval.ts"
import type { Point } from "../../history/model/Point.ts"
import type { P2pMarket } from "../../domain/P2pMarket.ts"
import { followedMarkets } from "../../sources/p2p/followedMarkets.ts"
import * as SnapshotRows from "../../history/store/SnapshotRows.ts"
import * as SeriesName from "../../history/store/SeriesName.ts"
import { memoized } from "../../domain/rememberEach.ts"
import { withheld } from "../SourceStatus.ts"
import type * as Budget from "../../sources/client/Budget.ts"
import type { Fetched, SourceError } from "../../sources/client/SourceError.ts"
import { Frankfurter } from "../../sources/fx/Frankfurter.ts"
import { CurrencyApi } from "../../sources/fx/CurrencyApi.ts"
import { CLOSES, CoinGecko, HOURS } from "../../sources/market/CoinGecko.ts"
import { CoinPaprika } from "../../sources/market/CoinPaprika.ts"
import { DefiLlamaCoins } from "../../sources/market/DefiLlamaCoins.ts"
import { Cbn } from "../../sources/fx/Cbn.ts"
import { Quidax } from "../../sources/p2p/Quidax.ts"

/** What is asked for the past. */
export const sources = [Cbn, CoinGecko, CoinPaprika, CurrencyApi, DefiLlamaCoins, Frankfurter, Quidax] as const
export type Sources = Effect.Services<typeof make>

const DAY = lengthOf("day")
const HOUR = lengthOf("hour")

/** How far back coins and fiats go. */
const REACH = 2 * 365 * DAY

/** The days of one piece of fiat rates: about 30,000 rows. All two years are some calls of the first minute. */
const SPAN = 183 * DAY

/** The hours of so many coins, by rank, come before the days of all others: candles are made of them. */
const EARLY = 10

/** The first day of the Central Bank's own list, which is as far back as its copies are asked for. */
const OFFICIAL_SINCE = "2001-12-10"

/** Sources correct what they published for at most this long. */
const CORRECTED_FOR = 7 * DAY

export interface Piece {
  readonly name: string
  /** The source that is asked, by its id. */
  readonly source: string
  readonly interval: Interval
  /** From when on it is due again, after it was fetched at a time; epoch milliseconds. */
  readonly dueAfter: (fetchedAt: number) => number
  readonly fetch: (urgency: Budget.Urgency) => Effect.Effect<ReadonlyArray<Point>, SourceError>
  /** What is done as well while the source fails. The piece itself stays due: its source goes before what stands in. */
  readonly instead?: () => ReadonlyArray<Piece>
}

/** Asks a second source where the first has nothing, or fails for longer than a while: not where calls are only withheld. */
const orElse = (
  first: Fetched<ReadonlyArray<Close>>,
  second: Fetched<ReadonlyArray<Close>>
): Fetched<ReadonlyArray<Close>> =>
  Effect.gen(function* () {
    const found = yield* Effect.result(first)
    const isEnough = Result.isSuccess(found) ? found.success.value.length > 0 : withheld.has(found.failure.reason._tag)
    const other = isEnough ? found : yield* Effect.result(second)
    return yield* Effect.fromResult(Result.isSuccess(other) && other.success.value.length > 0 ? other : found)
  })

/** What a piece is made of: the service that is asked, and the rows of the snapshot that it gives. */
interface Task<A> extends Omit<Piece, "source" | "fetch"> {
  readonly source: { readonly terms: { readonly id: string } }
  readonly rowsOf: (found: Snapshot<A>) => ReadonlyArray<Point>
}

const piece = <A>({ rowsOf, source, ...task }: Task<A>, ask: (urgency: Budget.Urgency) => Fetched<A>): Piece => ({
  ...task,
  source: source.terms.id,
  fetch: (urgency) => Effect.map(ask(urgency), rowsOf)
})

const daily = (fetchedAt: number) => fetchedAt + DAY
const weekly = (fetchedAt: number) => fetchedAt + 7 * DAY
const once = () => Infinity

export const make = Effect.gen(function* () {
  const gecko = yield* CoinGecko
  const llama = yield* DefiLlamaCoins
  const paprika = yield* CoinPaprika
  const frankfurter = yield* Frankfurter
  const currencyApi = yield* CurrencyApi
  const cbn = yield* Cbn
  const quidax = yield* Quidax
  const withCandles = (yield* followedMarkets).filter(({ orderBooks }) => orderBooks.includes("QUIDAX"))

  const official = (now: number): Piece => {
    const rowsOf = SnapshotRows.ofDayRates(() => SeriesName.OFFICIAL)
    const task = { interval: "day", dueAfter: daily, rowsOf } as const
    const copy = piece({ ...task, name: "official-copy", source: Frankfurter }, (urgency) =>
      frankfurter.officialDays(OFFICIAL_SINCE, dayOf(now), urgency)
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
    const [from, to] = [dayOf(first), dayOf(Math.min(last, now))]
    const dueAfter = (fetchedAt: number) => (fetchedAt >= last + CORRECTED_FOR ? Infinity : daily(fetchedAt))
    const task = { interval: "day", dueAfter, rowsOf: SnapshotRows.ofFiatDays } as const
    const copyOf = (day: string) =>
      piece({ ...task, name: `fx-copy/${day}`, source: CurrencyApi }, (urgency) => currencyApi.day(day, urgency))
    // One file a day, the newest first.
    const days = bucketsBetween("day", first, Math.min(last, now)).toReversed()
    const instead = () => days.map((day) => copyOf(dayOf(day)))
    return piece({ ...task, name: `fx/${from}`, source: Frankfurter, instead }, (urgency) =>
      frankfurter.days(from, to, urgency)
    )
  }

  /** The pieces of a coin's closes. What a source has nothing of is asked of the next. */
  const closes = (id: string, now: number) => {
    const [today, hour] = [bucketOf("day", now), bucketOf("hour", now)]
    const [first, last] = [today - CLOSES * DAY, today - DAY]
    const task = { source: CoinGecko, rowsOf: SnapshotRows.ofCloses(id) }
    /** The last 365 days. A gap in the own record is filled within a week. */
    const recent = piece({ ...task, name: `coin/${id}`, interval: "day", dueAfter: weekly }, (urgency) =>
      [llama.closes(id, "day", first, last, urgency), paprika.closes(id, first, last, urgency)].reduce(
        orElse,
        gecko.closes(id, "day", urgency)
      )
    )
    /** The last hours, once: what comes after them is in the own record. */
    const hours = piece({ ...task, name: `hours/${id}`, interval: "hour", dueAfter: once }, (urgency) =>
      orElse(gecko.closes(id, "hour", urgency), llama.closes(id, "hour", hour - HOURS * HOUR, hour - HOUR, urgency))
    )
    /** The days before. */
    const older = piece(
      { ...task, source: DefiLlamaCoins, name: `older/${id}`, interval: "day", dueAfter: once },
      (urgency) => llama.closes(id, "day", today - REACH, first - DAY, urgency)
    )
    return { recent, hours, older }
  }

  /** The pieces of an hour, kept until the next: there are thousands, and they are looked through after each that is done. */
  const inHour = memoized((ids: ReadonlyArray<string>, hour: number): ReadonlyArray<Piece> => {
    const [newest, oldest] = [Math.floor(hour / SPAN), Math.floor((hour - REACH) / SPAN)]
    const coins = ids.map((id) => closes(id, hour))
    const [largest, others] = [coins.slice(0, EARLY), coins.slice(EARLY)]
    const spans = Array.from({ length: newest - oldest + 1 }, (_, n) => newest - n)
    return [
      ...spans.map((span) => fx(span, hour)),
      official(hour),
      ...withCandles.flatMap((market) => [candles(market, "day"), candles(market, "hour")]),
      ...largest.map(({ recent }) => recent),
      ...largest.map(({ hours }) => hours),
      ...others.map(({ recent }) => recent),
      ...others.map(({ hours }) => hours),
      ...coins.map(({ older }) => older)
    ]
  })

  /** All pieces, in the order in which they are done. `ids`: the coins by rank. */
  const all = (ids: ReadonlyArray<string>, now: number) => inHour(ids, bucketOf("hour", now))

  /** The pieces of one coin that reach back to a time. What callers ask for has no own record: it is due with each bucket. */
  const of = (id: string, interval: Interval, first: number, now: number): ReadonlyArray<Piece> => {
    const { hours, older, recent } = closes(id, now)
    const newest = interval === "hour" ? hours : recent
    const due = { ...newest, dueAfter: (fetchedAt: number) => fetchedAt + lengthOf(interval) }
    return interval === "day" && first < bucketOf("day", now) - CLOSES * DAY ? [due, older] : [due]
  }

  return { all, of, firstAskable: gecko.lessUrgentAfter }
})
