// Refusals of GET and HEAD that follow from the URL alone, by URL: unknown paths and invalid parameters. A program that
// repeats a mistake is refused again without Effect's router and decoding.
import { Context, Layer } from "effect"
import type { ProblemCode } from "../../api/Problems.ts"
import * as Generations from "../response/Generations.ts"
import type { More } from "../response/ProblemBody.ts"

/** What a URL is refused with, whoever asks and whenever. */
export interface Refusal extends More {
  readonly code: ProblemCode
  readonly detail: string
}

/** Entries of each of two generations. With the longest URLs and details an entry takes about 6 kB. */
const MOST = 1000

/** Characters. A longer URL, or one with a longer refusal, is decided each time. */
const LONGEST_URL = 512
const LONGEST_DETAIL = 1000

/** The refused URLs. */
export class RefusedUrls extends Context.Service<
  RefusedUrls,
  {
    /** The refusal that was remembered for a URL, path and query as they were sent. */
    readonly find: (url: string) => Refusal | undefined
    /** Remembers a refusal, which must not depend on headers, the caller, the time or data. */
    readonly remember: (url: string, refusal: Refusal) => void
  }
>()("crypto-data-api/http/gate/RefusedUrls") {
  static readonly layer: Layer.Layer<RefusedUrls> = Layer.sync(RefusedUrls, () => {
    const held = Generations.make<Refusal>(MOST)
    return {
      find: held.get,
      remember: (url, refusal) => {
        if (url.length <= LONGEST_URL && refusal.detail.length <= LONGEST_DETAIL) held.set(url, refusal)
      }
    }
  })
}
