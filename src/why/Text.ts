// Text of feeds made safe to show and easy to compare. Sources clean their text already; this is done again here, since nothing
// that leaves the engine may hold markup or hidden characters, whoever called it.

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", " "],
  ["ndash", "–"],
  ["mdash", "—"],
  ["lsquo", "‘"],
  ["rsquo", "’"],
  ["ldquo", "“"],
  ["rdquo", "”"],
  ["hellip", "…"],
  ["bull", "•"],
  ["middot", "·"],
  ["euro", "€"],
  ["pound", "£"],
  ["yen", "¥"],
  ["copy", "©"],
  ["reg", "®"],
  ["trade", "™"]
])

const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi

/** Entities as the characters they stand for, once; unknown ones become a space. */
export const decodeEntities = (text: string): string =>
  text.replaceAll(ENTITY, (_, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return ENTITIES.get(name.toLowerCase()) ?? " "
    const code = decimal === undefined ? Number.parseInt(hex ?? "0", 16) : Number(decimal)
    return code > 31 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : " "
  })

const stripMarkup = (text: string): string =>
  text
    .replaceAll(/<!--[\s\S]*?(?:-->|$)/g, " ")
    .replaceAll(/<!\[CDATA\[([\s\S]*?)\]\]>/g, "$1")
    .replaceAll(/<(script|style|template|noscript|iframe)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, " ")
    .replaceAll(/<\/?[a-z!?][^<>]*(?:>|$)/gi, " ")

/** Control, format (zero width, bidirectional) and private-use characters, and lone surrogates. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029\u{E0000}-\u{E007F}]/gu

/** Plain text on one line. What is shown. Cleaning clean text changes nothing. */
export const clean = (raw: string): string =>
  stripMarkup(decodeEntities(stripMarkup(raw)))
    .replaceAll("<", "‹")
    .replaceAll(">", "›")
    .replaceAll(/[\t\n\r]/g, " ")
    .replaceAll(HIDDEN, "")
    .replaceAll(/\s+/g, " ")
    .trim()

/** The same with typographic variants levelled. What is compared; case is kept. */
export const fold = (text: string): string =>
  text
    .normalize("NFKC")
    .replaceAll(/[‘’‛′`´]/g, "'")
    .replaceAll(/[“”„″«»]/g, '"')
    .replaceAll(/[‐‑‒–—―−]/g, "-")
    .replaceAll(/\s+/g, " ")
    .trim()

/** The longest stretch of a headline that stood free of markup and entities: only that is quoted, so that a quote is verbatim. */
export const quotable = (raw: string): string => {
  const parts = raw.split(/<[^<>]*>|&(?!amp;|#8217;)#?\w+;/).map(clean)
  const longest = parts.toSorted((a, b) => b.length - a.length)[0] ?? ""
  return longest === "" ? clean(raw) : longest
}

/** Cut at a word, so that the whole stays within `limit` characters. */
export const cut = (text: string, limit: number): string => {
  if (text.length <= limit) return text
  const head = text.slice(0, limit)
  const space = head.lastIndexOf(" ")
  return (space > limit / 2 ? head.slice(0, space) : head).replace(/[\s,;:.-]+$/, "")
}

/** Whether a headline shouts: then capitals tell nothing about names. */
export const isShouting = (text: string): boolean => {
  const words = text.match(/\p{L}{3,}/gu) ?? []
  return words.length >= 3 && words.filter((word) => word === word.toUpperCase()).length / words.length > 0.7
}

/** Whether A Headline Starts Its Words With Capitals: then a capital tells little about names. */
export const isTitleCase = (text: string): boolean => {
  const words = (text.match(/\p{L}[\p{L}'’]{3,}/gu) ?? []).slice(1)
  return words.length >= 3 && words.filter((word) => /^\p{Lu}/u.test(word)).length / words.length > 0.65
}

/** Lower-cased words, digits included. */
export const words = (text: string): ReadonlyArray<string> =>
  fold(text)
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

/** The parts of a publication's host that tell its owner: `news.bitcoin.com` and `www.bitcoin.com` are one. */
export const registrableDomain = (url: string): string => {
  const host = /^https?:\/\/(?:[^/@]*@)?([^/:?#]+)/i.exec(url)?.[1]?.toLowerCase() ?? ""
  const parts = host.split(".")
  const second = parts.at(-2) ?? ""
  const size =
    parts.length > 2 && /^(?:co|com|net|org|gov|ac|or|ne)$/.test(second) && (parts.at(-1) ?? "").length === 2 ? 3 : 2
  return parts.slice(-size).join(".")
}

/** Whether an address may be shown as a link. */
export const isWebAddress = (url: string): boolean => /^https?:\/\/[^\s<>"'`\\/]+(?:\/[^\s<>"'`\\]*)?$/i.test(url)
