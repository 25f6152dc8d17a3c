// The naira: the P2P rate beside the official one, and what each venue says.
import type { Figure, Naira } from "./Answers.ts"
import { age } from "./Clock.ts"
import { type Content, figure, h, small, unknown } from "./Elements.ts"
import { cents, change, naira, percent, whole, words } from "./Figures.ts"
import { nairaScale } from "./NairaScale.ts"
import { makePanel } from "./Panel.ts"
import { items, table } from "./Tables.ts"

type Venue = Naira["venues"][number]

const STALE_AFTER = 300

const kinds: Readonly<Record<Venue["kind"], string>> = { p2p: "P2P", order_book: "order book" }

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

const officialStamp = ({ official_date, official_source }: Naira): string | null =>
  official_source === null ? null : `${official_source}, ${official_date}`

const show = (data: Naira): Content => [
  h("p", { class: "big" }, figure(data.mid, naira)),
  h("p", { class: "lead" }, "for 1 USDT, halfway between buy and sell"),
  data.reason === null ? null : h("p", { class: "reason" }, `Not complete: ${words(data.reason)}`),
  nairaScale(data),
  items([
    ["Buy", figure(data.buy, naira), "what 1 USDT costs"],
    ["Sell", figure(data.sell, naira), "what 1 USDT brings"],
    ["Spread", figure(data.spread, percent), "of the mid"],
    ["Official rate", figure(data.official, naira), "for 1 USD", officialStamp(data)],
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
  void makePanel<Naira>({ id: "naira", staleAfter: STALE_AFTER, show }).load()
}
