// A 200: its body in each content encoding with an entity tag, and the snapshots that it was made from. It is reused until one
// of them is replaced. Small bodies stay strings, because Node sends a string in one write with the head. Longer ones are bytes,
// because Node would encode a string again for every caller.
import { HttpBody } from "effect/http"
import { type Confidence, CONFIDENCES } from "../../domain/P2pRate.ts"
import type { Dependencies } from "../../services/refresh/Dependencies.ts"
import type { Route } from "../request/Routes.ts"
import { type Encoding, encode, SMALLEST } from "./Encodings.ts"
import { tagOf } from "./EntityTag.ts"
import type { Headers } from "./Headers.ts"

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

/** Most answers have no extra headers. They share this object. */
const none: Headers = {}

/** An internal header of handlers' responses, never sent: the confidence of an answer whose body lacks it. */
export const CONFIDENCE = "x-confidence"

export class CachedResponse {
  readonly route: Route
  readonly contentType: string
  /** Headers that only this answer has. */
  readonly extraHeaders: Headers
  /** Its snapshots; `undefined` for a document, which changes only with the version of the service. */
  readonly dependencies: Dependencies | undefined
  readonly identity: EncodedBody
  /** The handler's own `Cache-Control`. */
  private readonly fixed: string | undefined
  /** The least confidence of its P2P figures, if the body lacks it. */
  readonly confidence: Confidence | undefined
  private compressed: Map<Encoding, EncodedBody | Promise<EncodedBody>> | undefined

  /** `headers`: those of the handler's response. */
  constructor(route: Route, body: HttpBody.Uint8Array, headers: Headers, dependencies: Dependencies | undefined) {
    const {
      "cache-control": fixed,
      "content-length": _length,
      "content-type": _type,
      [CONFIDENCE]: confidence,
      ...extraHeaders
    } = headers
    this.route = route
    this.contentType = body.contentType
    this.extraHeaders = Object.keys(extraHeaders).length === 0 ? none : extraHeaders
    this.dependencies = dependencies
    this.fixed = fixed
    this.confidence = CONFIDENCES.find((one) => one === confidence)
    const content = body.text !== undefined && body.contentLength < LONG ? body.text : body.body
    this.identity = { encoding: "identity", content, length: body.contentLength, etag: tagOf(content, "identity") }
    this.compressed = undefined
  }

  get text(): string {
    const { content } = this.identity
    return typeof content === "string" ? content : new TextDecoder().decode(content)
  }

  /** Whether none of its snapshots was replaced. */
  isCurrent(): boolean {
    return this.dependencies === undefined || this.dependencies.isCurrent()
  }

  /** Whether it may be served at `now`, epoch milliseconds. */
  isValid(now: number): boolean {
    return this.dependencies === undefined || this.dependencies.isValid(now)
  }

  /**
   * RFC 9111 and RFC 5861: fresh until the next expected refresh, then stale for a while, but never longer than this service would
   * serve it, nor after `until`. Shared caches must not store a response to a request with a key. Times in epoch milliseconds.
   */
  cacheControl(hasKey: boolean, now: number, until = Infinity): string {
    if (this.fixed !== undefined) return this.fixed
    const visibility = hasKey ? "private" : "public"
    if (this.dependencies === undefined) return `${visibility}, max-age=300, stale-while-revalidate=3600`
    const { due, goodUntil, isEmpty } = this.dependencies
    // An answer without snapshots, such as the ages in `/v1/sources`, is fresh for 1 s.
    const left = isEmpty ? 1 : Math.max(0, Math.floor((Math.min(goodUntil, until) - now) / 1000))
    const fresh = Math.min(left, Number.isFinite(due) ? Math.max(1, Math.ceil((due - now) / 1000)) : 1)
    // Both count from the end of `max-age`.
    const stale = (most: number) => Math.min(most, left - fresh)
    return `${visibility}, max-age=${fresh}, stale-while-revalidate=${stale(30)}, stale-if-error=${stale(300)}`
  }

  /**
   * The body in this encoding; a promise while it is compressed. Concurrent callers share one compression. After a failure the
   * next caller tries again.
   */
  encoded(encoding: Encoding): EncodedBody | Promise<EncodedBody> {
    if (encoding === "identity" || this.identity.length < SMALLEST) return this.identity
    const compressed = (this.compressed ??= new Map())
    const held = compressed.get(encoding)
    if (held !== undefined) return held
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
