// Entity tags, https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3: weak, because a proxy may encode a body anew.
import { hash } from "node:crypto"
import type { Encoding } from "./Encodings.ts"

/** A weak tag of the body's text. */
export const tagOf = (text: string | Uint8Array, encoding: Encoding): string => tagged(digestOf(text), encoding)

/** What stands in a tag for the body, whatever its encoding. */
export const digestOf = (text: string | Uint8Array): string => hash("sha1", text, "base64url").slice(0, 20)

/** The tag of a body in an encoding: each is a representation of its own. */
export const tagged = (digest: string, encoding: Encoding): string =>
  encoding === "identity" ? `W/"${digest}"` : `W/"${digest}-${encoding}"`

/** Whether one of the tags in `If-None-Match` is this one, compared weakly: a list, `*`, with or without `W/`. */
export const matches = (ifNoneMatch: string, tag: string): boolean => {
  if (ifNoneMatch === tag || ifNoneMatch.trim() === "*") return true
  const opaque = tag.slice(2)
  // A tag holds no comma of ours; one of somebody else's that does cannot be equal to ours in any of its parts.
  return ifNoneMatch.split(",").some((entry) => entry.trim().replace(/^W\//, "") === opaque)
}
