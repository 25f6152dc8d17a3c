// The plans, as plain values: how many requests a minute each may make.
import { Duration } from "effect"

/** What a caller may be on. */
export type PlanName = "free" | "developer" | "business"

/** A plan: its name and its quota of requests in a window. */
export interface Plan {
  readonly name: PlanName
  readonly limit: number
}

/** The window every quota is counted in: fixed, from the first request of a caller. */
export const WINDOW = Duration.seconds(60)

/** Callers without a key, counted by address. */
export const free: Plan = { name: "free", limit: 60 }

/** Callers with a key, counted by key. */
export const keyed: Readonly<Record<Exclude<PlanName, "free">, Plan>> = {
  developer: { name: "developer", limit: 600 },
  business: { name: "business", limit: 3000 }
}
