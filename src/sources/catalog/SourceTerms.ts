// What a source is called, where it lives, and on what terms its data may be passed on. Each source file declares its own.
import { Context } from "effect"

/** A source's public face. The README's table of sources and `/v1/sources` are made from these. */
export interface SourceTerms {
  /** Setting prefix (`<ID>_BASE_URL`) and the name `SOURCES_DISABLED` knows it by, e.g. `COINGECKO`. */
  readonly id: string
  /** The name in `meta.source`. */
  readonly name: string
  /** What stands before the path in its public address. */
  readonly baseUrl: string
  /** The sentence that credits it. */
  readonly attribution: string
  readonly link: string
  readonly licence: string
  /** Whether its data may be served on. */
  readonly redistribution: "yes" | "attribution" | "unclear" | "no"
}

/** How a public name appears in stamps. The sandbox marks every one of them, so that no simulated figure passes for a real one. */
export const SourceLabel = Context.Reference<(name: string) => string>("crypto-data-api/sources/catalog/SourceLabel", {
  defaultValue: () => (name) => name
})
