// The settings that all sources share: `SOURCES_DISABLED`, `<ID>_BASE_URL` and `USER_AGENT`.
import { Config, ConfigProvider, Effect, Schema } from "effect"
import { HOMEPAGE, VERSION } from "../../domain/version.ts"
import type { SourceTerms } from "../catalog/SourceRecord.ts"

/** The names in `SOURCES_DISABLED`, upper case. */
export const disabledSources = Config.Array(Schema.String, "SOURCES_DISABLED").pipe(
  Config.withDefault([]),
  Config.map((names) => new Set(names.map((name) => name.trim().toUpperCase().replaceAll("-", "_"))))
)

/** The base URLs of requests: only `<ID>_BASE_URL` if it is set, else the public ones in order. */
export const baseUrlsOf = (terms: SourceTerms, first: string = terms.baseUrl) =>
  Config.URL(`${terms.id}_BASE_URL`).pipe(
    Config.map((url): readonly [string, ...ReadonlyArray<string>] => [url.href.replace(/\/+$/, "")]),
    Config.withDefault([first, ...(terms.olderBaseUrls ?? [])] as const)
  )

/**
 * The default of {@link userAgent}. Some hosts ignore requests whose agent does not begin like a browser's, so it begins like one and
 * then names this service.
 */
export const DEFAULT_USER_AGENT = `Mozilla/5.0 (compatible; crypto-data-api/${VERSION}; +${HOMEPAGE})`

/** `USER_AGENT`: 1 to 300 printable ASCII characters, because anything else cannot be sent in a header. */
export const userAgent: Config.Config<string> = Config.schema(
  Schema.String.check(Schema.isPattern(/^[!-~](?:[ -~]{0,298}[!-~])?$/)),
  "USER_AGENT"
).pipe(Config.withDefault(DEFAULT_USER_AGENT))

/** Refuses a list of more than `most` items. */
export const atMost =
  (most: number) =>
  <A>(lists: Config.Config<ReadonlyArray<A>>): Config.Config<ReadonlyArray<A>> =>
    Config.mapEffect(lists, (list) =>
      list.length <= most
        ? Effect.succeed(list)
        : Effect.fail(
            new Config.ConfigError(new ConfigProvider.SourceError({ message: `a list of more than ${most}` }))
          )
    )
