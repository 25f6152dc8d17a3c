// Publications about the simulated world: reports on scripted events, notices of exchanges, a record of incidents, and
// noise that must not count as a reason. Publishers are made up, on reserved domains.
import type { KnownCoin } from "../domain/CoinRegistry.ts"
import { dayMs, dayOf, hourMs, isoDate, minuteMs } from "./Calendar.ts"
import { type Draft, noiseOf } from "./NewsNoise.ts"
import type { ScriptEvent } from "./Script.ts"
import { slug } from "./Wire.ts"
import type { World } from "./World.ts"

/** The feeds, by the name in their address. */
export const feedNames = ["coin-wire", "ledger-desk", "macro-desk"] as const

export type FeedName = (typeof feedNames)[number]

/** The exchanges that announce scripted events. */
export const venues = ["OKX", "KuCoin", "Bitget", "Bybit"] as const

export type Venue = (typeof venues)[number]

export interface Notice {
  readonly id: number
  readonly kind: "listing" | "delisting"
  readonly at: number
  readonly title: string
  readonly summary: string
  readonly url: string
}

/** The exchange that announces an event, in rotation. */
export const venueOf = ({ index, kind }: ScriptEvent): Venue =>
  venues.at((index * 3 + (kind === "listing" ? 1 : 0)) % 4) ?? "OKX"

const ticker = (coin: KnownCoin): string => `${coin.name} (${coin.symbol.toUpperCase()})`

const millions = (event: ScriptEvent): number => 20 + ((((event.index * 17) % 60) + 60) % 60)

/** The reports on an event, by minutes after it began; none for silent moves. */
const draftsOf = (event: ScriptEvent): ReadonlyArray<Draft> => {
  const { coin, kind } = event
  if (kind === "market_fall") {
    return [
      [
        3,
        "macro-desk",
        "Inflation surprise revives rate hike fears, stocks and crypto fall",
        "Consumer prices rose faster than any forecast. Bitcoin and the wider crypto market fell with equities."
      ],
      [
        24,
        "coin-wire",
        "Bitcoin and wider crypto market slide after inflation data; $900 million in long positions liquidated",
        "<p>The sell-off followed a hotter inflation print and was broad.</p>"
      ],
      [
        70,
        "ledger-desk",
        "Crypto market sell-off deepens as macro fears mount",
        "Risk assets fell across the board after the inflation report."
      ]
    ]
  }
  if (coin === null) return []
  const venue = venueOf(event)
  const name = ticker(coin)
  const symbol = coin.symbol.toUpperCase()
  switch (kind) {
    case "delisting":
      return [
        [
          12,
          "coin-wire",
          `${name} drops after ${venue} announces delisting`,
          `<p>${venue} will remove ${coin.name}&#8217;s spot pairs next week, it said.</p>`
        ],
        [
          31,
          "ledger-desk",
          `${venue} to delist ${coin.name}, ${symbol} falls`,
          `The exchange cited its periodic review of listed assets.`
        ],
        [300, "coin-wire", `${coin.name} holders weigh next steps after ${venue} delisting notice`, ""]
      ]
    case "listing":
      return [
        [9, "ledger-desk", `${venue} to list ${name} for spot trading`, `Deposits are open, the exchange said.`],
        [
          22,
          "coin-wire",
          `${name} jumps after ${venue} announces spot listing`,
          `<p>Trading of ${symbol} starts tomorrow.</p>`
        ]
      ]
    case "exploit":
      return [
        [
          6,
          "ledger-desk",
          `${coin.name} bridge exploited, attackers drain $${millions(event)} million`,
          `Developers of ${name} confirmed the hack and paused the bridge.`
        ],
        [
          17,
          "coin-wire",
          `${name} plunges after bridge exploit drains $${millions(event)} million`,
          `<p>The stolen funds were moved within minutes.</p>`
        ],
        [95, "ledger-desk", `${coin.name} pauses bridge after hack`, ""]
      ]
    default:
      return []
  }
}

const hosts: Readonly<Record<FeedName, string>> = {
  "coin-wire": "https://news.example",
  "ledger-desk": "https://ledger.example",
  "macro-desk": "https://macro.example"
}

/** One report. Texts are what a feed would carry, markup included. */
export type Article = ReturnType<typeof article>

