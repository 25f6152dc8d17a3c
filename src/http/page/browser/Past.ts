// The two histories as the chart and the table show them: a P2P market beside the official rate, and a coin's price. An order book's
// middle is a line of its own, because it is no P2P rate.
import type { Figure, MarketHistory, PriceHistory } from "./Answers.ts"
import { dayOf } from "./Clock.ts"
import type { Line } from "./Chart.ts"
import { type Content, changed, figure, h, small } from "./Elements.ts"
import { change, fiatOf, type Format, money, plainMoney } from "./Figures.ts"

/** A figure for each look of a line; null where it is not known. */
type Values = Readonly<Partial<Record<Line["look"], Figure | null>>>

type MarketPoint = MarketHistory["points"][number]

export interface PastPoint extends Pick<MarketPoint, "time" | "final" | "revised" | "source"> {
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
  readonly coverage: MarketHistory["coverage"]
  readonly heads: ReadonlyArray<string>
}

export const kinds = { p2p: "P2P", order_book: "order book" } as const

const remarks = ({ buy, official, official_date, premium, sell }: MarketPoint, inFiat: Format): string => {
  const day = official_date === null ? "" : ` of ${dayOf(official_date)}`
  return [
    buy === null || sell === null ? null : `buy ${inFiat(buy)}, sell ${inFiat(sell)}`,
    official === null ? null : `official ${inFiat(official)}${day}`,
    premium === null ? null : `premium ${change(premium)}`
  ]
    .filter((remark) => remark !== null)
    .join(", ")
}

const marketPoint = (point: MarketPoint, inFiat: Format): PastPoint => {
  const { kind, mid, official, official_date, source } = point
  return {
    ...point,
    values: { main: kind === "p2p" ? mid : null, book: kind === "order_book" ? mid : null, official },
    reading: [
      h("b", mid === null ? "no market rate" : `${inFiat(mid)} ${kind === null ? "" : kinds[kind]}`),
      small(remarks(point, inFiat))
    ],
    cells: [
      [figure(mid, plainMoney), kind === null ? null : small(kinds[kind])],
      figure(point.buy, plainMoney),
      figure(point.sell, plainMoney),
      [figure(official, plainMoney), official_date === null ? null : small(official_date)],
      changed(point.premium),
      source
    ]
  }
}

export const pastMarket = ({ coverage, pair, points }: MarketHistory): Past => {
  const fiat = fiatOf({ pair })
  const format = money(fiat)
  return {
    title: pair,
    unit: `${fiat} for 1 USDT`,
    format,
    names: { main: "P2P mid", book: "order book mid", official: "official rate" },
    points: points.map((point) => marketPoint(point, format)),
    coverage,
    heads: ["Mid", "Buy", "Sell", "Official", "Premium", "Source"]
  }
}

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
