// How endpoints are described in the OpenAPI documents, and how long their responses are cached.
import { Context } from "effect"
import { OpenApi } from "effect/http-api"

/**
 * - `while current`: until a snapshot that the handler read is replaced or expires. The answer must depend on nothing but the caller's
 *   plan, the declared parameters and those snapshots.
 * - `always`: as long as the process runs.
 */
export const CachePolicy = Context.Reference<"never" | "while current" | "always">("crypto-data-api/api/CachePolicy", {
  defaultValue: () => "never"
})

/** A line about an endpoint, what a caller should know, and its name in the document if that differs. */
export const described = (summary: string, description: string, identifier?: string) =>
  OpenApi.annotations({ identifier, summary, description })

export const cacheable = (...texts: Parameters<typeof described>) =>
  Context.add(described(...texts), CachePolicy, "while current")

/** Whether the parameter `amount` only shapes the answer: the rate is the same for all amounts, and one cached answer serves them. */
export const IsShapedByAmount = Context.Reference<boolean>("crypto-data-api/api/IsShapedByAmount", {
  defaultValue: () => false
})

/** {@link cacheable} for such an endpoint. Its handler notes how to write the body for an amount. */
export const shapedByAmount = (...texts: Parameters<typeof described>) =>
  Context.add(cacheable(...texts), IsShapedByAmount, true)
