// `/v1/price/{id}/{fiat}/history`, `/v1/naira/history` and `/v1/fx/history`. Figures are rounded here and nowhere before, and
// are written without the schemas of the contract, which take longer for thousands of points than everything else.
import { Array as Arr, Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { Caller } from "../../api/Caller.ts"
import { jsonFigure } from "../../api/JsonNumber.ts"
import type { Coverage } from "../../domain/history/Coverage.ts"
import type { FxPoint } from "../../domain/history/fxHistory.ts"
import { type HistoryQuery, type HistoryRange, rangeOf } from "../../domain/history/HistoryRange.ts"
import { dayOf, type Interval, timeOf } from "../../domain/history/Interval.ts"
import type { NairaPoint } from "../../domain/history/nairaHistory.ts"
import type { PricePoint } from "../../domain/history/priceHistory.ts"
import { Histories, type HistoryOf, type HistoryRequest } from "../../services/history/Histories.ts"
import { type Cell, csv } from "../response/Csv.ts"
import * as Format from "../response/Format.ts"
import { type DatedPrice, priceDirectives } from "../response/PriceDirectives.ts"
import { computed, figure, type InvalidQuery, orInvalid, refusing, stampOfHistory } from "./Answer.ts"
import { using } from "./HandlerLayer.ts"

interface Query {
  readonly from?: string
  readonly to?: string
  readonly interval?: HistoryQuery["interval"]
  readonly fill?: "none" | "previous"
}

const requestOf = ({ fill, from, interval = "day", to }: Query): Effect.Effect<HistoryRequest, InvalidQuery> =>
  Clock.currentTimeMillis.pipe(
    Effect.flatMap((now) => orInvalid(rangeOf({ from, to, interval }, now))),
    Effect.map((range) => ({ range, isFilled: fill === "previous" }))
  )

const stamp = ["date", "time", "final", "observed", "source"]

const priceTable = (symbol: string, fiat: string) => ({
  columns: [...stamp, "open", "high", "low", "close", "revised"],
  rows: (row: ReturnType<typeof pricePoint>) => [row],
  prices: ({ close, date }: ReturnType<typeof pricePoint>) => ({ date, symbol, price: close, fiat })
})

const nairaFigures = ["buy", "sell", "mid", "low", "high", "official", "official_date", "premium", "confidence", "kind"]

const nairaTable = {
  columns: [...stamp, ...nairaFigures, "revised"],
  rows: (row: ReturnType<typeof nairaPoint>) => [row]
}

const fxTable = {
  columns: [...stamp, "base", "quote", "rate", "revised"],
  rows: ({ rates, ...rest }: ReturnType<typeof fxPoint>) =>
    Object.entries(rates).map(([quote, rate]) => ({ ...rest, base: "USD", quote, rate }))
}

export const HistoryHandlers = HttpApiBuilder.group(
  Api,
  "history",
  Effect.fn(function* (handlers) {
    const histories = yield* Histories
    return handlers.handleAll({
      priceHistory: Effect.fnUntraced(function* ({ params: { fiat, id }, query }) {
        const { range, ...request } = yield* requestOf(query)
        const history = yield* histories.prices(id, fiat, { range, ...request })
        const subject = { id, symbol: history.symbol, fiat }
        const format = yield* Format.formatOf(query.format)
        return yield* historyBody(
          { subject, range, history, row: pricePoint },
          format,
          priceTable(history.symbol, fiat)
        )
      }, refusing),
      nairaHistory: Effect.fnUntraced(function* ({ query }) {
        const request = yield* requestOf(query)
        const history = yield* histories.naira(request)
        const answered = { subject: { pair: "USDT/NGN" }, range: request.range, history, row: nairaPoint }
        return yield* historyBody(answered, yield* Format.formatOf(query.format), nairaTable)
      }, refusing),
      fxHistory: Effect.fnUntraced(function* ({ query }) {
        const quotes = query.quotes.toUpperCase().split(",")
        const request = yield* requestOf(query)
        const history = yield* histories.fx(quotes, request)
        const answered = { subject: { base: "USD", quotes }, range: request.range, history, row: fxPoint }
        return yield* historyBody(answered, yield* Format.formatOf(query.format), fxTable)
      }, refusing)
    })
  })
).pipe(using(Histories))

type Shown<P> = P & { readonly isFinal: boolean }

type Stamped = Shown<Pick<PricePoint, "bucket" | "observedAt" | "source" | "revisedAt">>

const stampedPoint = ({ bucket, isFinal, observedAt, source }: Stamped) => {
  const time = timeOf(bucket)
  return { date: time.slice(0, 10), time, final: isFinal, observed: timeOf(observedAt), source }
}

const revisionOf = ({ revisedAt }: Stamped) => ({ revised: revisedAt === null ? null : timeOf(revisedAt) })

/** A point of a price history. Quoted figures keep the digits of their source. */
const pricePoint = (point: Shown<PricePoint>) => ({
  ...stampedPoint(point),
  open: figure(point.open),
  high: figure(point.high),
  low: figure(point.low),
  close: jsonFigure(point.close),
  ...revisionOf(point)
})

const nairaPoint = (point: Shown<NairaPoint>) => ({
  ...stampedPoint(point),
  buy: computed(point.buy),
  sell: computed(point.sell),
  mid: computed(point.mid),
  low: computed(point.low),
  high: computed(point.high),
  official: figure(point.official),
  official_date: point.officialDate,
  premium: computed(point.premium),
  confidence: point.confidence,
  kind: point.kind,
  ...revisionOf(point)
})

const fxPoint = (point: Shown<FxPoint>) => ({
  ...stampedPoint(point),
  rates: Object.fromEntries(Object.entries(point.rates).map(([quote, rate]) => [quote, figure(rate)])),
  ...revisionOf(point)
})

const edgeOf = (interval: Interval, bucket: number): string => (interval === "day" ? dayOf(bucket) : timeOf(bucket))

const coverageOf = (interval: Interval, { first, last, missing }: Coverage) => ({
  from: first === null ? null : edgeOf(interval, first),
  to: last === null ? null : edgeOf(interval, last),
  missing: missing.map(({ from, to }) => ({ from: edgeOf(interval, from), to: edgeOf(interval, to) }))
})

/** After so many points other work goes on. */
const SLICE = 500

interface Answered<P, Row> {
  /** What the history is of: the members of `data` before the points. */
  readonly subject: object
  readonly range: HistoryRange
  readonly history: HistoryOf<P>
  readonly row: (point: Shown<P>) => Row
}

/** The answer for the current caller in a format; `table` gives the rows of a point as CSV has them. */
const historyBody = Effect.fnUntraced(function* <P, Row>(
  { history, range, row, subject }: Answered<P, Row>,
  format: Format.Format,
  table: {
    readonly columns: ReadonlyArray<string>
    readonly rows: (row: Row) => ReadonlyArray<Readonly<Record<string, Cell>>>
    readonly prices?: (row: Row) => DatedPrice
  }
) {
  const { source, updated } = stampOfHistory(history, range.first)
  const meta = { source, updated: timeOf(updated.epochMilliseconds) }
  const points: Array<Row> = []
  for (const some of Arr.chunksOf(history.points, SLICE)) {
    if (points.length > 0) yield* Effect.yieldNow
    points.push(...some.map(row))
  }
  if (format === "csv") return Format.text(format, csv(table.columns, points.flatMap(table.rows)), meta)
  if (format !== "json" && table.prices !== undefined) {
    return Format.text(format, priceDirectives(format, points.map(table.prices)), meta)
  }
  const { tier } = yield* Caller
  const coverage = coverageOf(range.interval, history.coverage)
  // Writing many points as JSON takes milliseconds: waiting requests go first.
  if (points.length > SLICE) yield* Effect.yieldNow
  return Format.json({ data: { ...subject, interval: range.interval, points, coverage }, meta: { ...meta, tier } })
})
