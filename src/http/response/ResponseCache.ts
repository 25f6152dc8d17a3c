// Cached responses by URL and plan, each with the snapshots it was built from. An entry is valid until one of them is
// replaced; that is checked at each look-up, so nothing has to be invalidated. Bounded in bytes by two generations of
// half the bound each: a hit moves an entry to the young one, and a full young one replaces the old one.
import { Context, Effect, Layer } from "effect"
import type { PlanName } from "../../access/Plan.ts"
import { countersIn } from "../gate/RequestMetrics.ts"
import type { CachedResponse } from "./CachedResponse.ts"
import { SMALLEST } from "./Encodings.ts"
import { ShortAnswer } from "./ShortAnswer.ts"

/** About 500 pages of 250 coins, or 50,000 prices. */
const MAX_BYTES = 64 * 1024 * 1024

/** Bytes that a held answer takes beside its body and URL, estimated; a short one as if it were asked for often. */
const OVERHEAD = 1024

/** Longer URLs are not cached. Those of `/v1/prices` with 250 ids have about 5,000 characters. */
const LONGEST_URL = 8192

/** The answers to one URL: for each plan that asked, or a short one for all plans. */
type Held = ReadonlyMap<PlanName, CachedResponse> | ShortAnswer

/** The size of an entry, estimated as if both compressed variants were held and as long as the body. */
const bytesOf = (url: string, held: Held): number => {
  const own = 2 * url.length
  if (held instanceof ShortAnswer) return own + held.length + OVERHEAD
  let bytes = own
  for (const { representation } of held.values()) {
    const { length } = representation
    bytes += (length < SMALLEST ? length : 3 * length) + OVERHEAD
  }
  return bytes
}

export class ResponseCache extends Context.Service<
  ResponseCache,
  {
    /** The valid answer for a plan and a URL, path and query as they were sent. `now` in epoch milliseconds. */
    readonly find: (plan: PlanName, url: string, now: number) => CachedResponse | undefined
    /** The same, as a look that is not counted as a hit. */
    readonly peek: (plan: PlanName, url: string, now: number) => CachedResponse | undefined
    /** Counts a hit for an answer that `peek` gave. */
    readonly used: (url: string) => void
    /** Stores an answer, unless a snapshot it was built from is already replaced. */
    readonly keep: (plan: PlanName, url: string, answer: CachedResponse) => void
    /** Bytes held, estimated. */
    readonly size: () => number
  }
>()("crypto-data-api/http/response/ResponseCache") {
  static readonly layer: Layer.Layer<ResponseCache> = Layer.effect(
    ResponseCache,
    Effect.map(Effect.context(), (context) => {
      const counted = countersIn(context)(
        "cda_kept_answers_total",
        "Answers that may be kept, handed out (hit) or made"
      )
      return ResponseCache.of(make(MAX_BYTES, counted({ outcome: "hit" }), counted({ outcome: "miss" })))
    })
  )
}

export const make = (maxBytes: number, hits = { count: 0 }, misses = { count: 0 }): ResponseCache["Service"] => {
  let young = new Map<string, Held>()
  let old: typeof young = new Map()
  let youngBytes = 0
  let oldBytes = 0

  const hold = (url: string, held: Held) => {
    const bytes = bytesOf(url, held)
    if (bytes > maxBytes / 2) return
    const before = young.get(url)
    const more = bytes - (before === undefined ? 0 : bytesOf(url, before))
    if (youngBytes + more <= maxBytes / 2) {
      young.set(url, held)
      youngBytes += more
      return
    }
    old = young
    oldBytes = youngBytes
    young = new Map([[url, held]])
    youngBytes = bytes
  }

  const heldFor = (url: string) => young.get(url) ?? old.get(url)

  const peek = (plan: PlanName, url: string, now: number) => {
    const held = heldFor(url)
    const answer = held instanceof ShortAnswer ? held : held?.get(plan)
    if (answer?.dependencies.isValid(now) !== true) return undefined
    return answer instanceof ShortAnswer ? answer.answerFor(plan, now) : answer
  }

  const used = (url: string) => {
    hits.count++
    const held = young.has(url) ? undefined : old.get(url)
    if (held !== undefined) hold(url, held)
  }

  return {
    peek,
    used,
    find: (plan, url, now) => {
      const answer = peek(plan, url, now)
      if (answer !== undefined) used(url)
      return answer
    },
    keep: (plan, url, answer) => {
      misses.count++
      if (url.length > LONGEST_URL || !answer.dependencies.isCurrent()) return
      const before = heldFor(url)
      const others = before === undefined || before instanceof ShortAnswer ? [] : [...before]
      const current = others.filter(([, { dependencies }]) => dependencies.isCurrent())
      hold(url, ShortAnswer.of(plan, answer) ?? new Map([...current, [plan, answer]]))
    },
    size: () => youngBytes + oldBytes
  }
}
