// An answer as it is sent, with the snapshots that it was built from.
import type { Dependencies } from "../../services/refresh/Dependencies.ts"
import * as CacheControl from "./CacheControl.ts"
import type { Representation } from "./Representation.ts"

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
