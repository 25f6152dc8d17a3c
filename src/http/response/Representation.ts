// The body of a 200 in each content encoding, with its ETag and fixed headers, built once per encoding. Small bodies stay
// strings, because Node sends a string in one write with the head; longer ones are bytes, because Node would encode a
// string again for every caller.
import { Effect } from "effect"
import { HttpBody } from "effect/http"
import { type Encoding, encode, SMALLEST } from "./Encodings.ts"
import { commonHeaders } from "./CommonHeaders.ts"
import { tagOf } from "./EntityTag.ts"

/** Bodies of at least so many bytes are sent as bytes. */
const LONG = 4096

type Headers = Readonly<Record<string, string>>

/** Most answers have no headers of their own. They share this object. */
const none: Headers = {}

const commonList = Object.entries(commonHeaders).flat()

/**
 * The body in one encoding. Thousands are cached, so only what differs is held; the headers are made for each response,
 * which costs less than a microsecond.
 */
export class Variant {
  readonly etag: string
  readonly contentType: string
  private readonly held: string | HttpBody.Uint8Array
  private readonly length: number
  private readonly encoding: Encoding
  private readonly own: Headers
  private ownList: ReadonlyArray<string> | undefined

  constructor(body: HttpBody.Uint8Array, etag: string, encoding: Encoding, own: Headers) {
    this.held = body.text ?? body
    this.contentType = body.contentType
    this.length = body.contentLength
    this.etag = etag
    this.encoding = encoding
    this.own = own
    this.ownList = undefined
  }

  /** The body as Node takes it. */
  get content(): string | Uint8Array {
    return typeof this.held === "string" ? this.held : this.held.body
  }

  /** The body as Effect takes it. */
  get body(): HttpBody.Uint8Array {
    return typeof this.held === "string" ? HttpBody.text(this.held, this.contentType) : this.held
  }

  /** The headers that are the same for every caller, of a 200. */
  get headers(): Headers {
    return {
      "content-type": this.contentType,
      "content-length": String(this.length),
      ...(this.encoding !== "identity" && { "content-encoding": this.encoding }),
      ...this.headersAlone
    }
  }

  /** The same of a 304. */
  get headersAlone(): Headers {
    return { etag: this.etag, ...commonHeaders, ...this.own }
  }

  /** Whether the answer has headers beside those that every answer has. */
  get hasOwnHeaders(): boolean {
    return this.own !== none
  }

  /** `headers` as names and values in turn, in a list that the caller may add to. */
  list(): Array<string> {
    const { contentType, encoding, etag } = this
    const length = String(this.length)
    return encoding === "identity"
      ? ["content-type", contentType, "content-length", length, "etag", etag, ...this.others]
      : ["content-type", contentType, "content-length", length, "content-encoding", encoding, ...this.listAlone()]
  }

  /** `headersAlone` as such a list. */
  listAlone(): Array<string> {
    return ["etag", this.etag, ...this.others]
  }

  private get others(): ReadonlyArray<string> {
    return this.own === none ? commonList : (this.ownList ??= Object.entries({ ...commonHeaders, ...this.own }).flat())
  }
}

export class Representation {
  readonly identity: Variant
  /** Bytes without encoding. */
  readonly length: number
  private readonly own: Headers
  // Created on demand: most cached answers are too small to be encoded.
  private encoded: Map<Encoding, Variant> | undefined
  private underWay: Map<Encoding, Promise<Variant>> | undefined

  /** `headers`: those of the response that has the body, names in lower case. */
  constructor(body: HttpBody.Uint8Array, headers: Headers = none) {
    this.length = body.contentLength
    this.own = ownOf(headers)
    const isShort = body.text !== undefined && body.contentLength < LONG
    const sent = isShort ? body : HttpBody.uint8Array(body.body, body.contentType)
    this.identity = new Variant(sent, tagOf(isShort ? body.text : body.body, "identity"), "identity", this.own)
    this.encoded = undefined
    this.underWay = undefined
  }

  asText(): string {
    const { content } = this.identity
    return typeof content === "string" ? content : new TextDecoder().decode(content)
  }

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
    const { content, contentType } = this.identity
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content
    const body = HttpBody.uint8Array(await encode(bytes, encoding), contentType)
    const variant = new Variant(body, tagOf(content, encoding), encoding, this.own)
    const encoded = (this.encoded ??= new Map())
    encoded.set(encoding, variant)
    return variant
  }
}

/** The headers that are neither the length nor the type. */
const ownOf = (headers: Headers): Headers => {
  const { "content-length": _length, "content-type": _type, ...own } = headers
  return Object.keys(own).length === 0 ? none : own
}
