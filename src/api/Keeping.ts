// How long the answers of an endpoint are kept.
import { Context } from "effect"

/**
 * - `while current`: until a snapshot that the handler read is replaced. The answer must depend on nothing but the caller's plan, the
 *   declared parameters and those snapshots.
 * - `always`: as long as the process runs.
 */
export const Keeping = Context.Reference<"never" | "while current" | "always">("crypto-data-api/api/Keeping", {
  defaultValue: () => "never"
})
