// How often the page asks the server: a request every 45 s, and some more at once for who clicks. With the document at most 120 in an hour.

/** Seconds after which one more request is allowed. */
export const PERIOD = 45

/** Requests that may come at once. */
const SPARE = 39

/** Counts requests. Times in epoch milliseconds. */
export const budgetFrom = (start: number) => {
  let left = SPARE
  let counted = start
  const count = (now: number) => {
    // A clock that was set back counts on from there.
    const earned = Math.max(0, (now - counted) / (1000 * PERIOD))
    left = Math.min(SPARE, left + earned)
    counted = now
  }
  return {
    /** Milliseconds until a request is allowed. */
    wait: (now: number): number => {
      count(now)
      return left >= 1 ? 0 : Math.ceil((1 - left) * 1000 * PERIOD)
    },
    spend: (now: number): void => {
      count(now)
      left -= 1
    }
  }
}
