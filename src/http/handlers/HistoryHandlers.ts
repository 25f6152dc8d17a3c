// `/v1/price/{id}/{fiat}/history`, `/v1/naira/history`, `/v1/p2p/{fiat}/history` and `/v1/fx/history`. Figures are rounded here and nowhere before, and
// are written without the schemas of the contract, which take longer for thousands of points than everything else.
import { Array as Arr, Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import * as HistoryApi from "../../api/HistoryApi.ts"
import { jsonFigure } from "../../domain/JsonNumber.ts"
import type { Coverage } from "../../history/model/Coverage.ts"
import type { FxPoint } from "../../history/model/fxHistory.ts"
import { type HistoryQuery, rangeOf } from "../../history/model/HistoryRange.ts"
import { dayOf, type Interval, timeOf } from "../../history/model/Interval.ts"
import type { MarketPoint } from "../../history/model/marketHistory.ts"
import type { PricePoint } from "../../history/model/priceHistory.ts"
import { pairOf, usualMarket } from "../../domain/P2pMarket.ts"
import { P2pMarkets } from "../../services/P2pMarkets.ts"
import { marketIn } from "./P2pHandlers.ts"
import { Histories, type HistoryOf, type HistoryRequest } from "../../services/history/Histories.ts"
import { type Cell, csv } from "../response/Csv.ts"
import { type DatedPrice, priceDirectives } from "../response/PriceDirectives.ts"
import { computed, figure } from "./figure.ts"
import { type InvalidQuery, orInvalid, refusing } from "./refusing.ts"
import { stampOfHistory } from "./Stamp.ts"
import { type Format, formatted, type TableFormat } from "./Format.ts"
import { asciiUpper } from "../../domain/asciiCase.ts"

interface Query extends Omit<HistoryQuery, "interval"> {
  readonly interval?: Interval
  readonly fill: "none" | "previous"
}

interface MarketQuery extends Query {
  readonly format: TableFormat
}

/** Histories of fiats have no hours, so their endpoint takes no `interval`. */
const requestOf = ({ fill, from, interval = "day", to }: Query): Effect.Effect<HistoryRequest, InvalidQuery> =>
  Clock.currentTimeMillis.pipe(
    Effect.flatMap((now) => orInvalid(rangeOf({ from, to, interval }, now))),
    Effect.map((range) => ({ range, isFilled: fill === "previous" }))
  )

export const HistoryHandlers = HttpApiBuilder.group(
  Api,
  "history",
  Effect.fn(function* (handlers) {
    const histories = yield* Histories
    const { followed } = yield* P2pMarkets

    const marketHistory = Effect.fnUntraced(function* (fiat: string, query: MarketQuery) {
      const request = yield* requestOf(query)
      const history = yield* histories.p2p(fiat, request)
      return yield* historyBody({ pair: pairOf(fiat) }, request, history, marketTable, query.format)
    })

    return handlers.handleAll({
      priceHistory: Effect.fnUntraced(function* ({ params: { fiat, id }, query }) {
        const request = yield* requestOf(query)
        const history = yield* histories.prices(id, fiat, request)
        const { symbol } = history
        const table = priceTable(symbol, fiat)
        return yield* historyBody({ id, symbol, fiat }, request, history, table, query.format)
      }, refusing),
      nairaHistory: ({ query }) => refusing(marketHistory(usualMarket.fiat, query)),
      p2pHistory: Effect.fnUntraced(function* ({ params: { fiat }, query }) {
        yield* marketIn(followed, fiat)
        return yield* marketHistory(fiat, query)
      }, refusing),
      fxHistory: Effect.fnUntraced(function* ({ query }) {
        const quotes = asciiUpper(query.quotes).split(",")
        const request = yield* requestOf(query)
        const history = yield* histories.fx(quotes, request)
        const subject = { base: "USD", quotes }
        return yield* historyBody(subject, request, history, fxTable, query.format)
      }, refusing)
    })
  })
)

type Shown<P> = P & { readonly isFinal: boolean }

type Stamped = Shown<Pick<PricePoint, "bucket" | "observedAt" | "source" | "revisedAt">>

const stampedPoint = ({ bucket, isFinal, observedAt, source }: Stamped) => {
  const time = timeOf(bucket)
  return { date: time.slice(0, 10), time, final: isFinal, observed: timeOf(observedAt), source }
}

const revisionOf = ({ revisedAt }: Stamped) => ({ revised: revisedAt === null ? null : timeOf(revisedAt) })

const edgeOf = (interval: Interval, bucket: number): string => (interval === "day" ? dayOf(bucket) : timeOf(bucket))

const coverageOf = (interval: Interval, { first, last, missing }: Coverage) => ({
  from: first === null ? null : edgeOf(interval, first),
  to: last === null ? null : edgeOf(interval, last),
  missing: missing.map(({ from, to }) => ({ from: edgeOf(interval, from), to: edgeOf(interval, to) }))
})

/** After so many points other work goes on. */
const SLICE = 500

/** How points are shown: `row` in JSON, `rows` in CSV, and `prices` for ledgers. */
interface Table<P, Row> {
  readonly columns: ReadonlyArray<string>
  readonly row: (point: Shown<P>) => Row
  readonly rows: (row: Row) => ReadonlyArray<Readonly<Record<string, Cell>>>
  readonly prices?: (row: Row) => DatedPrice
}

const tableOf = <P, Row>(table: Table<P, Row>): Table<P, Row> => table

/** Quoted figures keep the digits of their source. */
const priceTable = (symbol: string, fiat: string) =>
  tableOf({
    columns: Object.keys(HistoryApi.PricePoint.fields),
    row: (point: Shown<PricePoint>) => ({
      ...stampedPoint(point),
      open: figure(point.open),
      high: figure(point.high),
      low: figure(point.low),
      close: jsonFigure(point.close),
      volume: figure(point.volume),
      ...revisionOf(point)
    }),
    rows: (row) => [row],
    prices: ({ close, date }) => ({ date, symbol, price: close, fiat })
  })

const marketTable = tableOf({
  columns: Object.keys(HistoryApi.P2pPoint.fields),
  row: ({ market, official, premium, ...point }: Shown<MarketPoint>) => ({
    ...stampedPoint(point),
    buy: computed(market?.buy),
    sell: computed(market?.sell),
    mid: computed(market?.close),
    low: computed(market?.low),
    high: computed(market?.high),
    official: figure(official?.close),
    official_date: official === undefined ? null : dayOf(official.bucket),
    premium: computed(premium),
    confidence: market?.confidence ?? null,
    kind: market?.kind ?? null,
    ...revisionOf(point)
  }),
  rows: (row) => [row]
})

const fxTable = tableOf({
  columns: Object.keys(HistoryApi.FxPoint.fields).flatMap((name) =>
    name === "rates" ? ["base", "quote", "rate"] : name
  ),
  row: (point: Shown<FxPoint>) => ({
    ...stampedPoint(point),
    rates: Object.fromEntries(Object.entries(point.rates).map(([quote, rate]) => [quote, figure(rate)])),
    ...revisionOf(point)
  }),
  rows: ({ rates, ...rest }) => Object.entries(rates).map(([quote, rate]) => ({ ...rest, base: "USD", quote, rate }))
})

/** The answer for the current caller. `subject`: what the history is of, the members of `data` before the points. */
const historyBody = Effect.fnUntraced(function* <P, Row>(
  subject: object,
  { range }: HistoryRequest,
  history: HistoryOf<P>,
  table: Table<P, Row>,
  format: Format
) {
  const points: Array<Row> = []
  for (const some of Arr.chunksOf(history.points, SLICE)) {
    if (points.length > 0) yield* Effect.yieldNow
    points.push(...some.map(table.row))
  }
  // Writing many points takes milliseconds: waiting requests go first.
  if (points.length > SLICE) yield* Effect.yieldNow
  const coverage = coverageOf(range.interval, history.coverage)
  return yield* formatted(
    format,
    stampOfHistory(history, range.first),
    () => ({ ...subject, interval: range.interval, points, coverage }),
    (other) =>
      other === "csv" || table.prices === undefined
        ? csv(table.columns, points.flatMap(table.rows))
        : priceDirectives(other, points.map(table.prices))
  )
})
