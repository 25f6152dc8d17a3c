/** ISO times, and the last column of tickers: epoch milliseconds. */
const times = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z|(?<=\\t)\d{13}(?=\\n|")/g

/** A saved text with all its times set back. A text with rows that are newer than its answer is not restored. */
export const aged = (text: string, millis: number): string =>
  text.replaceAll(times, (time) =>
    time.endsWith("Z") ? new Date(Date.parse(time) - millis).toISOString() : String(Number(time) - millis)
  )
