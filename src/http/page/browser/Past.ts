// A history prepared for a chart: every day or hour, the lines, and the gaps. An order book's mid has its own line, because it is no P2P
// rate.
import type { Figure, MarketHistory, PriceHistory } from "./Answers.ts"
import { DAY, dateOf, dayOf, HOUR, startOf, WEEK } from "./Clock.ts"
import { type Format, money, numberOf } from "./Figures.ts"

/** Seconds between refreshes of a history. */
export const PAST_EVERY = 600

/** A span of time that ends now. */
export interface Span {
  readonly name: string
  readonly step: number
  /** Hours, days or weeks. `All` has the most that the API returns. */
  readonly slots: number
}

export const spans: ReadonlyArray<Span> = [
  { name: "24 h", step: HOUR, slots: 24 },
  { name: "7 d", step: HOUR, slots: 7 * 24 },
  { name: "30 d", step: DAY, slots: 30 },
  { name: "90 d", step: DAY, slots: 90 },
  { name: "1 y", step: DAY, slots: 365 },
  { name: "5 y", step: WEEK, slots: 5 * 52 },
  { name: "All", step: DAY, slots: 3660 }
]

export const month = spans[2] ?? { name: "30 d", step: DAY, slots: 30 }

/** The query of a span; empty for 30 days, the API's default. */
export const queryOf = ({ slots, step }: Span, now: number): string => {
  if (step === DAY && slots === 30) return ""
  const from = dateOf(now - (slots - 1) * step)
  const interval = step === HOUR ? "hour" : step === WEEK ? "week" : undefined
  return `?${new URLSearchParams({ from, ...(interval !== undefined && { interval }) })}`
}

/** `carried`: an official rate on days for which none was published. `fixing`: marks without a line. */
export type Look = "main" | "book" | "official" | "carried" | "fixing"

export interface PastLine {
  readonly look: Look
  readonly name: string
  /** A value for each time, or null. */
  readonly values: ReadonlyArray<number | null>
}

export interface Past {
  readonly title: string
  readonly format: Format
  readonly step: number
  /** The start of each hour, day or week, epoch milliseconds, without holes. */
  readonly times: ReadonlyArray<number>
  readonly lines: ReadonlyArray<PastLine>
  /** Runs of times without any value: first and last index, both included. */
  readonly gaps: ReadonlyArray<readonly [from: number, to: number]>
  /** The first recorded day or hour of the series. */
  readonly recordedSince: string | null
  /** The values at each time as text; `null` if there are none. */
  readonly remarks: ReadonlyArray<string | null>
  /** The sources of each time. */
  readonly sources: ReadonlyArray<string | null>
}

const gapsOf = (isKnown: ReadonlyArray<boolean>): Past["gaps"] => {
  const gaps: Array<readonly [number, number]> = []
  let from = 0
  for (let slot = 0; slot <= isKnown.length; slot++) {
    if (slot < isKnown.length && isKnown[slot] === false) continue
    if (slot > from) gaps.push([from, slot - 1])
    from = slot + 1
  }
  return gaps
}

type History = MarketHistory | PriceHistory

/** How points become lines and remarks. */
interface Drawing<P> {
  readonly lines: ReadonlyArray<Omit<PastLine, "values"> & { readonly value: (point: P) => Figure | null }>
  readonly remark: (point: P, format: Format) => string
}

/** The hours, days or weeks of a span. They start at the first recorded one if that is later, so the time before is no gap. */
export const slotsOf = <P extends { readonly time: string }>(
  { coverage, points }: { readonly points: ReadonlyArray<P>; readonly coverage: History["coverage"] },
  { slots, step }: Span,
  now: number
) => {
  const end = startOf(step, now)
  const recorded = coverage.from === null ? -Infinity : Date.parse(coverage.from)
  const first = Math.min(end, Math.max(end - (slots - 1) * step, startOf(step, recorded)))
  const at = new Map(points.map((point) => [Date.parse(point.time), point]))
  return Array.from({ length: Math.round((end - first) / step) + 1 }, (_, slot) => {
    const time = first + slot * step
    return { time, point: at.get(time) }
  })
}

const past = <P extends History["points"][number]>(
  history: { readonly points: ReadonlyArray<P>; readonly coverage: History["coverage"] },
  title: string,
  { lines, remark }: Drawing<P>,
  span: Span,
  now: number
): Past => {
  const slots = slotsOf(history, span, now)
  const format = money(title.slice(title.indexOf("/") + 1))
  const drawn = lines
    .map(({ value, ...line }) => ({ ...line, values: slots.map(({ point }) => numberOf(point ? value(point) : null)) }))
    .filter(({ values }) => values.some((value) => value !== null))
    .flatMap((line) => (line.look === "official" ? [line, carriedOf(line.values, span.step)] : [line]))
  return {
    title,
    format,
    step: span.step,
    times: slots.map(({ time }) => time),
    lines: drawn,
    gaps: gapsOf(slots.map((_, slot) => drawn.some(({ values }) => (values[slot] ?? null) !== null))),
    recordedSince: history.coverage.from,
    remarks: slots.map(({ point }) => {
      if (point === undefined) return null
      const revised = point.revised === null ? "" : `, corrected ${dayOf(point.revised)}`
      return `${remark(point, format)}${revised}`
    }),
    sources: slots.map(({ point }) => point?.source ?? null)
  }
}

/** How long an official rate holds without a newer one, ms. */
const HOLDS = 7 * DAY

/** An official rate holds until the next one: the values where none was published, with the ones around them. */
const carriedOf = (values: PastLine["values"], step: number): PastLine => {
  const most = HOLDS / step
  const held = values.map(
    (value, n) => value ?? values.slice(Math.max(0, n - most), n).findLast((one) => one !== null) ?? null
  )
  const isCarried = (n: number) => values[n] === null && held[n] !== null
  return {
    look: "carried",
    name: "official, the last known",
    values: held.map((value, n) => (isCarried(n) || isCarried(n + 1) || isCarried(n - 1) ? value : null))
  }
}

const market: Drawing<MarketHistory["points"][number]> = {
  lines: [
    { look: "main", name: "street (P2P)", value: ({ kind, mid }) => (kind === "p2p" ? mid : null) },
    { look: "official", name: "official", value: ({ official }) => official },
    { look: "book", name: "order book", value: ({ kind, mid }) => (kind === "order_book" ? mid : null) },
    { look: "fixing", name: "fixing of 16:00", value: ({ fixing }) => fixing }
  ],
  remark: ({ buy, fixing, kind, mid, official, sell }, format) =>
    [
      mid === null ? "no market rate" : `${format(mid)} ${kind === "order_book" ? "order book" : "street"}`,
      ...(buy === null || sell === null ? [] : [`buy ${format(buy)}, sell ${format(sell)}`]),
      ...(official === null ? [] : [`official ${format(official)}`]),
      ...(fixing === null ? [] : [`fixing ${format(fixing)}`])
    ].join(", ")
}

const price: Drawing<PriceHistory["points"][number]> = {
  lines: [{ look: "main", name: "price", value: ({ close }) => close }],
  remark: ({ close, high, low }, format) =>
    high === null || low === null ? format(close) : `${format(close)}, high ${format(high)}, low ${format(low)}`
}

export const pastOf = (history: History, span: Span, now: number): Past =>
  "pair" in history
    ? past(history, history.pair, market, span, now)
    : past(history, `${history.symbol}/${history.fiat}`, price, span, now)
