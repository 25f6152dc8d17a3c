// The points of histories as rows of JSON and CSV. CSV rows also name their coin, pair or currencies, so that tables can be joined;
// `history export` prints the same CSV. Figures are rounded only here. Rows are written without the contract's schemas, which would take
// longer for thousands of points than everything else.
import { P2pPoint, FxPoint as FxRow, PricePoint as PriceRow } from "../../api/HistoryApi.ts"
import { jsonFigure } from "../../domain/JsonNumber.ts"
import { pairOf } from "../../domain/P2pMarket.ts"
import type { FxPoint } from "../../history/model/fxHistory.ts"
import { dayOf, timeOf } from "../../history/model/Interval.ts"
import type { MarketPoint } from "../../history/model/marketHistory.ts"
import type { Period } from "../../history/model/Period.ts"
import type { PricePoint } from "../../history/model/priceHistory.ts"
import { type Cell, csv } from "../response/Csv.ts"
import { computed, figure } from "./figure.ts"

type Shown<P> = P & { readonly isFinal: boolean }

type Stamped = Shown<Pick<PricePoint, "bucket" | "observedAt" | "source" | "revisedAt">>

const stampedPoint = ({ bucket, isFinal, observedAt, source }: Stamped) => {
  const time = timeOf(bucket)
  return { date: time.slice(0, 10), time, final: isFinal, observed: timeOf(observedAt), source }
}

const revisionOf = ({ revisedAt }: Stamped) => ({ revised: revisedAt === null ? null : timeOf(revisedAt) })

/** The members of a point, without those that only weeks and months have. */
const membersOf = (
  fields: object,
  period: Period | undefined,
  ofPeriods: ReadonlyArray<string>
): ReadonlyArray<string> => Object.keys(fields).filter((name) => period !== undefined || !ofPeriods.includes(name))

const TOTALS = ["average", "days"]

/** How points are shown: `row` in JSON, `cells` in CSV. */
export interface HistoryTable<P, Row> {
  readonly columns: ReadonlyArray<string>
  readonly row: (point: Shown<P>) => Row
  readonly cells: (row: Row) => ReadonlyArray<Readonly<Record<string, Cell>>>
}

const tableOf = <P, Row>(table: HistoryTable<P, Row>): HistoryTable<P, Row> => table

export const historyCsv = <P, Row>({ cells, columns }: HistoryTable<P, Row>, rows: ReadonlyArray<Row>): string =>
  csv(columns, rows.flatMap(cells))

/** Prices of a coin in a fiat. Quoted figures keep the digits of their source. */
export const priceTable = (id: string, fiat: string, period?: Period) =>
  tableOf({
    columns: [...membersOf(PriceRow.fields, period, TOTALS), "id", "fiat"],
    row: (point: Shown<PricePoint>) => ({
      ...stampedPoint(point),
      open: figure(point.open),
      high: figure(point.high),
      low: figure(point.low),
      close: jsonFigure(point.close),
      volume: figure(point.volume),
      ...(point.days !== undefined && { average: computed(point.average), days: point.days }),
      ...revisionOf(point)
    }),
    cells: (row) => [{ ...row, id, fiat }]
  })

/** USDT in a fiat that has a P2P market. */
export const marketTable = (fiat: string, period?: Period) =>
  tableOf({
    columns: [...membersOf(P2pPoint.fields, period, ["open", ...TOTALS]), "pair"],
    row: ({ fixing, market, official, premium, ...point }: Shown<MarketPoint>) => ({
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
      method: market?.method ?? null,
      fixing: computed(fixing),
      ...(point.days !== undefined && {
        open: computed(market?.open),
        average: computed(point.average),
        days: point.days
      }),
      ...revisionOf(point)
    }),
    cells: (row) => [{ ...row, pair: pairOf(fiat) }]
  })

/** Fiats against USD: in JSON one row per point, in CSV one per rate. */
export const fxTable = (period?: Period) =>
  tableOf({
    columns: membersOf(FxRow.fields, period, TOTALS).flatMap((name) =>
      name === "rates" ? ["base", "quote", "rate"] : name
    ),
    row: (point: Shown<FxPoint>) => ({
      ...stampedPoint(point),
      rates: mapped(point.rates, figure),
      ...(point.days !== undefined && { average: mapped(point.average ?? {}, computed), days: point.days }),
      ...revisionOf(point)
    }),
    cells: ({ average = {}, rates, ...rest }) =>
      Object.entries(rates).map(([quote, rate]) => ({
        ...rest,
        base: "USD",
        quote,
        rate,
        average: average[quote] ?? null
      }))
  })

const mapped = <A, B>(figures: Readonly<Record<string, A>>, show: (figure: A) => B): Readonly<Record<string, B>> =>
  Object.fromEntries(Object.entries(figures).map(([quote, figure]) => [quote, show(figure)]))
