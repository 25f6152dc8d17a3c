// Lines over time, drawn by uPlot at full width. A line breaks at a missing value, and times without any value are hatched. Users read
// values with the pointer, by touch, or with the arrow keys on a slider, which a screen reader announces.
import { useEffect, useRef, useState } from "preact/hooks"
import uPlot from "uplot"
import { dayOf, HOUR, hourOf, utc } from "./Clock.ts"
import type { Look, Past } from "./Past.ts"

const HEIGHT = 300

/** A line of more values is drawn thinner. */
const DENSE = 60

const isDark = matchMedia("(prefers-color-scheme: dark)")

/** A colour or typeface of the page, which the canvas does not inherit. */
const styled = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()

const hatch =
  ({ gaps, step }: Past) =>
  ({ bbox: { height, left, top, width }, ctx, data: [times], valToPos }: uPlot) => {
    const edge = (slot: number, halfSteps: number) => {
      const at = valToPos((times[slot] ?? 0) + (halfSteps * step) / 2000, "x", true)
      return Math.min(left + width, Math.max(left, at))
    }
    ctx.save()
    ctx.beginPath()
    for (const [from, to] of gaps) ctx.rect(edge(from, -1), top, edge(to, 1) - edge(from, -1), height)
    ctx.clip()
    ctx.beginPath()
    for (let x = left - height; x < left + width; x += 8 * devicePixelRatio) {
      ctx.moveTo(x, top + height)
      ctx.lineTo(x + height, top)
    }
    ctx.strokeStyle = styled("edge")
    ctx.globalAlpha = 0.5
    ctx.lineWidth = devicePixelRatio
    ctx.stroke()
    ctx.restore()
  }

const looks: Readonly<Record<Look, { readonly colour: string; readonly width: number }>> = {
  main: { colour: "green", width: 2.5 },
  official: { colour: "amber", width: 2 },
  carried: { colour: "edge", width: 1.5 },
  book: { colour: "blue", width: 2 },
  fixing: { colour: "ink", width: 1.5 }
}

/** Those drawn as dotted steps. */
const isOfficial = (look: Look): boolean => look === "official" || look === "carried"

/** The indexes of values between two gaps. They need dots, because no line reaches them. */
const alone = (values: ReadonlyArray<number | null>): Array<number> =>
  values.flatMap((value, n) => (value !== null && (values[n - 1] ?? values[n + 1] ?? null) === null ? [n] : []))

/** Steps, because an official rate is valid for a whole day. */
const steps = uPlot.paths.stepped?.({ align: 1 })
const stepped = steps === undefined ? {} : { paths: steps }

const seriesOf = ({ look, values }: Past["lines"][number]): uPlot.Series => {
  const colour = styled(looks[look].colour)
  const width = values.length > DENSE ? looks[look].width * 0.7 : looks[look].width
  if (look === "fixing") {
    return { stroke: colour, paths: () => null, points: { show: true, size: 7, width: 1.5, fill: styled("card") } }
  }
  return {
    stroke: colour,
    width,
    ...(isOfficial(look) && { dash: [3, 3], ...stepped }),
    points: { show: !isOfficial(look), size: 7, fill: colour, filter: () => alone(values) }
  }
}

const hour = utc({ hour: "2-digit", minute: "2-digit" })
const day = utc({ day: "numeric", month: "short" })
const monthOfYear = utc({ month: "short", year: "numeric" })

/** The label of a tick on the time axis. `increment`: seconds between ticks. */
const timeLabel = (increment: number) => (seconds: number) => {
  const time = seconds * 1000
  if (increment < 86_400) return hour(time) === "00:00" ? day(time) : hour(time)
  return increment < 28 * 86_400 ? day(time) : monthOfYear(time)
}

