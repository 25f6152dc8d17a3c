// The two histories as the chart and the table show them: the naira beside the official rate, and a coin's price. An order book's
// middle is a line of its own, because it is no P2P rate.
import type { Figure, NairaHistory, PriceHistory } from "./Answers.ts"
import { dayOf } from "./Clock.ts"
import type { Line } from "./Chart.ts"
import { type Content, changed, figure, h, small } from "./Elements.ts"
import { cents, change, type Format, money, naira } from "./Figures.ts"

/** A figure for each look of a line; null where it is not known. */
type Values = Readonly<Partial<Record<Line["look"], Figure | null>>>

export interface PastPoint {
  readonly time: string
  readonly final: boolean
  /** When its source corrected it. */
  readonly revised: string | null
  readonly source: string
  readonly values: Values
  /** What is said of the point besides its time. */
  readonly reading: Content
  readonly cells: ReadonlyArray<Content>
}

export interface Past {
  readonly title: string
  readonly unit: string
  readonly format: Format
  readonly names: Readonly<Partial<Record<Line["look"], string>>>
  /** Oldest first. */
  readonly points: ReadonlyArray<PastPoint>
  /** The first and the last day or hour of which anything is known; null where there is none. */
  readonly reach: readonly [from: string | null, to: string | null]
  readonly heads: ReadonlyArray<string>
}

const kinds = { p2p: "P2P", order_book: "order book" } as const

type NairaPoint = NairaHistory["points"][number]

const nairaRemarks = ({ buy, official, official_date, premium, sell }: NairaPoint): string =>
  [
    buy === null || sell === null ? [] : [`buy ${naira(buy)}`, `sell ${naira(sell)}`],
    official === null
      ? []
      : [`official ${naira(official)}${official_date === null ? "" : ` of ${dayOf(official_date)}`}`],
    premium === null ? [] : [`premium ${change(premium)}`]
  ]
    .flat()
    .join(", ")

const nairaPoint = (point: NairaPoint): PastPoint => {
  const { final, kind, mid, official, official_date, revised, source, time } = point
  return {
    time,
    final,
    revised,
    source,
    values: {
      main: kind === "p2p" ? mid : null,
      book: kind === "order_book" ? mid : null,
      official
    },
    reading: [
      h("b", mid === null ? "no market rate" : `${naira(mid)} ${kind === null ? "" : kinds[kind]}`),
      small(nairaRemarks(point))
    ],
    cells: [
      [figure(mid, cents), kind === null ? null : small(kinds[kind])],
      figure(point.buy, cents),
      figure(point.sell, cents),
      [figure(official, cents), official_date === null ? null : small(official_date)],
      changed(point.premium),
      source
    ]
  }
}

/** USDT/NGN. */
export const pastNaira = ({ coverage, points }: NairaHistory): Past => ({
  title: "USDT/NGN",
  unit: "NGN for 1 USDT",
  format: naira,
  names: { main: "P2P mid", book: "order book mid", official: "official rate" },
  points: points.map(nairaPoint),
  reach: [coverage.from, coverage.to],
  heads: ["Mid", "Buy", "Sell", "Official", "Premium", "Source"]
})

/** A coin in a fiat. */
export const pastPrice = ({ coverage, fiat, points, symbol }: PriceHistory): Past => {
  const format = money(fiat)
  // Computed prices and those of other sources have a close only.
  const hasRange = points.some(({ high }) => high !== null)
  return {
    title: `${symbol}/${fiat}`,
    unit: `${fiat} for 1 ${symbol}`,
    format,
    names: { main: "price" },
    reach: [coverage.from, coverage.to],
    points: points.map(({ close, final, high, low, open, revised, source, time }) => ({
      time,
      final,
      revised,
      source,
      values: { main: close },
      reading: [
        h("b", format(close)),
        small(high === null || low === null ? "" : `high ${format(high)}, low ${format(low)}`)
      ],
      cells: [
        figure(close, format),
        ...(hasRange ? [open, high, low].map((price) => figure(price, format)) : []),
        source
      ]
    })),
    heads: ["Close", ...(hasRange ? ["Open", "High", "Low"] : []), "Source"]
  }
}
