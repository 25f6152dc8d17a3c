// A line on which the official rate and the P2P buy, sell and mid stand at their distances. The figures are in the text beside it,
// so screen readers skip it.
import type { Naira } from "./Answers.ts"
import { svg } from "./Elements.ts"

/** The drawing, where the market's three rates are known. */
export const nairaScale = ({ buy, mid, official, sell }: Naira): SVGElement | null => {
  if (buy === null || mid === null || sell === null) return null
  const rates = [buy, mid, sell, ...(official === null ? [] : [official])].map(Number)
  const low = Math.min(...rates)
  const width = Math.max(...rates) - low || 1
  const percentOf = (rate: number) => 2 + (96 * (rate - low)) / width

  const line = (from: number, to: number, y1: number, y2: number, name: string | null = null) =>
    svg("line", { class: name, x1: `${percentOf(from)}%`, x2: `${percentOf(to)}%`, y1: String(y1), y2: String(y2) })

  const label = (rate: number, y: number, text: string) => {
    const x = percentOf(rate)
    const anchor = x < 20 ? "start" : x > 80 ? "end" : "middle"
    return svg("text", { x: `${x}%`, y: String(y), "text-anchor": anchor }, text)
  }

  return svg(
    "svg",
    { class: "scale", "aria-hidden": "true" },
    svg("line", { x1: "0", x2: "100%", y1: "30", y2: "30" }),
    line(Number(sell), Number(buy), 30, 30, "gap"),
    line(Number(mid), Number(mid), 26, 34, "mid"),
    label((Number(sell) + Number(buy)) / 2, 14, "sell to buy"),
    official === null
      ? null
      : [line(Number(official), Number(official), 22, 42), label(Number(official), 56, "official")]
  )
}
