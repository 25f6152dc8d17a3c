// The plans and their quotas, as plain values.
import { Duration } from "effect"

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

/** Callers without a key, limited by client address. */
export const free: Plan = { name: "free", limit: 60 }

/** Callers with a key, limited by key. */
export const keyed: Readonly<Record<Exclude<PlanName, "free">, Plan>> = {
  developer: { name: "developer", limit: 600 },
  business: { name: "business", limit: 3000 }
}
