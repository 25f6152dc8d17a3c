/** How much a media range is wanted, from 0 to 1; undefined where it is not named. */
const quality = (accept: string, type: string): number | undefined => {
  const range = accept.split(",").find((one) => one.split(";")[0]?.trim().toLowerCase() === type)
  if (range === undefined) return undefined
  const q = /;\s*q=([0-9.]+)/i.exec(range)?.[1]
  return q === undefined ? 1 : Number(q)
}

/** Whether `Accept` asks for CSV by name, and for JSON not more. */
export const prefersCsv = (accept: string): boolean => {
  if (!/text\/csv/i.test(accept)) return false
  const csv = quality(accept, "text/csv") ?? 0
  return csv > 0 && csv >= (quality(accept, "application/json") ?? 0)
}
