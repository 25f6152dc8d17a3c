// The news feeds: RSS 2.0 with CDATA and entities, and Atom. The sandbox command marks their titles as simulated.
import { DateTime } from "effect"
import { isoTime } from "../Calendar.ts"
import { type Article, articles, feedNames, type FeedName } from "../News.ts"
import { keyOf } from "../Noise.ts"
import { failed, type Wire, type WireReply, type WireRequest } from "../Wire.ts"

const titles: Readonly<Record<FeedName, string>> = {
  "coin-wire": "Example Coin Wire",
  "ledger-desk": "Example Ledger Desk",
  "macro-desk": "Example Macro Desk"
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

/** `Thu, 24 Sep 2026 10:11:51 +0000`. */
const rfc822 = (at: number): string => DateTime.toDateUtc(DateTime.makeUnsafe(at)).toUTCString().replace("GMT", "+0000")

const rss = (name: FeedName, items: ReadonlyArray<Article>): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>',
    `<title>${titles[name]}</title><link>https://news.example/</link><description>Simulated</description>`,
    ...items.map(
      (item) =>
        `<item><title><![CDATA[${item.title}]]></title><link>${escaped(`${item.url}?utm_source=rss&utm_medium=feed`)}</link>` +
        `<guid isPermaLink="false">${item.id}</guid><pubDate>${rfc822(item.at)}</pubDate>` +
        `<description>${escaped(item.summary)}</description><dc:creator>Nobody</dc:creator></item>`
    ),
    "</channel></rss>\n"
  ].join("\n")

const atom = (name: FeedName, items: ReadonlyArray<Article>): string =>
  [
    '<?xml version="1.0" encoding="utf-8"?>',
    `<feed xmlns="http://www.w3.org/2005/Atom"><title>${titles[name]}</title><id>urn:example:${name}</id>`,
    ...items.map(
      (item) =>
        `<entry><title type="html">${escaped(escaped(item.title))}</title><id>urn:example:${item.id}</id>` +
        `<link rel="alternate" href="${escaped(item.url)}"/><published>${isoTime(item.at)}</published>` +
        `<updated>${isoTime(item.at)}</updated><summary type="html">${escaped(item.summary)}</summary></entry>`
    ),
    "</feed>\n"
  ].join("\n")

const reply = ({ at, ifNoneMatch, world }: WireRequest, name: FeedName): WireReply => {
  const items = articles(world, at, 96)
    .filter(({ feed }) => feed === name)
    .slice(0, 40)
  const isAtom = name === "ledger-desk"
  const body = isAtom ? atom(name, items) : rss(name, items)
  const etag = `"${(keyOf(0, body) >>> 0).toString(16)}"`
  if (ifNoneMatch === etag) return { status: 304, body: "", etag }
  return { status: 200, body, etag, contentType: `application/${isAtom ? "atom" : "rss"}+xml; charset=utf-8` }
}

/** `/{name}.xml` for every feed. */
export const news: Wire = (request) => {
  const name = feedNames.find((feed) => request.path === `/${feed}.xml`)
  return request.method === "GET" && name !== undefined ? reply(request, name) : failed(404, "not found")
}
