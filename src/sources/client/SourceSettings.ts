// The settings of sources that concern all of them: which are switched off, and where they are.
import { Config, Schema } from "effect"
import type { SourceTerms } from "../catalog/SourceRecord.ts"

/** The names in `SOURCES_DISABLED`, upper case. */
export const disabledSources = Config.Array(Schema.String, "SOURCES_DISABLED").pipe(
  Config.withDefault([]),
  Config.map((names) => new Set(names.map((name) => name.trim().toUpperCase().replaceAll("-", "_"))))
)

/** What stands before the path of requests: `<ID>_BASE_URL` alone where it is set, else the public addresses in order. */
export const baseUrlsOf = (terms: SourceTerms, first: string = terms.baseUrl) =>
  Config.URL(`${terms.id}_BASE_URL`).pipe(
    Config.map((url): readonly [string, ...ReadonlyArray<string>] => [url.href.replace(/\/+$/, "")]),
    Config.withDefault([first, ...(terms.olderBaseUrls ?? [])] as const)
  )

/** The first of {@link baseUrlsOf}: identifies the origin of answers. */
export const baseUrlOf = (terms: SourceTerms, first?: string) => Config.map(baseUrlsOf(terms, first), ([base]) => base)
