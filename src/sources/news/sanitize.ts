// Text and links from strangers, made harmless: what comes out is one line of plain text, or an http(s) address. It stays
// untrusted as to what it says: a sentence addressed to a machine is kept as the sentence it is.
import { Parser } from "htmlparser2"

/** The most a summary may have, in UTF-16 units. */
export const SUMMARY_LENGTH = 500

/** The most a title may have. */
export const TITLE_LENGTH = 300

/** Markup beyond this is not read: no excerpt needs it, and a body of megabytes is not worth its parsing. */
const RAW_LENGTH = 20_000

/** A longer address is no citation. */
const LINK_LENGTH = 2_048

/** Elements whose content is not for readers. */
const unread = new Set(
  "script style template noscript noembed noframes iframe object embed svg math head title textarea select option audio video canvas xmp plaintext".split(
    " "
  )
)

/** Elements within a line: everything else separates words. */
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

/** The text that a reader of the markup would see. Comments are gone, hidden elements with all that is in them. */
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

/** What has no shape on a screen: controls, direction marks, zero widths, fillers, private use, lone surrogates. */
const invisible = /[\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]/gu

/** One line: compatibility forms unfolded, controls and invisible characters dropped, no towers of marks. */
const oneLine = (text: string): string =>
  text
    .normalize("NFKC")
    .replaceAll(invisible, "")
    .replaceAll(/[\s\u0085]+/g, " ")
    .replaceAll(/\p{Cc}/gu, "")
    .replaceAll(/(\p{M}{3})\p{M}+/gu, "$1")

const looksLikeMarkup = /<[a-z/!?]/i

/** Plain text, entities decoded once. Whatever still looks like markup after that is taken out, not decoded again. */
const plain = (markup: string): string => {
  let text = oneLine(visibleText(oneLine(markup.slice(0, RAW_LENGTH)), true))
  for (let pass = 0; pass < 3 && looksLikeMarkup.test(text); pass++) text = visibleText(text, false)
  // Nested leftovers can put a tag together again; then the bracket goes.
  while (looksLikeMarkup.test(text)) text = text.replaceAll(/<(?=[a-z/!?])/gi, "")
  return text.normalize("NFKC").replaceAll(/\s+/g, " ").trim()
}

/** At most `length` UTF-16 units, cut at a word where there is one. */
const cut = (text: string, length: number): string => {
  if (text.length <= length) return text
  const head = text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, "")
  const space = text[head.length] === " " ? head.length : head.lastIndexOf(" ")
  return `${(space > length / 2 ? head.slice(0, space) : head).trimEnd()}…`
}

/** A title as plain text on one line; `null` where nothing is left of it. */
export const title = (markup: string | undefined): string | null => {
  const text = cut(plain(markup ?? ""), TITLE_LENGTH)
  return text === "" ? null : text
}

/** A summary as plain text on one line; empty where nothing is left of it. */
export const summary = (markup: string | undefined): string => cut(plain(markup ?? ""), SUMMARY_LENGTH)

const tracking = /^(?:utm_.*|fbclid|gclid|dclid|msclkid|mc_cid|mc_eid|igshid|yclid|_hsenc|_hsmi)$/i

/**
 * An address to cite: absolute (relative to `base` where one is given), http or https, without credentials, tracking
 * parameters and fragment. `null` for anything else.
 */
export const link = (text: string | undefined, base?: string): string | null => {
  const raw = text?.trim() ?? ""
  // `URL` would quietly take tabs and newlines out of the middle of a scheme.
  if (raw === "" || raw.length > LINK_LENGTH || /[\s\p{Cc}\p{Cf}\p{Cs}]/u.test(raw)) return null
  const url = URL.parse(raw, base)
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return null
  if (url.username !== "" || url.password !== "" || url.hostname === "") return null
  url.hash = ""
  const tracked = [...url.searchParams.keys()].filter((name) => tracking.test(name))
  for (const name of tracked) url.searchParams.delete(name)
  return url.href.length > LINK_LENGTH ? null : url.href
}

/** What two addresses of one page have in common: scheme, `www.` and a slash at the end do not tell pages apart. */
export const pageOf = (url: string): string => url.replace(/^https?:\/\/(?:www\.)?/, "").replace(/\/(?=$|\?)/, "")
