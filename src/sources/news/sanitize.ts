// Cleans text and links of publishers: one line of plain text, or an http(s) URL without tracking parameters. The meaning of the text
// is still untrusted.
import { Parser } from "htmlparser2"
import type { EvidenceItem } from "../../domain/Evidence.ts"
import { addressesMachine } from "../../domain/PromptInjection.ts"
import { withFewWordLetters } from "../../domain/FoldedText.ts"
import { webUrl } from "../../domain/webUrl.ts"
import { isPublicHost } from "./publicHost.ts"

/** The longest summary, in UTF-16 units. */
export const SUMMARY_LENGTH = 500

/** The longest title, in UTF-16 units. */
export const TITLE_LENGTH = 300

/** The most UTF-16 units of markup that are read, and of text after normalization, which may lengthen it. */
const RAW_LENGTH = 20_000

/** The longest URL, in UTF-16 units. */
export const LINK_LENGTH = 2_048

/** Elements with invisible content. */
const unread = new Set(
  "script style template noscript noembed noframes iframe object embed svg math head title textarea select option audio video canvas xmp plaintext".split(
    " "
  )
)

/** Inline elements. All other elements separate words. */
const inline = new Set(
  "a abbr b bdi bdo big cite code data del dfn em font i ins kbd mark q s samp small span strike strong sub sup time tt u var wbr".split(
    " "
  )
)

const hiddenStyle = /display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|font-size\s*:\s*0|opacity\s*:\s*0(?!\.\d)/i

const isHidden = (name: string, attributes: Readonly<Record<string, string>>): boolean =>
  unread.has(name) ||
  "hidden" in attributes ||
  attributes["aria-hidden"]?.trim().toLowerCase() === "true" ||
  (attributes["style"] !== undefined && hiddenStyle.test(attributes["style"]))

/**
 * The visible text of markup: without comments and hidden elements.
 */
const visibleText = (markup: string, decodeEntities: boolean): string => {
  let text = ""
  let hiddenDepth = 0
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        if (hiddenDepth > 0 || isHidden(name, attributes)) hiddenDepth++
        else if (!inline.has(name)) text += " "
      },
      ontext: (part) => {
        if (hiddenDepth === 0) text += part
      },
      onclosetag: (name) => {
        if (hiddenDepth > 0) hiddenDepth--
        if (hiddenDepth === 0 && !inline.has(name) && !unread.has(name)) text += " "
      }
    },
    { decodeEntities, lowerCaseTags: true, lowerCaseAttributeNames: true }
  )
  parser.end(markup)
  return text
}

/** Invisible characters: direction marks, zero widths, fillers, private use, lone surrogates. */
const invisible = /[\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]/gu

/** NFKC, except for ™ and ℠, which would become letters of the word before them. */
const normalized = (text: string): string =>
  withFewWordLetters(text).replaceAll(/[^\u2120\u2122]+/g, (part) => part.normalize("NFKC"))

/** One {@link normalized} line, without control and invisible characters and with at most three combining marks in a row. */
const oneLine = (text: string): string =>
  normalized(text)
    .slice(0, RAW_LENGTH)
    .replaceAll(invisible, "")
    .replaceAll(/[\s\u0085]+/g, " ")
    .replaceAll(/\p{Cc}/gu, "")
    .replaceAll(/(\p{M}{3})\p{M}+/gu, "$1")

const looksLikeMarkup = /<[a-z/!?]/i

/** Plain text, with entities decoded once. Text that still looks like markup is removed, not decoded again. */
const plain = (markup: string): string => {
  let text = oneLine(visibleText(oneLine(markup.slice(0, RAW_LENGTH)), true))
  for (let pass = 0; pass < 3 && looksLikeMarkup.test(text); pass++) text = visibleText(text, false)
  // The rest of nested tags can form a new tag. Then its brackets are dropped; runs of brackets are reduced to one first, so
  // that none is left before the same letter.
  if (looksLikeMarkup.test(text)) text = text.replaceAll(/<{2,}/g, "<").replaceAll(/<(?=[a-z/!?])/gi, "")
  return normalized(text).replaceAll(/\s+/g, " ").trim()
}

/** Cuts text to `length` UTF-16 units, at a space if possible. */
const cut = (text: string, length: number): string => {
  if (text.length <= length) return text
  const head = text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, "")
  const space = text[head.length] === " " ? head.length : head.lastIndexOf(" ")
  return `${(space > length / 2 ? head.slice(0, space) : head).trimEnd()}…`
}

/** Title and summary of an item as plain text; `null` if no title is left. */
export const text = (markup: {
  readonly title: string | undefined
  readonly summary: string | undefined
}): Pick<EvidenceItem, "title" | "summary" | "hidesInstructions"> | null => {
  const shown = title(markup.title)
  const raw = [markup.title, markup.summary].map((part) => part?.slice(0, RAW_LENGTH) ?? "").join(" \n ")
  if (shown === null) return null
  const words = { title: shown, summary: summary(markup.summary) }
  // Checks the raw text, the text with tags as words, because a sentence may begin right after a tag, and the displayed text.
  const shownText = `${words.title} \n ${words.summary}`
  const isMarked = [...new Set([raw, raw.replaceAll(/[<>]/g, " "), shownText])].some(addressesMachine)
  return isMarked ? { ...words, hidesInstructions: true } : words
}

/** A title as plain text on one line; `null` if nothing is left. */
export const title = (markup: string | undefined): string | null => {
  const text = cut(plain(markup ?? ""), TITLE_LENGTH)
  return text === "" ? null : text
}

/** A summary as plain text on one line; empty if nothing is left. */
export const summary = (markup: string | undefined): string => cut(plain(markup ?? ""), SUMMARY_LENGTH)

const tracking = /^(?:utm_.*|fbclid|gclid|dclid|msclkid|mc_cid|mc_eid|igshid|yclid|_hsenc|_hsmi)$/i

/**
 * A URL to cite: absolute (`base` resolves relative ones), http or https, without credentials, tracking parameters and
 * fragment, on a public host or the host of `base`. `null` for anything else.
 */
export const link = (text: string | undefined, base?: string): string | null => {
  const raw = text?.trim() ?? ""
  // `URL` removes tabs and newlines, even inside a scheme.
  if (raw === "" || raw.length > LINK_LENGTH || /[\s\p{Cc}\p{Cf}\p{Cs}]/u.test(raw)) return null
  const url = webUrl(raw, base)
  // A feed of a private host may link to its own pages.
  if (url === null || !(isPublicHost(url.hostname) || url.host === URL.parse(base ?? "")?.host)) return null
  url.hash = ""
  const tracked = [...url.searchParams.keys()].filter((name) => tracking.test(name))
  for (const name of tracked) url.searchParams.delete(name)
  return url.href.length > LINK_LENGTH ? null : url.href
}

/** A URL without scheme, `www.` and final slash, which do not identify a page. */
export const pageOf = (url: string): string => url.replace(/^https?:\/\/(?:www\.)?/, "").replace(/\/(?=$|\?)/, "")
