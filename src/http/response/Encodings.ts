// Content encodings, RFC 9110 section 12.5.3: which one a caller accepts, and the compression. Small bodies are not
// compressed, because they fit into one packet either way.
import { promisify } from "node:util"
import * as Zlib from "node:zlib"
import { rememberEach } from "../../domain/rememberEach.ts"
import { weightsOf } from "../request/weightsOf.ts"

export type Encoding = "identity" | "br" | "gzip"

/** Bodies of fewer bytes are not compressed. */
export const SMALLEST = 1024

/** The encoding with the highest weight in an `Accept-Encoding`; `br` before `gzip` at equal weight. */
export const chosenFor = (accepted: string | undefined): Encoding => {
  if (accepted === undefined) return "identity"
  return accepted.length < 256 ? remembered(accepted) : choose(accepted)
}

const choose = (accepted: string): Encoding => {
  const weights = weightsOf(accepted)
  const weightOf = (encoding: Encoding) => weights.get(encoding) ?? weights.get("*") ?? 0
  const [br, gzip] = [weightOf("br"), weightOf("gzip")]
  const identity = weights.get("identity") ?? 0
  if (Math.max(br, gzip) <= 0 || identity > Math.max(br, gzip)) return "identity"
  return br >= gzip ? "br" : "gzip"
}

/** Clients send a handful of values; the bounds keep hostile ones from filling the memory. */
const remembered = rememberEach(256, choose)

const gzip = promisify(Zlib.gzip)
const brotli = promisify(Zlib.brotliCompress)

/** Compresses the body outside the event loop. */
export const encode = (bytes: Uint8Array, encoding: Exclude<Encoding, "identity">): Promise<Uint8Array> =>
  encoding === "br" ? brotli(bytes, { params: brotliParameters(bytes.length) }) : gzip(bytes)

/** The window has the body's size, because the default of 4 MiB takes several times that in memory, in each compressing thread. */
const brotliParameters = (length: number) => ({
  [Zlib.constants.BROTLI_PARAM_QUALITY]: 5,
  [Zlib.constants.BROTLI_PARAM_SIZE_HINT]: length,
  [Zlib.constants.BROTLI_PARAM_LGWIN]: Math.min(22, Math.max(16, Math.ceil(Math.log2(length + 16))))
})
