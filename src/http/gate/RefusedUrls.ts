// Refusals of GET and HEAD that follow from the URL alone, by URL: unknown paths and invalid parameters. A program that
// repeats a mistake is refused again without Effect's router and decoding.
import { Context, Layer } from "effect"
import * as Paths from "../Paths.ts"
import * as Generations from "../response/Generations.ts"
import * as PreparedProblem from "../response/PreparedProblem.ts"
import type { Refusal } from "../response/ProblemBody.ts"

/** A refusal as it is sent, with the pattern of the URL's route. */
interface Refused extends PreparedProblem.PreparedProblem {
  readonly route: string
}

/** Entries of each of two generations. With the longest URLs and details an entry takes about 6 kB. */
const MOST = 1000

/** Characters. A longer URL, or one with a longer refusal, is decided each time. */
const LONGEST_URL = 512
const LONGEST_DETAIL = 1000

export class RefusedUrls extends Context.Service<
  RefusedUrls,
  {
    /** The refusal that was remembered for a URL, path and query as they were sent. */
    readonly find: (url: string) => Refused | undefined
    /** Remembers a refusal, which must not depend on headers, the caller, the time or data. */
    readonly remember: (url: string, refusal: Refusal) => void
  }
>()("crypto-data-api/http/gate/RefusedUrls") {
  static readonly layer: Layer.Layer<RefusedUrls> = Layer.sync(RefusedUrls, () => {
    const held = Generations.make<Refused>(MOST)
    return {
      find: held.get,
      remember: (url, refusal) => {
        if (url.length > LONGEST_URL || refusal.detail.length > LONGEST_DETAIL) return
        held.set(url, { ...PreparedProblem.make(refusal), route: Paths.routeOf(url) })
      }
    }
  })
}
