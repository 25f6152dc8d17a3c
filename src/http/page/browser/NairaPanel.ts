// The naira: the P2P rate beside the official one, and what each venue says.
import type { Figure, Naira } from "./Answers.ts"
import { age } from "./Clock.ts"
import { type Content, figure, h, small, svg, unknown } from "./Elements.ts"
import { cents, change, naira, percent, whole, words } from "./Figures.ts"
import { makePanel } from "./Panel.ts"
import { kinds } from "./Past.ts"
import { items, table } from "./Tables.ts"

type Venue = Naira["venues"][number]

const rejectedAds = (reasons: Readonly<Record<string, Figure>>): Content => {
  const counts = Object.entries(reasons)
  if (counts.length === 0) return "none"
  const total = counts.reduce((sum, [, count]) => sum + Number(count), 0)
  return [String(total), small(counts.map(([reason, count]) => `${count} ${words(reason)}`).join(", "))]
}

const ads = (venue: Venue): ReadonlyArray<Content> => {
  if (venue.kind === "order_book") return ["no ads", null]
  const isSilent = venue.ads_used === null && venue.reason !== null
  return [figure(venue.ads_used, whole), isSilent ? unknown() : rejectedAds(venue.ads_rejected)]
}

const row = (venue: Venue): ReadonlyArray<Content> => [
  [
    venue.venue,
    small(kinds[venue.kind]),
    venue.reason === null ? null : h("small", { class: "reason" }, words(venue.reason))
  ],
  figure(venue.buy, cents),
  figure(venue.sell, cents),
  figure(venue.mid, cents),
  ...ads(venue),
  age(venue.updated)
]

/**
 * A line on which the official rate and the P2P buy, sell and mid stand at their distances; nothing where one of the latter is
 * not known. The figures are in the text beside it, so screen readers skip it.
 */
const nairaScale = ({ buy, mid, official, sell }: Naira): SVGElement | null => {
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

const show = (data: Naira): Content => [
  h("p", { class: "big" }, figure(data.mid, naira)),
  h("p", { class: "lead" }, "for 1 USDT, halfway between buy and sell"),
  data.reason === null ? null : h("p", { class: "reason" }, `Not complete: ${words(data.reason)}`),
  nairaScale(data),
  items([
    ["Buy", figure(data.buy, naira), "what 1 USDT costs"],
    ["Sell", figure(data.sell, naira), "what 1 USDT brings"],
    ["Spread", figure(data.spread, percent), "of the mid"],
    [
      "Official rate",
      figure(data.official, naira),
      "for 1 USD",
      data.official_source && `${data.official_source}, ${data.official_date}`
    ],
    ["Premium", figure(data.premium, change), "of the mid over the official rate"],
    ["Confidence", data.confidence]
  ]),
  table({
    caption: "Venues",
    heads: ["Venue", "Buy", "Sell", "Mid", "Ads used", "Ads rejected", "Age"],
    text: [5],
    rows: data.venues.map(row)
  })
]

export const startNaira = (): void => {
  void makePanel<Naira>({ id: "naira", staleAfter: 300, show }).load()
}
