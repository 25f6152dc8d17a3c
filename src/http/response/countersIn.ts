import { type Context, Metric } from "effect"

/**
 * Counters in the registry of a context, by name and attributes. Callers increment `count`, which costs less per request than
 * updating a metric.
 */
export const countersIn =
  (context: Context.Context<never>) =>
  (name: string, description: string) =>
  (attributes: Readonly<Record<string, string>>): { count: number } => {
    const state = { count: 0 }
    Metric.registerUnsafe(Metric.counter(name, { description, attributes, incremental: true }), context, {
      // The registry only reads it.
      update: () => {},
      modify: () => {},
      get: () => ({ count: state.count, incremental: true })
    })
    return state
  }
