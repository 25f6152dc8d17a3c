import { weightsOf } from "./weightsOf.ts"

/** Whether `Accept` asks for CSV by name, and for JSON not more. */
export const prefersCsv = (accept: string): boolean => {
  if (!/text\/csv/i.test(accept)) return false
  const weights = weightsOf(accept)
  const csv = weights.get("text/csv") ?? 0
  const json = weights.get("application/json") ?? weights.get("application/*") ?? weights.get("*/*") ?? 0
  return csv > 0 && csv >= json
}
