// The bodies of histories. Figures are rounded here and nowhere before, and are written without the schemas of the
// contract, which take longer for thousands of points than everything else.
import { Array as Arr, Effect, Option } from "effect"
import { Caller } from "../../api/Caller.ts"
import { jsonFigure } from "../../domain/JsonNumber.ts"
import { derived } from "../../domain/Decimal.ts"
import type { Coverage } from "../../domain/history/Coverage.ts"
import type { FxPoint } from "../../domain/history/fxHistory.ts"
import type { HistoryRange } from "../../domain/history/HistoryRange.ts"
import { dayOf, type Interval, timeOf } from "../../domain/history/Interval.ts"
import type { NairaPoint } from "../../domain/history/nairaHistory.ts"
import type { PricePoint } from "../../domain/history/priceHistory.ts"
import { type Cell, csv } from "../response/Csv.ts"
import * as Format from "../response/Format.ts"
import { type DatedPrice, priceDirectives } from "../response/PriceDirectives.ts"
import type { HistoryOf } from "../../services/history/Histories.ts"

type Shown<P> = P & { readonly isFinal: boolean }

type Stamped = Shown<Pick<PricePoint, "bucket" | "observedAt" | "source" | "revisedAt">>

const rounded = (figure: number | null) => (figure === null ? null : jsonFigure(derived(figure)))

const stampOf = ({ bucket, isFinal, observedAt, source }: Stamped) => {
  const time = timeOf(bucket)
  return { date: time.slice(0, 10), time, final: isFinal, observed: timeOf(observedAt), source }
}

const revisionOf = ({ revisedAt }: Stamped) => ({ revised: revisedAt === null ? null : timeOf(revisedAt) })

/** A point of a price history. Quoted figures keep the digits of their source. */
export const pricePoint = (point: Shown<PricePoint>) => ({
  ...stampOf(point),
  open: figure(point.open),
  high: figure(point.high),
  low: figure(point.low),
  close: jsonFigure(point.close),
  ...revisionOf(point)
})

const figure = (value: number | null) => (value === null ? null : jsonFigure(value))

export const nairaPoint = (point: Shown<NairaPoint>) => ({
  ...stampOf(point),
  buy: rounded(point.buy),
  sell: rounded(point.sell),
  mid: rounded(point.mid),
  low: rounded(point.low),
  high: rounded(point.high),
  official: figure(point.official),
  official_date: point.officialDate,
  premium: rounded(point.premium),
  confidence: point.confidence,
  kind: point.kind,
  ...revisionOf(point)
})

export const fxPoint = (point: Shown<FxPoint>) => ({
  ...stampOf(point),
  rates: Object.fromEntries(Object.entries(point.rates).map(([quote, rate]) => [quote, figure(rate)])),
  ...revisionOf(point)
})

/** A bucket as gaps name it. */
const edgeOf = (interval: Interval, bucket: number): string => (interval === "day" ? dayOf(bucket) : timeOf(bucket))

const coverageOf = (interval: Interval, { first, last, missing }: Coverage) => ({
  from: first === null ? null : edgeOf(interval, first),
  to: last === null ? null : edgeOf(interval, last),
  missing: missing.map(({ from, to }) => ({ from: edgeOf(interval, from), to: edgeOf(interval, to) }))
})

/** The source of a history without a point, and of prices at a moment of which nothing is known. */
export const OWN_RECORD = "own record"

/** Source and time of a history. Where there is no point the time is the start of what was asked. */
export const metaOf = (range: HistoryRange, { source, updated }: HistoryOf<unknown>) => ({
  source: source === "" ? OWN_RECORD : source,
  updated: Option.match(updated, {
    onNone: () => timeOf(range.first),
    onSome: ({ epochMilliseconds }) => timeOf(epochMilliseconds)
  })
})

/** After so many points other work goes on. */
const SLICE = 500

export interface Answered<P, Row> {
  /** What the history is of: the members of `data` before the points. */
  readonly subject: object
  readonly range: HistoryRange
  readonly history: HistoryOf<P>
  readonly row: (point: Shown<P>) => Row
}

/** The answer for the current caller in a format; `table` gives the rows of a point as CSV has them. */
export const historyBody = Effect.fnUntraced(function* <P, Row>(
  { history, range, row, subject }: Answered<P, Row>,
  format: Format.Format,
  table: {
    readonly columns: ReadonlyArray<string>
    readonly rows: (row: Row) => ReadonlyArray<Readonly<Record<string, Cell>>>
    readonly prices?: (row: Row) => DatedPrice
  }
) {
  const meta = metaOf(range, history)
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
