// The caller, as far as a response shows it.
import { Context, Schema } from "effect"

/** The caller's plan. */
export const Tier = Schema.Literals(["free", "developer", "business"]).annotate({
  identifier: "Tier",
  description: "The caller's plan"
})

/** The caller of the current request. Default, for calls without the gate: the free plan. */
export const Caller = Context.Reference<{ readonly tier: typeof Tier.Type }>("crypto-data-api/api/Caller", {
  defaultValue: () => ({ tier: "free" })
})
