// Who is calling, as far as an answer shows it.
import { Context, Schema } from "effect"

/** The plan a caller is on. */
export const Tier = Schema.Literals(["free", "developer", "business"]).annotate({
  identifier: "Tier",
  description: "The caller's plan"
})

/** The caller of the request at hand; an embedded call without a gate counts as free. */
export const Caller = Context.Reference<{ readonly tier: typeof Tier.Type }>("crypto-data-api/api/Caller", {
  defaultValue: () => ({ tier: "free" })
})
