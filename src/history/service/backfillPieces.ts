// The pieces of work of a backfill, the most useful first: what each asks a source for, and when it is asked for again.
import { Effect, Result } from "effect"
import type { Snapshot } from "../../domain/Snapshot.ts"
import type { Close } from "../model/Close.ts"
import { bucketOf, bucketsBetween, dayOf, type Interval, lengthOf } from "../model/Interval.ts"
import type { Point } from "../model/Point.ts"
import type { P2pMarket } from "../../domain/P2pMarket.ts"
import { followedMarkets } from "../../sources/client/followedMarkets.ts"
import * as SnapshotRows from "../store/SnapshotRows.ts"
import * as SeriesName from "../store/SeriesName.ts"
import { withheld } from "../../services/SourceStatus.ts"
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

/** The parts of a piece that are not its fetching: `source` is the service that is asked. */
type Task = Omit<Piece, "source" | "fetch"> & { readonly source: { readonly terms: { readonly id: string } } }

/** A piece that asks for a snapshot, and is the rows that are made of it. */
const piece = <A>(
  { source, ...task }: Task,
  ask: (urgency: Budget.Urgency) => Fetched<A>,
  rowsOf: (found: Snapshot<A>) => ReadonlyArray<Point>
): Piece => ({ ...task, source: source.terms.id, fetch: (urgency) => Effect.map(ask(urgency), rowsOf) })

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
    const rows = SnapshotRows.ofDayRates(() => SeriesName.OFFICIAL)
    const task: Task = { name: "official-copy", source: Frankfurter, interval: "day", dueAfter: daily }
    const copy = piece(task, (urgency) => frankfurter.officialDays(OFFICIAL_SINCE, dayOf(now), urgency), rows)
    return piece({ ...task, name: "official", source: Cbn, instead: () => [copy] }, cbn.days, rows)
  }

  const candles = (market: P2pMarket, interval: Interval): Piece => {
    const series = SeriesName.p2p(market.fiat)
    return piece(
      { name: interval === "day" ? series : `${series}-hours`, source: Quidax, interval, dueAfter: daily },
      (urgency) => quidax.candles(market, interval, urgency),
      (found) => SnapshotRows.ofCandles(market.fiat, found)
    )
  }

  /** Fiat rates of the span with this number, counted from 1970. */
  const fx = (span: number, now: number): Piece => {
    const [first, last] = [span * SPAN, (span + 1) * SPAN - DAY]
    const [from, to] = [dayOf(first), dayOf(Math.min(last, now))]
    const rows = SnapshotRows.ofDayRates(SeriesName.fiat)
    const dueAfter = (fetchedAt: number) => (fetchedAt >= last + CORRECTED_FOR ? Infinity : daily(fetchedAt))
    const copyOf = (day: string) =>
      piece(
        { name: `fx-copy/${day}`, source: CurrencyApi, interval: "day", dueAfter },
        (urgency) => currencyApi.day(day, urgency),
        rows
      )
    // One file a day, the newest first.
    const instead = () =>
      bucketsBetween("day", first, Math.min(last, now))
        .toReversed()
        .map((day) => copyOf(dayOf(day)))
    return piece(
      { name: `fx/${from}`, source: Frankfurter, interval: "day", dueAfter, instead },
      (urgency) => frankfurter.days(from, to, urgency),
      rows
    )
  }

  /** The last 365 days of a coin; where CoinGecko has none, DefiLlama's; where that has none, CoinPaprika's. */
  const recent = (id: string, now: number): Piece => {
    const [first, last] = [bucketOf("day", now) - CLOSES * DAY, bucketOf("day", now) - DAY]
    return piece(
      // A gap in the own record is filled within a week.
      { name: `coin/${id}`, source: CoinGecko, interval: "day", dueAfter: weekly },
      (urgency) =>
        [llama.closes(id, "day", first, last, urgency), paprika.closes(id, first, last, urgency)].reduce(
          orElse,
          gecko.closes(id, "day", urgency)
        ),
      SnapshotRows.ofCloses(id)
    )
  }

  /** The last hours of a coin; where CoinGecko has none, DefiLlama's. Once: what comes after them is in the own record. */
  const hours = (id: string, now: number): Piece => {
    const hour = bucketOf("hour", now)
    return piece(
      { name: `hours/${id}`, source: CoinGecko, interval: "hour", dueAfter: once },
      (urgency) =>
        orElse(gecko.closes(id, "hour", urgency), llama.closes(id, "hour", hour - HOURS * HOUR, hour - HOUR, urgency)),
      SnapshotRows.ofCloses(id)
    )
  }

  /** The days of a coin before those. */
  const older = (id: string, now: number): Piece => {
    const today = bucketOf("day", now)
    return piece(
      { name: `older/${id}`, source: DefiLlamaCoins, interval: "day", dueAfter: once },
      (urgency) => llama.closes(id, "day", today - REACH, today - (CLOSES + 1) * DAY, urgency),
      SnapshotRows.ofCloses(id)
    )
  }

  /** All pieces, in the order in which they are done. `ids`: the coins by rank. */
  const all = (ids: ReadonlyArray<string>, now: number): ReadonlyArray<Piece> => {
    const [newest, oldest] = [Math.floor(now / SPAN), Math.floor((now - REACH) / SPAN)]
    const [largest, others] = [ids.slice(0, EARLY), ids.slice(EARLY)]
    const spans = Array.from({ length: newest - oldest + 1 }, (_, n) => newest - n)
    return [
      ...spans.map((span) => fx(span, now)),
      official(now),
      ...withCandles.flatMap((market) => [candles(market, "day"), candles(market, "hour")]),
      ...largest.map((id) => recent(id, now)),
      ...largest.map((id) => hours(id, now)),
      ...others.map((id) => recent(id, now)),
      ...others.map((id) => hours(id, now)),
      ...ids.map((id) => older(id, now))
    ]
  }

  /** The pieces of one coin that reach back to a time. What callers ask for has no own record: it is due with each bucket. */
  const of = (id: string, interval: Interval, first: number, now: number): ReadonlyArray<Piece> => {
    const newest = interval === "hour" ? hours(id, now) : recent(id, now)
    const due = { ...newest, dueAfter: (fetchedAt: number) => fetchedAt + lengthOf(interval) }
    return interval === "day" && first < bucketOf("day", now) - CLOSES * DAY ? [due, older(id, now)] : [due]
  }

  return { all, of, firstAskable: gecko.lessUrgentAfter }
})
