// A body in each content encoding with an entity tag. Small bodies stay strings, because Node sends a string in one write with the head.
// Longer ones are bytes, because Node would encode a string again for every caller.
import { type Encoding, encode, SMALLEST } from "./Encodings.ts"
import { tagOf } from "./EntityTag.ts"

/** Bodies of at least this many bytes are sent as bytes. */
const LONG = 4096

/** The body in one content encoding. */
export interface EncodedBody {
  readonly encoding: Encoding
  readonly content: string | Uint8Array
  /** In bytes. */
  readonly length: number
  readonly etag: string
}

export class Body {
  readonly identity: EncodedBody
  private compressed: Map<Encoding, EncodedBody | Promise<EncodedBody>> | undefined

  constructor(text: string | Uint8Array) {
    const length = typeof text === "string" ? Buffer.byteLength(text) : text.length
    const content = typeof text === "string" && length >= LONG ? new TextEncoder().encode(text) : text
    this.identity = { encoding: "identity", content, length, etag: tagOf(content, "identity") }
    this.compressed = undefined
  }

  /**
   * The body in this encoding; a promise while it is compressed. Concurrent callers share one compression. After a failure the
   * next caller tries again.
   */
  encoded(encoding: Encoding): EncodedBody | Promise<EncodedBody> {
    if (encoding === "identity" || this.identity.length < SMALLEST) return this.identity
    const compressed = (this.compressed ??= new Map())
    const known = compressed.get(encoding)
    if (known !== undefined) return known
    const underWay = this.compress(encoding).then(
      (encoded) => {
        compressed.set(encoding, encoded)
        return encoded
      },
      (cause: unknown) => {
        compressed.delete(encoding)
        throw cause
      }
    )
    compressed.set(encoding, underWay)
    return underWay
  }

  private async compress(encoding: Exclude<Encoding, "identity">): Promise<EncodedBody> {
    const { content } = this.identity
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content
    const compressed = await encode(bytes, encoding)
    return { encoding, content: compressed, length: compressed.length, etag: tagOf(content, encoding) }
  }
}