const optionsOf = (past: Past, width: number, onPoint: (index: number) => void): uPlot.Options => {
  const at = (look: Look) => past.lines.findIndex((line) => line.look === look) + 1
  const official = at("official")
  const edges = [at("main"), at("book")].filter((edge) => edge > 0 && official > 0)
  const axis = { stroke: styled("soft"), font: `12px ${styled("sans")}`, ticks: { show: false } }
  return {
    width,
    height: HEIGHT,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 8 } },
    scales: { x: { time: true }, y: { range: { min: { pad: 0.1 }, max: { pad: 0.1 } } } },
    series: [{}, ...past.lines.map(seriesOf)],
    // uPlot fills a band only where its first line is the upper one, so each pair needs two.
    bands: edges.flatMap((edge) => [
      { series: [edge, official], fill: styled("band") },
      { series: [official, edge], fill: styled("band") }
    ]),
    axes: [
      {
        ...axis,
        size: 32,
        grid: { show: false },
        values: (_, splits, __, ___, increment) => splits.map(timeLabel(increment))
      },
      {
        ...axis,
        size: (plot, labels) => {
          const widest = Math.max(0, ...(labels ?? []).map((label) => plot.ctx.measureText(label).width))
          return widest / devicePixelRatio + 18
        },
        grid: { stroke: styled("line"), width: 1 },
        values: (_, splits) => {
          // The bars of the naira's sign would run into the first digit.
          const labels = splits.map((split) => past.format(split).replace("₦", "₦\u2009"))
          return labels.every((label) => label.endsWith(".00")) ? labels.map((label) => label.slice(0, -3)) : labels
        }
      }
    ],
    hooks: {
      drawClear: [hatch(past)],
      setCursor: [({ cursor: { idx } }) => typeof idx === "number" && onPoint(idx)]
    }
  }
}

/** A rate that was carried nowhere needs no word. */
const isShown = ({ values }: Past["lines"][number]): boolean => values.some((value) => value !== null)

const dataOf = ({ lines, times }: Past): uPlot.AlignedData => [
  times.map((time) => time / 1000),
  ...lines.map(({ values }) => [...values])
]

/** A chart of lines, with the values at the chosen time above it. */
export const Chart = ({ past }: { readonly past: Past }) => {
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | undefined>(undefined)
  const last = past.times.length - 1
  const [chosen, choose] = useState(last)
  const index = Math.min(chosen, last)

  useEffect(() => {
    const { current } = place
    if (current === null) return undefined
    choose(last)
    const draw = () => {
      plot.current?.destroy()
      plot.current = new uPlot(optionsOf(past, current.clientWidth, choose), dataOf(past), current)
    }
    let drawn = 0
    const resized = new ResizeObserver(() => {
      if (current.clientWidth === drawn || current.clientWidth === 0) return
      drawn = current.clientWidth
      draw()
    })
    resized.observe(current)
    isDark.addEventListener("change", draw)
    return () => {
      resized.disconnect()
      isDark.removeEventListener("change", draw)
      plot.current?.destroy()
      plot.current = undefined
    }
  }, [past])

  const slide = (to: number) => {
    choose(to)
    const time = past.times[to]
    if (plot.current !== undefined && time !== undefined) {
      plot.current.setCursor({ left: plot.current.valToPos(time / 1000, "x"), top: 0 })
    }
  }

  const time = past.times[index] ?? 0
  const when = `${past.step === HOUR ? hourOf(time) : dayOf(time)} UTC`
  const remark = past.remarks[index] ?? "nothing observed"
  return (
    <>
      <p class="reading">
        <span>{when}</span> {remark}
      </p>
      <div class="plotted">
        <div
          class="plot"
          ref={place}
          role="img"
          aria-label={`${past.title}: ${past.lines.map(({ name }) => name).join(", ")}`}
        />
        <input
          class="slider"
          type="range"
          min={0}
          max={last}
          value={index}
          aria-label={`Points of ${past.title}`}
          aria-valuetext={`${when}: ${remark}`}
          onInput={({ currentTarget }) => slide(Number(currentTarget.value))}
        />
      </div>
      <ul class="key">
        {past.lines.filter(isShown).map(({ look, name, values }) => (
          <li key={look} class={values.filter((value) => value !== null).length > 1 ? look : `${look} dot`}>
            {name}
          </li>
        ))}
        {past.gaps.length > 0 && <li class="gap">nothing known</li>}
      </ul>
      <p class="soft stamp">From {past.sources[index] ?? "no source"}</p>
    </>
  )
}
