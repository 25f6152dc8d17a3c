// Fetches the candles of one pair of an exchange page by page, newest first, because no exchange says when its first candle was. A
// `CandleFormat` describes what differs between exchanges. Rows are decoded in steps, so that other work can run in between.
import { Array as Arr, Effect, Schema } from "effect"
import type { Candle } from "../../domain/Candle.ts"
import { candles as plausible } from "../../domain/PlausibleCandles.ts"
import { bucketOf, type CandleInterval, lengthOf } from "../../history/model/Interval.ts"
import type { SourceRecord } from "../catalog/SourceRecord.ts"
import type { Urgency } from "../client/Budget.ts"
import type { SourceCalls, SourceClient } from "../client/SourceClient.ts"
import { type Fetched, rejected, type SourceError } from "../client/SourceError.ts"
import * as WireFormat from "../client/WireFormat.ts"

/** A range of candles: the buckets from `first` to `last`. `market`: the exchange's name for the pair. */
export interface CandleQuery {
  readonly market: string
  readonly interval: CandleInterval
  readonly first: number
  readonly last: number
  readonly urgency: Urgency
}

/** One page of it: the newest `count` candles whose buckets are at most `last`. */
export interface PageQuery extends CandleQuery {
  readonly count: number
}

/** The finished candles with trades in that range, oldest first, in the pair's quote currency. */
export type Candles = (query: CandleQuery) => Fetched<ReadonlyArray<Candle>>

/** How to request an exchange's candles and read its response. */
export interface CandleFormat<S extends WireFormat.Wire, E extends WireFormat.Wire> {
  readonly path: (market: string, interval: CandleInterval) => string
  readonly query: (asked: PageQuery) => Readonly<Record<string, string | number>>
  readonly envelope: E
  /** The rows in any order, or the exchange's error code. */
  readonly rows: (body: E["Type"]) => ReadonlyArray<unknown> | string | number
  readonly row: S
  /** `undefined` for a candle that the exchange marks as unfinished. */
  readonly read: (row: S["Type"]) => Candle | undefined
  /** The rows of a full page. */
  readonly full: number
  /**
   * Whether a page covers a span of time, which may have gaps. Then only an empty page is the last; otherwise any page that
   * is not full.
   */
  readonly isSpan?: boolean
}

/** The rows of one page. Bitfinex returns up to 10,000. */
export const Rows = WireFormat.Rows(10_000)

/** The oldest pair has 14 years of days, and pages have at least 100 rows. */
const MOST_PAGES = 60

/** Rows decoded per step: about a millisecond. */
const AT_ONCE = 200

/**
 * The waits for a free call of the budget: their number, and the longest one in seconds for a backfill and for a caller.
 */
const WAITS = { times: 30, backfill: 70, caller: 3 }

/** The client's options for candles, which have their own budget. */
export const candleCalls = ({ candleAllowances }: SourceRecord): Omit<SourceCalls, "source"> => ({
  ...(candleAllowances !== undefined && { allowances: candleAllowances }),
  budget: "candles",
  timeoutSeconds: 10
})

const withheldFor = ({ reason }: SourceError): number =>
  reason._tag === "OverBudget" || reason._tag === "RateLimited" ? reason.retryAfter : Infinity

/** Waits for a free call, so that the pages fetched before are not lost. */
const patiently = <A>(
  call: Effect.Effect<A, SourceError>,
  urgency: Urgency,
  times = WAITS.times
): Effect.Effect<A, SourceError> =>
  Effect.catch(call, (failure) => {
    const seconds = withheldFor(failure)
    if (times === 0 || seconds > (urgency === "backfill" ? WAITS.backfill : WAITS.caller)) return failure
    return Effect.andThen(Effect.sleep(Math.max(50, seconds * 1000)), patiently(call, urgency, times - 1))
  })

export const candles = <S extends WireFormat.Wire, E extends WireFormat.Wire>(
  client: SourceClient,
  { envelope, full, isSpan = false, path, query, read, row, rows }: CandleFormat<S, E>
): Candles => {
  /** The finished candles of a page, without those that begin within an hour or day. */
  const pageOnce = Effect.fnUntraced(function* (asked: CandleQuery) {
    const { first, interval, last, market, urgency } = asked
    const wanted = Math.max(1, Math.floor((last - first) / lengthOf(interval)) + 1)
    const count = Math.min(full, wanted)
    const call = client.get(path(market, interval), envelope, { query: query({ ...asked, count }), urgency })
    const { body, ...times } = yield* patiently(call, urgency)
    const list = rows(body)
    if (typeof list === "string" || typeof list === "number") return yield* client.error(rejected(list))
    const good: Array<S["Type"]> = []
    let bad = 0
    for (const some of Arr.chunksOf(list, AT_ONCE)) {
      const decoded = WireFormat.rows(row, some)
      good.push(...decoded.good)
      bad += decoded.bad
      yield* Effect.yieldNow
    }
    const usable = yield* client.usable("candles", { good, bad })
    const value = usable.flatMap((one) => read(one) ?? [])
    const isFinished = ({ bucket }: Candle) => bucket + lengthOf(interval) <= times.observedAt.epochMilliseconds
    const finished = value.filter((one) => one.bucket === bucketOf(interval, one.bucket) && isFinished(one))
    const isLast = count === wanted || list.length < (isSpan ? 1 : full)
    return { value: finished, isEmpty: list.length === 0, isLast, times }
  })

  /** An exchange sometimes answers with an empty page between full ones, so an empty page is asked for again. */
  const page = (asked: CandleQuery) =>
    Effect.flatMap(pageOnce(asked), (found) => (found.isEmpty ? pageOnce(asked) : Effect.succeed(found)))

  const fetch = Effect.fn("candles")(function* (asked: CandleQuery) {
    const found = new Map<number, Candle>()
    const take = Effect.fnUntraced(function* (last: number) {
      const { isLast, times, value } = yield* page({ ...asked, last })
      const added = value.filter(({ bucket }) => bucket <= last && !found.has(bucket))
      for (const candle of added) found.set(candle.bucket, candle)
      return { times, oldest: isLast ? -Infinity : Math.min(...added.map(({ bucket }) => bucket)) }
    })
    let { oldest, times } = yield* take(asked.last)
    for (let n = 1; n < MOST_PAGES && oldest > asked.first && oldest < Infinity; n++) {
      ;({ oldest, times } = yield* take(oldest - lengthOf(asked.interval)))
    }
    // Some exchanges fill buckets without trades with the close before, at volume 0.
    const value = [...found.values()].filter(({ bucket, volume }) => bucket >= asked.first && volume !== 0)
    return { value: value.toSorted((a, b) => a.bucket - b.bucket), ...times }
  })

  return (query) => client.lookUp("candles", plausible, fetch(query))
}

/** A row that begins with these figures; anything may follow. */
export const rowOf = <const A extends ReadonlyArray<typeof WireFormat.Decimal>>(...figures: A) =>
  Schema.TupleWithRest(Schema.Tuple(figures), [Schema.Unknown])

/** The name of an interval at an exchange. */
export const named =
  (day: string, hour: string, minute: string) =>
  (interval: CandleInterval): string =>
    ({ day, hour, minute })[interval]
