// Parses the bytes of a feed: detects the encoding, refuses HTML and XML with entities, then reads RSS 2.0, RSS 1.0, Atom or JSON
// Feed. All texts are cleaned. Items without a title or a link are dropped.
import { DateTime, Option } from "effect"
import { type AnyFeed, parseFeed } from "feedsmith"
import { hasMoreValues } from "../client/SourceBody.ts"
import * as sanitize from "./sanitize.ts"
import type { RawItem } from "./ItemHistory.ts"

/** The most items that are read from one feed, because some feeds list everything that they ever published. */
const MOST = 500

/** The most names and values in the tags of one XML feed. A feed with more is refused before parsing. */
const MOST_PARTS = 120_000

/** The most values of a JSON feed. */
const MOST_VALUES = 60_000

/** A part of a tag: a name, a quoted value, or any other word, because parsers also accept attributes without values and quotes. */
const PART = /\s*(?:"[^"]*"?|'[^']*'?|[^\s"'>]+)/y

/** Constructs that end at the first occurrence of their end, even within quotes. */
const ENDS = [
  ["<![CDATA[", "]]>"],
  ["<!--", "-->"],
  ["</", ">"]
] as const

/** Whether the tags of XML have more than {@link MOST_PARTS} names and values. Text, comments and CDATA do not count. */
const hasMoreParts = (text: string): boolean => {
  let parts = 0
  for (let at = text.indexOf("<"); at !== -1; at = text.indexOf("<", at)) {
    if (++parts > MOST_PARTS) return true
    const [, end] = ENDS.find(([start]) => text.startsWith(start, at)) ?? []
    if (end !== undefined) {
      at = text.indexOf(end, at)
      if (at === -1) return false
      continue
    }
    for (PART.lastIndex = ++at; PART.test(text); at = PART.lastIndex) if (++parts > MOST_PARTS) return true
  }
  return false
}

/** Decodes a body by its byte order mark, else its XML declaration, else the content type, else as UTF-8. */
export const textOf = (bytes: Uint8Array, contentType: string | undefined): string => {
  const [a, b] = bytes
  if (a === 0xff && b === 0xfe) return decoded(bytes, "utf-16le")
  if (a === 0xfe && b === 0xff) return decoded(bytes, "utf-16be")
  if (a === 0xef && b === 0xbb) return decoded(bytes, "utf-8")
  if (a === 0x3c && b === 0) return decoded(bytes, "utf-16le")
  if (a === 0 && b === 0x3c) return decoded(bytes, "utf-16be")
  const head = decoded(bytes.subarray(0, 256), "windows-1252")
  const declared =
    /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/i.exec(head)?.[1] ??
    /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(contentType ?? "")?.[1]
  // A declaration that is readable as single bytes cannot be UTF-16.
  const label = declared === undefined || /^utf-?16/i.test(declared) ? "utf-8" : declared
  return decoded(bytes, label)
}

