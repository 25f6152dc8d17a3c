// How long the answers of an endpoint are kept.
import { Context } from "effect"

/**
 * - `while current`: until a snapshot that the handler read is replaced. The answer must depend on nothing but the caller's plan, the
 *   declared parameters and those snapshots.
 * - `when asked again`: the same, for an endpoint with so many different answers that one which is asked for once is not worth its room.
 * - `always`: as long as the process runs.
 */
export const Keeping = Context.Reference<"never" | "while current" | "when asked again" | "always">(
  "crypto-data-api/api/Keeping",
  { defaultValue: () => "never" }
)
