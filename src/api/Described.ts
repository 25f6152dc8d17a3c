// How endpoints are described in the OpenAPI documents, and how long their responses are cached.
import { Context } from "effect"
import { OpenApi } from "effect/http-api"

/**
 * - `while current`: until a snapshot that the handler read is replaced. The answer must depend on nothing but the caller's plan, the
 *   declared parameters and those snapshots.
 * - `always`: as long as the process runs.
 */
export const Keeping = Context.Reference<"never" | "while current" | "always">("crypto-data-api/api/Keeping", {
  defaultValue: () => "never"
})

/** An endpoint's name in the document, a line about it, and all that a caller should know. */
export const described = (identifier: string, summary: string, description: string) =>
  OpenApi.annotations({ identifier, summary, description })

/** The same for an endpoint whose responses are cached. */
export const cacheable = (...texts: Parameters<typeof described>) =>
  Context.add(described(...texts), Keeping, "while current")
