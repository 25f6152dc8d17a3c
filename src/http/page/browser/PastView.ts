// A history as a chart, with the table behind it. A slot of time without a point is a gap in both.
import { chart } from "./Chart.ts"
import { dayOf, hourOf, serverNow } from "./Clock.ts"
import { type Content, h, small } from "./Elements.ts"
import { DAY } from "./Figures.ts"
import type { Past, PastPoint } from "./Past.ts"
import { table } from "./Tables.ts"

/** How much of the past is shown: slots of one length, in milliseconds. */
export interface Span {
  readonly step: number
  readonly slots: number
}

const GAPS_NAMED = 3

type Gap = readonly [from: number, to: number]

/** The runs of slots that no point is in. */
const gapsOf = (slots: number, taken: ReadonlySet<number>): ReadonlyArray<Gap> => {
  const gaps: Array<Gap> = []
  let from = 0
  for (let slot = 0; slot <= slots; slot++) {
    if (slot < slots && !taken.has(slot)) continue
    if (slot > from) gaps.push([from, slot - 1])
    from = slot + 1
  }
  return gaps
}

/** The view of a history over a span that ends now. */
export const pastView = (past: Past, { slots, step }: Span): Content => {
  const now = serverNow()
  const first = now - (now % step) - (slots - 1) * step
  const slotOf = ({ time }: PastPoint) => (Date.parse(time) - first) / step
  const points = past.points.filter((point) => slotOf(point) >= 0)
  const unit = step === DAY ? "day" : "hour"
  if (points.length === 0) {
    const { from, to } = past.coverage
    const name = step === DAY ? dayOf : hourOf
    const reach = from === null || to === null ? "" : ` What is known is of ${name(from)} to ${name(to)}.`
    return h("p", { class: "reason" }, `Nothing was observed in these ${slots} ${unit}s.${reach}`)
  }

  const at = new Map(points.map((point) => [slotOf(point), point]))
  const name = (slot: number) => (step === DAY ? dayOf : hourOf)(first + slot * step)
  const span = ([from, to]: Gap) => (from === to ? name(from) : `${name(from)} to ${name(to)}`)
  const label = (point: PastPoint) =>
    name(slotOf(point)) +
    (point.final ? "" : ", so far") +
    (point.revised === null ? "" : `, corrected ${dayOf(point.revised)}`)
  const lines = LOOKS.map((look) => ({
    look,
    name: past.names[look] ?? "",
    values: Array.from({ length: slots }, (_, slot) => {
      const value = at.get(slot)?.values[look] ?? null
      return value === null ? null : Number(value)
    })
  })).filter(({ values }) => values.some((value) => value !== null))
  // A day of which only the official rate is known is a gap in the market's line.
  const observed = points.filter(({ values }) => (values.main ?? values.book ?? null) !== null)
  const gaps = gapsOf(slots, new Set(observed.map(slotOf)))
  const named = gaps.slice(0, GAPS_NAMED).map(span)
  const more = gaps.length > GAPS_NAMED ? "; the others are in the table" : ""

  const rows = () =>
    [
      ...points.map((point) => ({ slot: slotOf(point), cells: [label(point), ...point.cells] })),
      ...gapsOf(slots, new Set(at.keys())).map((gap) => ({
        slot: gap[0] - 0.5,
        cells: [span(gap), "nothing observed", ...past.heads.slice(1).map(() => null)]
      }))
    ]
      .toSorted((one, other) => other.slot - one.slot)
      .map(({ cells }) => cells)

  return [
    chart({
      title: past.title,
      unit: past.unit,
      first,
      step,
      slots,
      lines,
      gaps,
      stops: points.map((point) => ({
        slot: slotOf(point),
        reading: [h("span", label(point)), point.reading, small(point.source)]
      }))
    }),
    h(
      "p",
      { class: "soft" },
      small(
        `A point is the last observation of its ${unit}, UTC. `,
        gaps.length === 0
          ? `Each of the ${slots} ${unit}s has one.`
          : `Without one: ${slots - observed.length} of ${slots} ${unit}s (${named.join("; ")}${more}).`,
        " To read a value, point at the chart, or focus it and press the arrow keys."
      )
    ),
    tableOf(past, points.length, rows)
  ]
}

const LOOKS = ["main", "book", "official"] as const

/** The table, newest first, made when it is unfolded: a year has 365 rows. */
const tableOf = (
  { heads, title }: Past,
  count: number,
  rows: () => ReadonlyArray<ReadonlyArray<Content>>
): HTMLElement => {
  const summary = count === 1 ? "The point as a table" : `The ${count} points as a table`
  const details = h("details", h("summary", h("h3", summary)))
  const unfold = () =>
    details.append(
      table({ caption: `${title}, newest first`, heads: ["Time, UTC", ...heads], text: [heads.length], rows: rows() })
    )
  details.addEventListener("toggle", unfold, { once: true })
  return details
}
