// A news feed over an upstream that answers as a test tells it to.
import { Effect } from "effect"
import { NewsFeeds } from "../../../src/sources/news/NewsFeeds.ts"
import { type ScriptedAnswer, type ScriptedRequest, scriptedSource } from "../ScriptedUpstream.ts"

export const NOW = Date.UTC(2026, 8, 24, 12)

/** A feed's document. */
export const xml = (body: string, headers: Readonly<Record<string, string>> = {}): ScriptedAnswer => ({
  status: 200,
  headers: { "content-type": "application/rss+xml; charset=utf-8", ...headers },
  body
})

export const rss = (...items: ReadonlyArray<string>): string =>
  `<rss version="2.0"><channel><title>Example Wire</title>${items.join("")}</channel></rss>`

const over = scriptedSource({ source: NewsFeeds, setting: "NEWS_FEEDS", path: "/start", at: NOW })

/** The only feed that there is, at `/start` of an upstream that answers so. */
export const withFeed = (answer: (request: ScriptedRequest) => ScriptedAnswer) =>
  Effect.map(over(answer), ({ feeds: [feed], requests }) => {
    if (feed === undefined) throw new Error("no feed")
    return { feed, requests }
  })

/** What the feed tells that has this document. */
export const itemsOf = (body: string) =>
  Effect.flatMap(
    withFeed(() => xml(body)),
    ({ feed }) => Effect.map(feed.items.get, ({ value }) => value)
  )
