// Entity tags, RFC 9110 section 8.8.3. They are weak, because a proxy may change the encoding of a body.
import { hash } from "node:crypto"
import type { Encoding } from "./Encodings.ts"

/**
 * The tag of a body in one encoding: 120 bits of the SHA-1 of the body without encoding, as base64url. Joined, because
 * `+` would keep the parts in memory beside the result for as long as a response is cached.
 */
export const tagOf = (body: string | Uint8Array, encoding: Encoding): string => {
  const digest = hash("sha1", body, "base64url").slice(0, 20)
  return ['W/"', digest, ...(encoding === "identity" ? [] : ["-", encoding]), '"'].join("")
}

/** Whether `If-None-Match`, a list of tags or `*`, contains the tag by weak comparison. */
export const matches = (ifNoneMatch: string, tag: string): boolean => {
  if (ifNoneMatch === tag || ifNoneMatch.trim() === "*") return true
  const opaque = tag.slice(2)
  // Our tags contain no comma, so splitting inside a foreign tag cannot produce one of them.
  return ifNoneMatch.split(",").some((entry) => entry.trim().replace(/^W\//, "") === opaque)
}
