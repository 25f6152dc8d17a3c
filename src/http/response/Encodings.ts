// How a body may be encoded on its way, https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3: what the caller accepts, and what
// is worth the work. Small bodies go as they are: compressed, their packet would be no smaller.
import { promisify } from "node:util"
import * as Zlib from "node:zlib"

/** Encodings that bodies are offered in. */
export type Encoding = "identity" | "br" | "gzip"

/** Bodies of fewer bytes are not compressed. */
export const SMALLEST = 1024

const remembered = new Map<string, Encoding>()

/** What to send whoever accepts this: the encoding weighted highest, `br` before `gzip` where they weigh the same. */
export const chosenFor = (accepted: string | undefined): Encoding => {
  if (accepted === undefined) return "identity"
  const known = remembered.get(accepted)
  if (known !== undefined) return known
  const chosen = choose(accepted)
  // A handful of programs, a handful of texts; whoever makes up ever new ones is not remembered.
  if (remembered.size < 256 && accepted.length < 256) remembered.set(accepted, chosen)
  return chosen
}

const choose = (accepted: string): Encoding => {
  const weights = new Map<string, number>()
  for (const entry of accepted.toLowerCase().split(",")) {
    const [name = "", ...parameters] = entry.split(";").map((part) => part.trim())
    const q = parameters.find((parameter) => parameter.startsWith("q="))
    const weight = q === undefined ? 1 : Number(q.slice(2))
    if (name !== "") weights.set(name, Number.isFinite(weight) ? weight : 0)
  }
  const weightOf = (encoding: Encoding) => weights.get(encoding) ?? weights.get("*") ?? 0
  const [br, gzip] = [weightOf("br"), weightOf("gzip")]
  const identity = weights.get("identity") ?? 0
  if (Math.max(br, gzip) <= 0 || identity > Math.max(br, gzip)) return "identity"
  return br >= gzip ? "br" : "gzip"
}

const gzip = promisify(Zlib.gzip)
const brotli = promisify(Zlib.brotliCompress)

/** The body in that encoding, worked out beside the event loop. */
export const encode = (bytes: Uint8Array, encoding: Exclude<Encoding, "identity">): Promise<Uint8Array> =>
  encoding === "br" ? brotli(bytes, { params: { [Zlib.constants.BROTLI_PARAM_QUALITY]: 5 } }) : gzip(bytes)
