// Cached responses by plan and URL, each with the snapshots it was built from. An entry is valid until one of them is
// replaced; that is checked at each look-up, so nothing has to be invalidated. Bounded in bytes by two generations of
// half the bound each: a hit moves an entry to the young one, and a full young one replaces the old one.
import { Context, Effect, Layer } from "effect"
import type { PlanName } from "../../access/Plan.ts"
import type { Dependencies } from "../../services/refresh/Dependencies.ts"
import * as CacheControl from "./CacheControl.ts"
import { SMALLEST } from "./Encodings.ts"
import type { Representation } from "./Representation.ts"
import { countersIn } from "../gate/RequestMetrics.ts"

/** The default bound: about 500 pages of 250 coins, or 50,000 prices. */
const DEFAULT_MAX_BYTES = 64 * 1024 * 1024

/** Bytes that an entry takes beside its body and URL, estimated. */
const OVERHEAD = 1024

/** The size of an entry, estimated as if both compressed variants were held and as long as the body. */
const bytesOf = (url: string, { length }: Representation): number =>
  (length < SMALLEST ? length : 3 * length) + 2 * url.length + OVERHEAD

/** Longer URLs are not cached. Those of `/v1/prices` with 250 ids have about 5,000 characters. */
const LONGEST_URL = 8192

/** An answer and the snapshots it was built from. */
export class CachedResponse {
  /** The pattern of its route. */
  readonly route: string
  readonly representation: Representation
  readonly dependencies: Dependencies
  /** The last moment at which caches elsewhere may serve it, epoch milliseconds. */
  private readonly until: number
  private header = ""
  private second = -1

  constructor(route: string, representation: Representation, dependencies: Dependencies, until = Infinity) {
    this.route = route
    this.representation = representation
    this.dependencies = dependencies
    this.until = until
  }

  /** Whether all that it was built from still stands, `now` in epoch milliseconds. */
  isValid(now: number): boolean {
    return now <= this.dependencies.goodUntil && this.dependencies.isCurrent()
  }

  /** Its `Cache-Control`, computed at most once a second. */
  cacheControl(hasKey: boolean, now: number): string {
    const second = Math.floor(now / 1000)
    if (second !== this.second) {
      this.second = second
      const { due, goodUntil } = this.dependencies
      this.header = CacheControl.forSnapshot({ due, goodUntil: Math.min(goodUntil, this.until) }, hasKey, now)
    }
    return this.header
  }

  /** The same answer with a `Cache-Control` that ends at this moment, epoch milliseconds. */
  servedUntil(until: number): CachedResponse {
    return new CachedResponse(this.route, this.representation, this.dependencies, until)
  }
}

type Generation = Map<PlanName, Map<string, CachedResponse>>

/** The cache of responses. */
export class ResponseCache extends Context.Service<
  ResponseCache,
  {
    /** The valid answer for a plan and a URL, path and query as they were sent. `now` in epoch milliseconds. */
    readonly find: (plan: PlanName, url: string, now: number) => CachedResponse | undefined
    /** The same, as a look that is not counted as a hit. */
    readonly peek: (plan: PlanName, url: string, now: number) => CachedResponse | undefined
    /** Stores an answer, unless a snapshot it was built from is already replaced. */
    readonly keep: (plan: PlanName, url: string, answer: CachedResponse) => void
    /** Bytes held, estimated. */
    readonly size: () => number
  }
>()("crypto-data-api/http/response/ResponseCache") {
  static readonly layerWith = (maxBytes: number): Layer.Layer<ResponseCache> =>
    Layer.effect(
      ResponseCache,
      Effect.map(Effect.context(), (context) => {
        const counted = countersIn(context)(
          "cda_kept_answers_total",
          "Answers that may be kept, handed out (hit) or made"
        )
        return ResponseCache.of(make(maxBytes, counted({ outcome: "hit" }), counted({ outcome: "miss" })))
      })
    )

  static readonly layer: Layer.Layer<ResponseCache> = this.layerWith(DEFAULT_MAX_BYTES)
}

/** An empty cache of at most `maxBytes`. */
export const make = (maxBytes: number, hits = { count: 0 }, misses = { count: 0 }): ResponseCache["Service"] => {
  let young: Generation = new Map()
  let old: Generation = new Map()
  let youngBytes = 0
  let oldBytes = 0

  const hold = (plan: PlanName, url: string, answer: CachedResponse) => {
    if (url.length > LONGEST_URL || !answer.dependencies.isCurrent()) return
    const bytes = bytesOf(url, answer.representation)
    if (bytes > maxBytes / 2) return
    if (youngBytes + bytes > maxBytes / 2) {
      old = young
      oldBytes = youngBytes
      young = new Map()
      youngBytes = 0
    }
    let answers = young.get(plan)
    if (answers === undefined) young.set(plan, (answers = new Map()))
    const before = answers.get(url)
    answers.set(url, answer)
    youngBytes += bytes - (before === undefined ? 0 : bytesOf(url, before.representation))
  }

  const peek = (plan: PlanName, url: string, now: number) => {
    const answer = young.get(plan)?.get(url) ?? old.get(plan)?.get(url)
    return answer?.isValid(now) === true ? answer : undefined
  }

  return {
    peek,
    find: (plan, url, now) => {
      const answer = peek(plan, url, now)
      if (answer === undefined) return undefined
      if (young.get(plan)?.get(url) === undefined) hold(plan, url, answer)
      hits.count++
      return answer
    },
    keep: (plan, url, answer) => {
      misses.count++
      hold(plan, url, answer)
    },
    size: () => youngBytes + oldBytes
  }
}
