// Lines over time, drawn as SVG at the width of the screen. Where there is no value a line ends, and the gap is hatched. One reads
// values by pointing, by touch, or with the arrow keys on a slider over the drawing, which tells a screen reader the same.
import { timeLabels, valueAxis } from "./ChartAxes.ts"
import { type Content, flat, h, svg } from "./Elements.ts"

/** A line: a value for each slot of time, or null. */
export interface Line {
  readonly name: string
  /** How it looks; `official` is drawn in steps, because it holds for the whole slot. */
  readonly look: "main" | "book" | "official"
  readonly values: ReadonlyArray<number | null>
}

/** Slots of time of one length, in milliseconds, from `first` on. */
interface ChartOptions {
  readonly title: string
  readonly unit: string
  readonly first: number
  readonly step: number
  readonly slots: number
  readonly lines: ReadonlyArray<Line>
  /** Slots without an observation. */
  readonly gaps: ReadonlyArray<readonly [from: number, to: number]>
  /** The slots that the slider stops at, oldest first, at least one, and what is shown above the chart then. */
  readonly stops: ReadonlyArray<{ readonly slot: number; readonly reading: Content }>
}

/** Pixels. The width of a label is estimated from its characters. */
const TOP = 26
const BOTTOM = 24
const RIGHT = 6
const CHARACTER = 7
const BETWEEN_TIMES = 64
const HEIGHT = 288

/** From so many slots on lines are thin. */
const DENSE = 60

const rounded = (pixels: number): string => pixels.toFixed(1)

/** Where slots and values are in the drawing. */
interface Places {
  readonly left: number
  readonly width: number
  /** The middle of a slot; halves are its edges. */
  readonly x: (slot: number) => number
  readonly y: (value: number) => number
}

const pathOf = ({ look, values }: Line, { x, y }: Places): string =>
  values
    .map((value, slot) => {
      if (value === null) return ""
      const isFirst = (values[slot - 1] ?? null) === null
      const height = rounded(y(value))
      if (look !== "official") return `${isFirst ? "M" : "L"}${rounded(x(slot))} ${height}`
      return `${isFirst ? `M${rounded(x(slot - 0.5))} ${height}` : `V${height}`}H${rounded(x(slot + 0.5))}`
    })
    .join("")

const dot = (look: string, slot: number, value: number, { x, y }: Places): SVGElement =>
  svg("circle", { class: look, cx: x(slot), cy: y(value), r: 3 })

/** Values between two gaps, which no line would show. */
const alone = ({ look, values }: Line, places: Places): Content =>
  values.map((value, slot) =>
    value === null || look === "official" || (values[slot - 1] ?? values[slot + 1] ?? null) !== null
      ? null
      : dot(look, slot, value, places)
  )

const line = (name: string, x1: number, x2: number, y1: number, y2: number): SVGElement =>
  svg("line", { class: name, x1, x2, y1, y2 })

const drawing = (options: ChartOptions, width: number): readonly [SVGElement, Places] => {
  const { first, gaps, lines, slots, step, title, unit } = options
  const known = lines.flatMap(({ values }) => values.filter((value) => value !== null))
  const { labels, values } = valueAxis(Math.min(...known), Math.max(...known))
  const low = values[0] ?? 0
  const high = values.at(-1) ?? 1
  const left = Math.max(...labels.map((label) => label.length)) * CHARACTER + 12
  const floor = HEIGHT - BOTTOM
  const places: Places = {
    left,
    width: width - left - RIGHT,
    x: (slot) => left + ((slot + 0.5) * (width - left - RIGHT)) / slots,
    y: (value) => floor - ((value - low) / (high - low)) * (floor - TOP)
  }
  const { x, y } = places
  const times = timeLabels(first, step, slots, Math.floor(places.width / BETWEEN_TIMES))
  const element = svg(
    "svg",
    {
      role: "img",
      class: slots > DENSE ? "dense" : null,
      "aria-label": `${title}, ${unit}: a chart of ${lines.map(({ name }) => name).join(", ")}`
    },
    svg(
      "pattern",
      { id: "hatch", width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      line("hatch", 0, 0, 0, 6)
    ),
    gaps.map(([from, to]) => {
      const [left, right] = [x(from - 0.5), x(to + 0.5)]
      return svg("rect", { x: left, y: TOP, width: right - left, height: floor - TOP, fill: "url(#hatch)" })
    }),
    svg("text", { x: 0, y: 12 }, unit),
    values.map((value, n) => [
      line("grid", left, width - RIGHT, y(value), y(value)),
      svg("text", { x: left - 8, y: y(value) + 4, "text-anchor": "end" }, labels[n])
    ]),
    times.map(([slot, label]) => {
      const anchor = x(slot) > width - BETWEEN_TIMES / 2 ? "end" : "middle"
      return [
        line("grid", x(slot), x(slot), floor, floor + 5),
        svg("text", { x: x(slot), y: HEIGHT - 4, "text-anchor": anchor }, label)
      ]
    }),
    lines.map((each) => [svg("path", { class: each.look, d: pathOf(each, places) }), alone(each, places)])
  )
  return [element, places]
}

/** The chart with its legend, and what is read at the chosen slot above it. */
export const chart = (options: ChartOptions): Content => {
  const { gaps, lines, stops, title } = options
  const last = stops.length - 1
  const reading = h("div", { class: "reading" })
  const slider = h("input", {
    type: "range",
    min: 0,
    max: last,
    value: last,
    "aria-label": `Points of ${title}`
  })
  const cursor = svg("g")
  const plot = h("div", { class: "plot" }, slider)
  let places: Places | undefined

  const read = () => {
    const stop = stops[Number(slider.value)]
    if (stop === undefined) return
    reading.replaceChildren(...flat(stop.reading))
    slider.ariaValueText = [...reading.children].flatMap(({ textContent }) => textContent || []).join(", ")
    if (places === undefined) return
    const middle = places.x(stop.slot)
    const marks = lines.flatMap(({ look, values }) => {
      const value = values[stop.slot] ?? null
      return value === null || places === undefined ? [] : [dot(look, stop.slot, value, places)]
    })
    cursor.replaceChildren(line("cursor", middle, middle, TOP, HEIGHT - BOTTOM), ...marks)
  }

  const readAt = ({ clientX }: PointerEvent) => {
    if (places === undefined) return
    const { left, width } = places
    const slot = ((clientX - plot.getBoundingClientRect().left - left) / width) * options.slots - 0.5
    const distance = (n: number) => Math.abs((stops[n]?.slot ?? Infinity) - slot)
    const nearest = stops.reduce((best, _, n) => (distance(n) < distance(best) ? n : best), 0)
    slider.value = String(nearest)
    read()
  }

  slider.addEventListener("input", read)
  plot.addEventListener("pointerdown", readAt)
  plot.addEventListener("pointermove", readAt)
  let drawn = 0
  new ResizeObserver(() => {
    if (plot.clientWidth === drawn || plot.clientWidth === 0) return
    drawn = plot.clientWidth
    const [element, measured] = drawing(options, drawn)
    places = measured
    element.append(cursor)
    plot.querySelector("svg")?.remove()
    plot.prepend(element)
    read()
  }).observe(plot)
  read()
  const names = lines.map(({ look, name }) => h("li", { class: look }, name))
  const gap = gaps.length === 0 ? null : h("li", { class: "gap" }, "nothing observed")
  return [reading, h("ul", { class: "key" }, names, gap), plot]
}