const article = (at: number, feed: FeedName, title: string, summary: string) => {
  const id = `${isoDate(dayOf(at))}-${Math.floor((at % dayMs) / minuteMs)}`
  return { id: `${feed}-${id}`, feed, at, title, summary, url: `${hosts[feed]}/${id}/${slug(title).slice(0, 70)}` }
}

/** Everything published in the `hours` up to a time, newest first. */
export const articles = ({ script, seed }: World, at: number, hours: number): ReadonlyArray<Article> => {
  const from = at - hours * hourMs
  const reports = script
    .events(at, hours + 24)
    .flatMap((event) =>
      draftsOf(event).map(([minutes, feed, title, summary]) =>
        article(event.at + minutes * minuteMs, feed, title, summary)
      )
    )
  const noise: Array<Article> = []
  for (let day = dayOf(from); day <= dayOf(at); day++) {
    for (const [minute, feed, title, summary] of noiseOf(seed, day)) {
      noise.push(article(day * dayMs + minute * minuteMs, feed, title, summary))
    }
  }
  return [...reports, ...noise].filter((one) => one.at > from && one.at <= at).toSorted((a, b) => b.at - a.at)
}

const announced = (venue: string, coin: KnownCoin, kind: Notice["kind"]): string => {
  const symbol = coin.symbol.toUpperCase()
  if (kind === "listing") {
    if (venue === "OKX") return `OKX to list ${symbol}/USDT (${coin.name}) for spot trading`
    if (venue === "KuCoin") return `${ticker(coin)} Gets Listed on KuCoin!`
    return venue === "Bitget" ? `Bitget to list ${ticker(coin)}` : `New Listing: ${ticker(coin)} on Bybit Spot`
  }
  if (venue === "OKX") return `OKX to delist ${ticker(coin)} spot trading pairs`
  if (venue === "KuCoin") return `KuCoin Will Delist the ${ticker(coin)} Project`
  return venue === "Bitget"
    ? `Bitget to delist ${ticker(coin)} spot trading pairs`
    : `Delisting of ${ticker(coin)} on Bybit`
}

/** Routine notices of an invented token and of a contract on an invented share. */
const routine = (venue: string, day: number): ReadonlyArray<Omit<Notice, "url" | "summary">> => {
  const at = day * dayMs + 7 * hourMs + venues.findIndex((one) => one === venue) * 11 * minuteMs
  const token = (number: number) => `Placeholder ${number % 97} (PLH${number % 97})`
  const titles = [
    ["listing", `${venue} to list ${token(day)} in its convert service`],
    ["listing", `${venue} to list perpetual futures for EXMPLUSD and DEMOUSD equities`],
    ["delisting", `${venue} to delist ${token(day + 50)}`]
  ] as const
  return titles.map(([kind, title], n) => ({ id: day * 10 + n, kind, at: at + n * hourMs, title }))
}

/** The notices of an exchange up to a time, newest first. */
export const notices = ({ script }: World, venue: string, at: number): ReadonlyArray<Notice> => {
  const scripted = script.events(at, 10 * 24).flatMap((event): ReadonlyArray<Omit<Notice, "url" | "summary">> => {
    const { coin, kind } = event
    if (coin === null || (kind !== "delisting" && kind !== "listing") || venueOf(event) !== venue) return []
    return [{ id: Math.floor(event.at / minuteMs), kind, at: event.at + minuteMs, title: announced(venue, coin, kind) }]
  })
  const days = Array.from({ length: 10 }, (_, ago) => dayOf(at) - ago)
  return [...scripted, ...days.flatMap((day) => routine(venue, day))]
    .filter((notice) => notice.at <= at)
    .toSorted((a, b) => b.at - a.at)
    .map((notice) => ({
      ...notice,
      summary: `Fellow traders, ${notice.title}.`,
      url: `https://${venue.toLowerCase()}.example/announcement/${notice.id}`
    }))
}

/** The incidents on record at a time, in no order: scripted ones an hour after they began, and two old ones. */
export const incidents = ({ script }: World, at: number) => [
  { day: 17_067, name: "Example Vault", amount: 820_000 },
  ...script
    .events(at - hourMs, 30 * 24)
    .filter(({ kind }) => kind === "exploit")
    .map((event) => ({ day: dayOf(event.at), name: event.coin?.name ?? "", amount: millions(event) * 1_000_000 })),
  { day: 19_237, name: "Placeholder Lending", amount: null }
]
