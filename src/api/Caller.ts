// The caller, as far as a response shows it.
import { Context, Schema } from "effect"

/** The caller's plan. */
export const Tier = Schema.Literals(["free", "developer", "business"]).annotate({
  identifier: "Tier",
  description: "The caller's plan"
})

/** The caller of the current request. `Access` provides it; handlers that are mounted without `Access` do not compile. */
export class Caller extends Context.Service<Caller, { readonly tier: typeof Tier.Type }>()(
  "crypto-data-api/api/Caller"
) {}
