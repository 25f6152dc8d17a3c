// The plans and their quotas. The settings of the process can change them; embedders provide `Plans`.
import { Context, Duration } from "effect"

export const planNames = ["free", "developer", "business"] as const

/** The name of a plan, as `meta.tier` shows it. */
export type PlanName = (typeof planNames)[number]

/** A plan; `limit` is in requests per window. */
export interface Plan {
  readonly name: PlanName
  readonly limit: number
}

/** The length of the fixed window that quotas are counted in. It starts with a caller's first request. */
export const WINDOW = Duration.seconds(60)

/** Requests per window by default: `free` by client address without a key, the others by key. */
export const DEFAULT_LIMITS: Readonly<Record<PlanName, number>> = { free: 60, developer: 600, business: 3000 }

/** A plan with the limit that it has by default. */
export const usual = (name: PlanName): Plan => ({ name, limit: DEFAULT_LIMITS[name] })

/** The requests per window of each plan, and whether callers without a key are served. */
export const Plans = Context.Reference("crypto-data-api/access/Plan/Plans", {
  defaultValue: (): { readonly limits: Readonly<Record<PlanName, number>>; readonly servesAnonymous: boolean } => ({
    limits: DEFAULT_LIMITS,
    servesAnonymous: true
  })
})
