// Refusals that follow from the URL alone, by URL: unknown paths and invalid parameters. A program that repeats a mistake
// is refused again without routing and decoding. Bounded by two generations: a full young one replaces the old one.
import { Context, Layer } from "effect"
import type { ProblemCode } from "../../api/Problems.ts"
import type { More } from "../response/ProblemBody.ts"

/** What every request for a URL is refused with. */
export interface Refusal extends More {
  readonly code: ProblemCode
  readonly detail: string
}

/** Entries of a generation. */
const MOST = 1000

/** Longer URLs are decided each time. */
const LONGEST_URL = 512

/** The refused URLs. */
export class RefusedUrls extends Context.Service<
  RefusedUrls,
  {
    readonly find: (url: string) => Refusal | undefined
    readonly remember: (url: string, refusal: Refusal) => void
  }
>()("crypto-data-api/http/gate/RefusedUrls") {
  static readonly layer: Layer.Layer<RefusedUrls> = Layer.sync(RefusedUrls, () => {
    let young = new Map<string, Refusal>()
    let old: ReadonlyMap<string, Refusal> = new Map()
    const remember = (url: string, refusal: Refusal) => {
      if (url.length > LONGEST_URL) return
      if (young.size >= MOST) {
        old = young
        young = new Map()
      }
      young.set(url, refusal)
    }
    const find = (url: string) => {
      const recent = young.get(url)
      if (recent !== undefined) return recent
      const known = old.get(url)
      if (known !== undefined) remember(url, known)
      return known
    }
    return { find, remember }
  })
}
