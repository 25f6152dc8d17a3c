// `/v1/price/{id}/{fiat}/history`, `/v1/naira/history`, `/v1/p2p/{fiat}/history` and `/v1/fx/history`.
import { Array as Arr, Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import type { Coverage } from "../../history/model/Coverage.ts"
import { type HistoryQuery, rangeOf } from "../../history/model/HistoryRange.ts"
import { dayOf, type Interval, timeOf } from "../../history/model/Interval.ts"
import { pairOf, usualMarket } from "../../domain/P2pMarket.ts"
import { P2pMarkets } from "../../services/P2pMarkets.ts"
import { marketIn } from "./P2pHandlers.ts"
import { Histories, type HistoryOf, type HistoryRequest } from "../../services/history/Histories.ts"
import { type DatedPrice, priceDirectives } from "../response/PriceDirectives.ts"
import { fxTable, type HistoryTable, historyCsv, marketTable, priceTable } from "./HistoryTables.ts"
import { type InvalidQuery, orInvalid, refusing } from "./refusing.ts"
import { stampOfHistory } from "./Stamp.ts"
import { type Format, formatted, type TableFormat } from "./Format.ts"

interface Query extends HistoryQuery {
  readonly fill: "none" | "previous"
}

interface MarketQuery extends Query {
  readonly format: TableFormat
}

const requestOf = ({ fill, from, interval, to }: Query): Effect.Effect<HistoryRequest, InvalidQuery> =>
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
      return yield* historyBody(
        { pair: pairOf(fiat) },
        request,
        history,
        marketTable(fiat, request.range.period),
        query.format
      )
    })

    return handlers.handleAll({
      priceHistory: Effect.fnUntraced(function* ({ params: { fiat, id }, query }) {
        const request = yield* requestOf(query)
        const history = yield* histories.prices(id, fiat, request)
        const { symbol } = history
        const table = priceTable(id, fiat, request.range.period)
        return yield* historyBody({ id, symbol, fiat }, request, history, table, query.format, ({ close, ...row }) => ({
          // The price of a week or month is that of its last day.
          date: request.range.period === undefined ? row.date : row.observed.slice(0, 10),
          symbol,
          price: close,
          fiat
        }))
      }, refusing),
      nairaHistory: ({ query }) => refusing(marketHistory(usualMarket.fiat, query)),
      p2pHistory: Effect.fnUntraced(function* ({ params: { fiat }, query }) {
        yield* marketIn(followed, fiat)
        return yield* marketHistory(fiat, query)
      }, refusing),
      fxHistory: Effect.fnUntraced(function* ({ query }) {
        const { quotes } = query
        const request = yield* requestOf(query)
        const history = yield* histories.fx(quotes, request)
        const subject = { base: "USD", quotes }
        return yield* historyBody(subject, request, history, fxTable(request.range.period), query.format)
      }, refusing)
    })
  })
)

const edgeOf = (interval: Interval, bucket: number): string => (interval === "day" ? dayOf(bucket) : timeOf(bucket))

export const coverageOf = (interval: Interval, { first, last, missing }: Coverage) => ({
  from: first === null ? null : edgeOf(interval, first),
  to: last === null ? null : edgeOf(interval, last),
  missing: missing.map(({ from, to }) => ({ from: edgeOf(interval, from), to: edgeOf(interval, to) }))
})

/** Points after which the handler yields to other requests. */
const SLICE = 500

/**
 * The answer for the current caller. `subject`: the members of `data` before the points. `price`: a row in ledger formats, for histories
 * that have them.
 */
const historyBody = Effect.fnUntraced(function* <P, Row>(
  subject: object,
  { range }: HistoryRequest,
  history: HistoryOf<P>,
  table: HistoryTable<P, Row>,
  format: Format,
  price?: (row: Row) => DatedPrice
) {
  const points: Array<Row> = []
  for (const some of Arr.chunksOf(history.points, SLICE)) {
    if (points.length > 0) yield* Effect.yieldNow
    points.push(...some.map(table.row))
  }
  // Serializing many points takes milliseconds, so waiting requests go first.
  if (points.length > SLICE) yield* Effect.yieldNow
  const coverage = coverageOf(range.interval, history.coverage)
  return yield* formatted(
    format,
    stampOfHistory(history, range.first),
    () => ({ ...subject, interval: range.period ?? range.interval, points, coverage }),
    (other) =>
      other === "csv" || price === undefined ? historyCsv(table, points) : priceDirectives(other, points.map(price))
  )
})
