// A P2P market: the street rate beside the official one, and what each venue says. Which market it is, is chosen here; a link may name
// it (`/?market=kes`), and the browser remembers it.
import type { Figure, Market } from "./Answers.ts"
import { age } from "./Clock.ts"
import { type Content, figure, find, h, small, svg, unknown } from "./Elements.ts"
import { change, fiatOf, money, percent, plainMoney, whole, words } from "./Figures.ts"
import { makePanel } from "./Panel.ts"
import { kinds } from "./Past.ts"
import { items, table } from "./Tables.ts"

type Venue = Market["venues"][number]

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
  figure(venue.buy, plainMoney),
  figure(venue.sell, plainMoney),
  figure(venue.mid, plainMoney),
  ...ads(venue),
  age(venue.updated)
]

/**
 * A line on which the official rate and the P2P buy, sell and mid stand at their distances; nothing where one of the latter is
 * not known. The figures are in the text beside it, so screen readers skip it.
 */
const scale = ({ buy, mid, official, sell }: Market): SVGElement | null => {
  if (buy === null || mid === null || sell === null) return null
  const rates = [buy, mid, sell, ...(official === null ? [] : [official])].map(Number)
  const low = Math.min(...rates)
  const width = Math.max(...rates) - low || 1
  const percentOf = (rate: number) => 2 + (96 * (rate - low)) / width

  const line = (from: number, to: number, y1: number, y2: number, name: string | null = null) =>
    svg("line", { class: name, x1: `${percentOf(from)}%`, x2: `${percentOf(to)}%`, y1, y2 })

  const label = (rate: number, y: number, text: string) => {
    const x = percentOf(rate)
    const anchor = x < 20 ? "start" : x > 80 ? "end" : "middle"
    return svg("text", { x: `${x}%`, y, "text-anchor": anchor }, text)
  }

  return svg(
    "svg",
    { class: "scale", "aria-hidden": "true" },
    svg("line", { x1: 0, x2: "100%", y1: 30, y2: 30 }),
    line(Number(sell), Number(buy), 30, 30, "gap"),
    line(Number(mid), Number(mid), 26, 34, "mid"),
    label((Number(sell) + Number(buy)) / 2, 14, "sell to buy"),
    official === null
      ? null
      : [line(Number(official), Number(official), 22, 42), label(Number(official), 56, "official")]
  )
}

const show = (data: Market): Content => {
  const inFiat = money(fiatOf(data))
  return [
    h("p", { class: "big" }, figure(data.mid, inFiat)),
    h("p", { class: "lead" }, "for 1 USDT, halfway between buy and sell"),
    data.reason === null ? null : h("p", { class: "reason" }, `Not complete: ${words(data.reason)}`),
    scale(data),
    items([
      ["Buy", figure(data.buy, inFiat), "what 1 USDT costs"],
      ["Sell", figure(data.sell, inFiat), "what 1 USDT brings"],
      ["Spread", figure(data.spread, percent), "of the mid"],
      [
        "Official rate",
        figure(data.official, inFiat),
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
}

/** The market of the page's markup, which has a path of its own. */
export const FIRST = "NGN"
const REMEMBERED = "market"

export const pathOf = (fiat: string): string => (fiat === FIRST ? "/v1/naira" : `/v1/p2p/${fiat.toLowerCase()}`)

/** What the browser keeps; none where it must not. */
const storage = (): Storage | undefined => {
  try {
    return localStorage
  } catch {
    return undefined
  }
}

/** The choice of a market. */
export interface Choice {
  readonly all: ReadonlyArray<string>
  /** The market that is shown first. */
  readonly fiat: string
  /** Is told of each other one. */
  readonly onChange: (listener: (fiat: string) => void) => void
}

/** Starts the panel. The server wrote which markets there are. */
export const startMarket = (): Choice => {
  const choice = find(HTMLSelectElement, "#market")
  const all = [...choice.options].map(({ value }) => value)
  const title = find(HTMLElement, "#naira-title")
  const listeners: Array<(fiat: string) => void> = []

  const go = (fiat: string): Promise<void> => {
    title.textContent = `USDT/${fiat} now`
    choice.value = fiat
    return panel.go(pathOf(fiat), (data) => `${data.pair}: ${data.mid ?? "unknown"}`)
  }
  // A market that is asked for every five minutes is not stale before the next time.
  const staleAfter = (data: Market) => (fiatOf(data) === FIRST ? 300 : 720)
  const panel = makePanel<Market>({ id: "naira", staleAfter, show })

  const wanted = (
    new URLSearchParams(location.search).get("market") ??
    storage()?.getItem(REMEMBERED) ??
    FIRST
  ).toUpperCase()
  const fiat = all.includes(wanted) ? wanted : FIRST
  find(HTMLElement, "#markets").hidden = all.length < 2
  choice.addEventListener("change", () => {
    const { value } = choice
    storage()?.setItem(REMEMBERED, value)
    history.replaceState(null, "", value === FIRST ? location.pathname : `?market=${value.toLowerCase()}`)
    for (const listener of listeners) listener(value)
    return go(value)
  })
  void (fiat === FIRST ? panel.load() : go(fiat))
  return { all, fiat, onChange: (listener) => void listeners.push(listener) }
}
