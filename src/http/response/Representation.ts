// The body of a 200 in each content encoding, with its ETag and fixed headers, built once per encoding. Small bodies stay
// strings, because Node sends a string in one write with the head; longer ones are bytes, because Node would encode a
// string again for every caller.
import { Effect } from "effect"
import { HttpBody } from "effect/http"
import { type Encoding, encode, SMALLEST } from "./Encodings.ts"
import { commonHeaders } from "./CommonHeaders.ts"
import { digestOf, tagged } from "./EntityTag.ts"

/** Bodies of at least so many bytes are sent as bytes. */
const LONG = 4096

type Headers = Readonly<Record<string, string>>

const commonList = Object.entries(commonHeaders).flat()

const isOverridden = (own: Headers): boolean =>
  Object.keys(own).some((name) => name in commonHeaders || name === "etag")

/** The body in one encoding. Of its headers each form is made when it is first used: some answers are sent once. */
export class Variant {
  readonly etag: string
  readonly body: HttpBody.Uint8Array
  private readonly encoding: Encoding
  private readonly own: Headers
  private parts: {
    headers?: Headers
    headersAlone?: Headers
    list?: ReadonlyArray<string>
    listAlone?: ReadonlyArray<string>
  }

  constructor(body: HttpBody.Uint8Array, etag: string, encoding: Encoding, own: Headers) {
    this.body = body
    this.etag = etag
    this.encoding = encoding
    this.own = own
    this.parts = {}
  }

  /** The headers that are the same for every caller, of a 200. */
  get headers(): Headers {
    return (this.parts.headers ??= {
      "content-type": this.body.contentType,
      "content-length": String(this.body.contentLength),
      ...(this.encoding !== "identity" && { "content-encoding": this.encoding }),
      ...this.headersAlone
    })
  }

  /** The same of a 304. */
  get headersAlone(): Headers {
    return (this.parts.headersAlone ??= { etag: this.etag, ...commonHeaders, ...this.own })
  }

  /** `headers` as a list of names and values in turn. */
  get list(): ReadonlyArray<string> {
    if (this.parts.list !== undefined) return this.parts.list
    const { contentLength, contentType } = this.body
    const encoded = this.encoding === "identity" ? [] : ["content-encoding", this.encoding]
    return (this.parts.list = [
      "content-type",
      contentType,
      "content-length",
      String(contentLength),
      ...encoded,
      ...this.listAlone
    ])
  }

  /** `headersAlone` as such a list. */
  get listAlone(): ReadonlyArray<string> {
    return (this.parts.listAlone ??= isOverridden(this.own)
      ? Object.entries(this.headersAlone).flat()
      : ["etag", this.etag, ...commonList, ...Object.entries(this.own).flat()])
  }
}

/** A body as Node takes it. */
export const contentOf = ({ body }: Variant): string | Uint8Array => body.text ?? body.body

/** A body in its encodings. */
export class Representation {
  /** Bytes without encoding. */
  readonly length: number
  readonly identity: Variant
  private readonly text: string | Uint8Array
  private readonly contentType: string
  private readonly own: Readonly<Record<string, string>>
  private readonly digest: string
  // Created on demand: most cached answers are too small to be encoded.
  private encoded: Map<Encoding, Variant> | undefined
  private underWay: Map<Encoding, Promise<Variant>> | undefined

  /** `headers`: those of the response that has the body, names in lower case. */
  constructor(body: HttpBody.Uint8Array, headers: Readonly<Record<string, string>> = {}) {
    const { "content-length": _length, "content-type": _type, ...own } = headers
    this.length = body.contentLength
    this.contentType = body.contentType
    this.own = own
    this.text = body.text !== undefined && body.contentLength < LONG ? body.text : body.body
    this.digest = digestOf(this.text)
    this.identity = this.variant(
      "identity",
      typeof this.text === "string" ? body : HttpBody.uint8Array(this.text, body.contentType)
    )
  }

  /** The body as text. */
  asText(): string {
    return typeof this.text === "string" ? this.text : new TextDecoder().decode(this.text)
  }

  /** The variant for this encoding, if it is already built. */
  ready(encoding: Encoding): Variant | undefined {
    return encoding === "identity" || this.length < SMALLEST ? this.identity : this.encoded?.get(encoding)
  }

  /** The variant for this encoding. Concurrent callers share one compression, which no interruption stops. */
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
    return new Variant(body, tagged(this.digest, encoding), encoding, this.own)
  }
}
