// A 200: its body, what its handler noted, and the snapshots that it was made from. It is reused until one of them is replaced.
import type { HttpBody } from "effect/http"
import type { Dependencies } from "../../services/refresh/Dependencies.ts"
import type { Question } from "../request/Question.ts"
import type { Route } from "../request/Routes.ts"
import { Body } from "./Body.ts"
import type { Headers } from "./Headers.ts"
import type { Notes } from "./Notes.ts"

/** Shared by the answers without extra headers. */
const none: Headers = {}

export class CachedResponse {
  readonly route: Route
  readonly contentType: string
  /** Headers that only this answer has. */
  readonly extraHeaders: Headers
  /** Its snapshots; `undefined` for a document, which changes only with the version of the service. */
  readonly dependencies: Dependencies | undefined
  readonly notes: Notes
  readonly body: Body
  /** The handler's own `Cache-Control`. */
  private readonly fixed: string | undefined

  /** `headers`: those of the handler's response. */
  constructor(
    route: Route,
    body: HttpBody.Uint8Array,
    headers: Headers,
    dependencies: Dependencies | undefined,
    notes: Notes
  ) {
    const { "cache-control": fixed, "content-length": _length, "content-type": _type, ...extraHeaders } = headers
    this.route = route
    this.contentType = body.contentType
    this.extraHeaders = Object.keys(extraHeaders).length === 0 ? none : extraHeaders
    this.dependencies = dependencies
    this.notes = notes
    this.fixed = fixed
    this.body = new Body(body.text ?? body.body)
  }

  /** Its body for this question, whose amount only shapes it. */
  bodyFor({ amount }: Question): Body {
    const { write } = this.notes
    return amount === undefined || write === undefined ? this.body : new Body(write(amount))
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
  cacheControl(isPrivate: boolean, now: number, until = Infinity): string {
    if (this.fixed !== undefined) return this.fixed
    const visibility = isPrivate ? "private" : "public"
    if (this.dependencies === undefined) return `${visibility}, max-age=300, stale-while-revalidate=3600`
    const { due, goodUntil, isEmpty } = this.dependencies
    // An answer without snapshots, such as the ages in `/v1/sources`, is fresh for 1 s.
    const left = isEmpty ? 1 : Math.max(0, Math.floor((Math.min(goodUntil, until) - now) / 1000))
    const fresh = Math.min(left, Number.isFinite(due) ? Math.max(1, Math.ceil((due - now) / 1000)) : 1)
    // Both count from the end of `max-age`.
    const stale = (most: number) => Math.min(most, left - fresh)
    return `${visibility}, max-age=${fresh}, stale-while-revalidate=${stale(30)}, stale-if-error=${stale(300)}`
  }
}