const decoded = (bytes: Uint8Array, label: string): string => {
  try {
    return new TextDecoder(label).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

/** Whether text declares a document type or entities outside of comments and CDATA. */
const declaresEntities = (text: string): boolean => {
  let at = text.indexOf("<!")
  while (at !== -1) {
    const end = text.startsWith("<![CDATA[", at)
      ? text.indexOf("]]>", at)
      : text.startsWith("<!--", at)
        ? text.indexOf("-->", at)
        : undefined
    if (end === undefined) return true
    if (end === -1) return false
    at = text.indexOf("<!", end)
  }
  return false
}

/** The items of a feed, or a `problem`: a phrase for operators on why the bytes are no feed. */
export const read = (
  bytes: Uint8Array,
  options: { readonly contentType: string | undefined; readonly url: string }
) => {
  const text = textOf(bytes, options.contentType)
  const isJson = /^\s*\{/.test(text.slice(0, 1_000))
  if (isPage(options.contentType, text)) return { problem: "an HTML page instead of a feed" }
  if (isJson && hasMoreValues(text, MOST_VALUES)) return { problem: `a feed of more than ${MOST_VALUES} values` }
  if (!isJson && hasMoreParts(text)) return { problem: `a feed of more than ${MOST_PARTS} names and values in tags` }
  if (!isJson && declaresEntities(text)) return { problem: "XML with a document type or entities of its own" }
  if (!isJson && !/<\/(?:[\w-]+:)?(?:rss|feed|rdf)\s*>/i.test(text.slice(-1_000))) {
    return { problem: "XML that is no feed, or breaks off" }
  }
  try {
    return sightingsOf(parseFeed(text, { maxItems: MOST }), options.url)
  } catch {
    return { problem: `${text.length} characters that are not a feed` }
  }
}

const isPage = (contentType: string | undefined, text: string): boolean =>
  /^\s*(?:text\/html|application\/xhtml\+xml)/i.test(contentType ?? "") ||
  /^\s*<(?:!doctype\s+html|html[\s>])/i.test(text.slice(0, 1_000))

type Row = Readonly<Record<"key" | "title" | "summary" | "link" | "date", string | undefined>>

const sightingsOf = (parsed: AnyFeed, url: string) => {
  const rows = rowsOf(parsed)
  const items = rows.flatMap((row): ReadonlyArray<RawItem> => {
    const text = sanitize.text(row)
    const link = sanitize.link(row.link, url)
    if (text === null || link === null) return []
    return [{ key: row.key ?? link, ...text, url: link, publishedAt: timeOf(row.date) }]
  })
  const { title } = parsed.feed
  return {
    title: sanitize.title(typeof title === "object" ? title.value : title),
    items,
    bad: rows.length - items.length
  }
}

const rowsOf = (parsed: AnyFeed): ReadonlyArray<Row> => {
  switch (parsed.format) {
    case "rss":
      return (parsed.feed.items ?? []).map((item) => ({
        key: item.guid?.value,
        title: item.title,
        summary: item.description ?? item.content?.encoded,
        link: item.link ?? (item.guid?.isPermaLink === false ? undefined : item.guid?.value),
        date: item.pubDate ?? item.dc?.dates?.[0] ?? item.atom?.published ?? item.atom?.updated
      }))
    case "rdf":
      return (parsed.feed.items ?? []).map((item) => ({
        key: item.rdf?.about,
        title: item.title,
        summary: item.description ?? item.content?.encoded,
        link: item.link ?? item.rdf?.about,
        date: item.dc?.dates?.[0]
      }))
    case "atom":
      return (parsed.feed.entries ?? []).map((entry) => ({
        key: entry.id,
        title: entry.title?.value,
        summary: entry.summary?.value ?? entry.content?.value,
        link: entry.links?.find((link) => link.rel === undefined || link.rel === "alternate")?.href,
        date: entry.published ?? entry.updated
      }))
    case "json":
      return (parsed.feed.items ?? []).map((item) => ({
        key: item.id,
        title: item.title,
        summary: item.summary ?? item.content_text ?? item.content_html,
        link: item.url ?? item.external_url,
        date: item.date_published ?? item.date_modified
      }))
  }
}

const iso = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?(?:Z|[+-]\d{2}:?\d{2})?$/i
const rfc822 =
  /^(?:[a-z]{3,9}\.?,?\s+)?\d{1,2}\s+[a-z]{3,9}\.?\s+(?:\d{2}|\d{4})(?:\s+\d{1,2}:\d{2}(?::\d{2})?)?(?:\s*(?:UTC?|GMT|Z|[ECMP][SD]T|[+-]\d{2}:?\d{2}))?$/i
const zoned = /(?:UTC?|GMT|Z|[ECMP][SD]T|:\d{2}\s*[+-]\d{2}:?\d{2})$/i

/** Parses RFC 822 or ISO 8601, as UTC if it names no zone. `undefined` for other formats and invalid dates. */
export const timeOf = (text: string | undefined): DateTime.Utc | undefined => {
  const date = text?.trim() ?? ""
  const isIso = iso.test(date)
  if (!isIso && !rfc822.test(date)) return undefined
  const zone = zoned.test(date) || /^\d{4}-\d{2}-\d{2}$/.test(date) ? "" : isIso ? "Z" : " GMT"
  return Option.getOrUndefined(DateTime.make(Date.parse(date + zone)))
}
