// Reads days in other formats than `YYYY-MM-DD`.

const day = (year: string, month: string, date: string): string =>
  `${year}-${month.padStart(2, "0")}-${date.padStart(2, "0")}`

/**
 * The days that a text may mean, as `YYYY-MM-DD`, each followed by the rest of the text, such as a time. A day need not exist in the
 * calendar. If the year is last, there are two readings: first day before month, then the American order.
 */
export const writtenDays = (text: string): ReadonlyArray<string> => {
  const [, year, month, date, rest = ""] = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(\D.*)?$/.exec(text) ?? []
  if (year !== undefined && month !== undefined && date !== undefined) return [day(year, month, date) + rest]
  const [, whole, more = ""] = /^(\d{8})(\D.*)?$/.exec(text) ?? []
  if (whole !== undefined) return [day(whole.slice(0, 4), whole.slice(4, 6), whole.slice(6)) + more]
  const [, first, second, last, others = ""] = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})(\D.*)?$/.exec(text) ?? []
  if (first === undefined || second === undefined || last === undefined) return []
  return [day(last, second, first) + others, day(last, first, second) + others]
}
