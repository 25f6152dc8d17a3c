// The two histories as the chart and the table show them: the naira beside the official rate, and a coin's price. An order book's
// middle is a line of its own, because it is no P2P rate.
import type { Figure, NairaHistory, PriceHistory } from "./Answers.ts"
import { dayOf } from "./Clock.ts"
import type { Line } from "./Chart.ts"
import { type Content, changed, figure, h, small } from "./Elements.ts"
import { cents, change, type Format, money, naira } from "./Figures.ts"

/** A figure for each look of a line; null where it is not known. */
type Values = Readonly<Partial<Record<Line["look"], Figure | null>>>

type NairaPoint = NairaHistory["points"][number]

export interface PastPoint extends Pick<NairaPoint, "time" | "final" | "revised" | "source"> {
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
  readonly coverage: NairaHistory["coverage"]
  readonly heads: ReadonlyArray<string>
}

export const kinds = { p2p: "P2P", order_book: "order book" } as const

const nairaRemarks = ({ buy, official, official_date, premium, sell }: NairaPoint): string => {
  const day = official_date === null ? "" : ` of ${dayOf(official_date)}`
  return [
    buy === null || sell === null ? null : `buy ${naira(buy)}, sell ${naira(sell)}`,
    official === null ? null : `official ${naira(official)}${day}`,
    premium === null ? null : `premium ${change(premium)}`
  ]
    .filter((remark) => remark !== null)
    .join(", ")
}

const nairaPoint = (point: NairaPoint): PastPoint => {
  const { kind, mid, official, official_date, source } = point
  return {
    ...point,
    values: { main: kind === "p2p" ? mid : null, book: kind === "order_book" ? mid : null, official },
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

export const pastNaira = ({ coverage, points }: NairaHistory): Past => ({
  title: "USDT/NGN",
  unit: "NGN for 1 USDT",
  format: naira,
  names: { main: "P2P mid", book: "order book mid", official: "official rate" },
  points: points.map(nairaPoint),
  coverage,
  heads: ["Mid", "Buy", "Sell", "Official", "Premium", "Source"]
})

export const pastPrice = ({ coverage, fiat, points, symbol }: PriceHistory): Past => {
  const format = money(fiat)
  // Computed prices and those of other sources have a close only.
  const hasRange = points.some(({ high }) => high !== null)
  return {
    title: `${symbol}/${fiat}`,
    unit: `${fiat} for 1 ${symbol}`,
    format,
    names: { main: "price" },
    coverage,
    points: points.map((point) => {
      const { close, high, low, open, source } = point
      const range = high === null || low === null ? "" : `high ${format(high)}, low ${format(low)}`
      const others = hasRange ? [open, high, low].map((price) => figure(price, format)) : []
      return {
        ...point,
        values: { main: close },
        reading: [h("b", format(close)), small(range)],
        cells: [figure(close, format), ...others, source]
      }
    }),
    heads: ["Close", ...(hasRange ? ["Open", "High", "Low"] : []), "Source"]
  }
}
