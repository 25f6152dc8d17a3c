// Answers that are handed out again: by plan and address, each with what it was made of. One is an answer only while all of that
// still is what it was, which is asked each time, so nothing has to be told when a snapshot changes. Bounded in bytes: two
// generations of half the bound each, what is handed out moves to the young one, and the old one is dropped whole.
import { Context, Effect, Layer } from "effect"
import type { PlanName } from "../../access/Plan.ts"
import type { Dependencies } from "../../services/refresh/Dependencies.ts"
import * as CacheControl from "./CacheControl.ts"
import { SMALLEST } from "./Encodings.ts"
import type { Representation } from "./Representation.ts"
import { countersIn } from "../gate/RequestMetrics.ts"

/** The bound, unless another is given: some 500 pages of 250 coins, or 50,000 prices. */
const DEFAULT_MAX_BYTES = 64 * 1024 * 1024

/** What an answer takes beside its bytes, about. */
const OVERHEAD = 1024

/** How much an answer takes: what is compressed, later perhaps, is shorter than what it was made of. */
const bytesOf = (url: string, { length }: Representation): number =>
  (length < SMALLEST ? length : 3 * length) + 2 * url.length + OVERHEAD

/** Longer addresses are not kept: none that the service has is. */
const LONGEST_URL = 256

/** A kept answer. */
export class CachedResponse {
  /** The pattern of the route that gave it. */
  readonly route: string
  readonly representation: Representation
  readonly reads: Dependencies
  private said = ""
  private saidAt = -1

  constructor(route: string, representation: Representation, reads: Dependencies) {
    this.route = route
    this.representation = representation
    this.reads = reads
  }

  /** Its `Cache-Control`, which is another one each second. */
  cacheControl(hasKey: boolean, now: number): string {
    const second = Math.floor(now / 1000)
    if (second !== this.saidAt) {
      this.saidAt = second
      this.said = CacheControl.forSnapshot(this.reads, hasKey, now)
    }
    return this.said
  }
}

type Generation = Map<PlanName, Map<string, CachedResponse>>

/** The answers. */
export class ResponseCache extends Context.Service<
  ResponseCache,
  {
    /** The answer for callers on that plan to that address, path and query as they were sent, if there is one now. */
    readonly find: (plan: PlanName, url: string, now: number) => CachedResponse | undefined
    /** Keeps an answer, if it is the current one. */
    readonly keep: (plan: PlanName, url: string, answer: CachedResponse) => void
    /** How much is held, in bytes, about. */
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

/** An empty store. */
export const make = (maxBytes: number, hits = { count: 0 }, misses = { count: 0 }): ResponseCache["Service"] => {
  let young: Generation = new Map()
  let old: Generation = new Map()
  let youngBytes = 0
  let oldBytes = 0

  const hold = (plan: PlanName, url: string, answer: CachedResponse) => {
    if (url.length > LONGEST_URL || !answer.reads.isCurrent()) return
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

  return {
    find: (plan, url, now) => {
      const recent = young.get(plan)?.get(url)
      const answer = recent ?? old.get(plan)?.get(url)
      if (answer === undefined || now > answer.reads.goodUntil || !answer.reads.isCurrent()) return undefined
      if (recent === undefined) hold(plan, url, answer)
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
