// Lists with weights, RFC 9110 section 12.4.2: `Accept` and `Accept-Encoding`.

/** The weights of a list by name in lower case. A weight that is no number is 0. */
export const weightsOf = (list: string): ReadonlyMap<string, number> => {
  const weights = new Map<string, number>()
  for (const entry of list.toLowerCase().split(",")) {
    const [name = "", ...parameters] = entry.split(";").map((part) => part.trim())
    const q = parameters.find((parameter) => parameter.startsWith("q="))
    const weight = q === undefined ? 1 : Number(q.slice(2))
    if (name !== "") weights.set(name, Number.isFinite(weight) ? weight : 0)
  }
  return weights
}

/** Whether `Accept` names CSV, with at least the weight of JSON. */
export const prefersCsv = (accept: string): boolean => {
  if (!/text\/csv/i.test(accept)) return false
  const weights = weightsOf(accept)
  const csv = weights.get("text/csv") ?? 0
  const json = weights.get("application/json") ?? weights.get("application/*") ?? weights.get("*/*") ?? 0
  return csv > 0 && csv >= json
}
