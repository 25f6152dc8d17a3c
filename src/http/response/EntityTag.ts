// Entity tags, RFC 9110 section 8.8.3. They are weak, because a proxy may change the encoding of a body.
import { hash } from "node:crypto"
import type { Encoding } from "./Encodings.ts"

/** The part of the tag that depends on the body: 120 bits of its SHA-1 as base64url. */
export const digestOf = (text: string | Uint8Array): string => hash("sha1", text, "base64url").slice(0, 20)

/** The tag of a body in one encoding. Each encoding has its own. */
export const tagged = (digest: string, encoding: Encoding): string =>
  encoding === "identity" ? `W/"${digest}"` : `W/"${digest}-${encoding}"`

/** Whether `If-None-Match`, a list of tags or `*`, contains the tag by weak comparison. */
export const matches = (ifNoneMatch: string, tag: string): boolean => {
  if (ifNoneMatch === tag || ifNoneMatch.trim() === "*") return true
  const opaque = tag.slice(2)
  // Our tags contain no comma, so splitting inside a foreign tag cannot produce one of them.
  return ifNoneMatch.split(",").some((entry) => entry.trim().replace(/^W\//, "") === opaque)
}
