// A good answer's body as it goes over the wire: as it is and encoded, each with its own validator, each made once. Small texts
// stay texts, because Node then writes them in one go with their head; long ones are bytes, because Node would encode them anew
// for every caller.
import { Effect } from "effect"
import { HttpBody } from "effect/http"
import { type Encoding, encode, SMALLEST } from "./Encodings.ts"
import { commonHeaders } from "./CommonHeaders.ts"
import { digestOf, tagged } from "./EntityTag.ts"

/** Texts of more bytes are handed out as bytes. */
const LONG = 4096

/** The body in one encoding. */
export interface Variant {
  readonly etag: string
  readonly body: HttpBody.HttpBody
  /** All headers that are the same for every caller: with the body (200), and without (304). */
  readonly headers: Readonly<Record<string, string>>
  readonly headersAlone: Readonly<Record<string, string>>
}

/** A body in its encodings. */
export class Representation {
  /** The length as it is, in bytes. */
  readonly length: number
  readonly identity: Variant
  private readonly text: string | Uint8Array
  private readonly contentType: string
  private readonly more: Readonly<Record<string, string>>
  private readonly digest: string
  // Made when they are needed: of thousands of kept answers nearly all are too small to be encoded.
  private encoded: Map<Encoding, Variant> | undefined
  private underWay: Map<Encoding, Promise<Variant>> | undefined

  /** `more`: headers beside those of every body, names in lower case. */
  constructor(body: HttpBody.Uint8Array, more: Readonly<Record<string, string>> = {}) {
    this.length = body.contentLength
    this.contentType = body.contentType
    this.more = more
    this.text = body.text !== undefined && body.contentLength < LONG ? body.text : body.body
    this.digest = digestOf(this.text)
    this.identity = this.variant(
      "identity",
      typeof this.text === "string" ? body : HttpBody.uint8Array(this.text, body.contentType)
    )
  }

  /** The variant for whoever accepts this encoding, if it is ready. */
  ready(encoding: Encoding): Variant | undefined {
    return encoding === "identity" || this.length < SMALLEST ? this.identity : this.encoded?.get(encoding)
  }

  /** The same, made where it is not ready: once, however many wait for it, and whoever of them goes away. */
  prepare(encoding: Encoding): Effect.Effect<Variant> {
    const ready = this.ready(encoding)
    if (ready !== undefined || encoding === "identity") return Effect.succeed(ready ?? this.identity)
    return Effect.promise(() => {
      const underWay = (this.underWay ??= new Map())
      const pending = underWay.get(encoding) ?? this.make(encoding)
      underWay.set(encoding, pending)
      return pending
    })
  }

  private async make(encoding: Exclude<Encoding, "identity">): Promise<Variant> {
    const bytes = typeof this.text === "string" ? new TextEncoder().encode(this.text) : this.text
    const variant = this.variant(encoding, HttpBody.uint8Array(await encode(bytes, encoding), this.contentType))
    const encoded = (this.encoded ??= new Map())
    encoded.set(encoding, variant)
    return variant
  }

  private variant(encoding: Encoding, body: HttpBody.Uint8Array): Variant {
    const etag = tagged(this.digest, encoding)
    const headersAlone = { etag, ...commonHeaders, ...this.more }
    return {
      etag,
      body,
      headersAlone,
      headers: {
        "content-type": body.contentType,
        "content-length": String(body.contentLength),
        ...(encoding !== "identity" && { "content-encoding": encoding }),
        ...headersAlone
      }
    }
  }
}
